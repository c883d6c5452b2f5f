// Start-up cost of the command as ratios to `node -e 0`, measured in the same run, each command in turn so that a
// change of the machine's speed meets all of them alike.
//
//   npm run bench [-- RUNS]
//   npm run bench -- peers [RUNS]: the same work done by Bridle and by others (bench-peers.mjs)
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import { createMeter, medians } from './measure.mjs'

if (process.argv[2] === 'peers') {
  const { benchPeers } = await import('./bench-peers.mjs')
  benchPeers(Number(process.argv[3] ?? 5))
  process.exit()
}

const runs = Number(process.argv[2] ?? 15)
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const folder = mkdtempSync(path.join(tmpdir(), 'bridle-bench-'))
const measure = createMeter(folder)

try {
  const subjects = [
    { name: 'node -e 0', args: ['-e', '0'] },
    bridle('bridle --version', ['--version']),
    ...[1, 1000].flatMap((servers) =>
      ['json', 'yaml'].flatMap((form) => {
        const config = writeSpec(servers, form)
        const size = `${servers.toLocaleString('en')} server${servers === 1 ? '' : 's'}, ${form.toUpperCase()}`
        return [
          bridle(`bridle check (${size})`, ['check', '--config', config]),
          bridle(`bridle build, all targets (${size})`, [
            'build',
            '--config',
            config,
            '--out',
            path.join(folder, 'out'),
          ]),
        ]
      }),
    ),
  ]
  for (const subject of subjects) measure(subject)
  const samples = subjects.map(() => [])
  for (let run = 0; run < runs; run++)
    for (const [index, subject] of subjects.entries()) samples[index].push(measure(subject))
  print(subjects, samples)
} finally {
  rmSync(folder, { recursive: true })
}

function bridle(name, args) {
  return { name, args: [path.join(root, 'dist/cli.js'), ...args] }
}

function writeSpec(servers, form) {
  const place = path.join(folder, `${servers}-${form}`)
  mkdirSync(place)
  const file = path.join(place, `bridle.${form}`)
  const spec = {
    version: 1,
    variables: { TOKEN: {} },
    servers: Object.fromEntries(
      Array.from({ length: servers }, (_, index) => [`server-${index}`, server(index)]),
    ),
    targets: { claude: {}, codex: {}, builtin: {} },
  }
  writeFileSync(file, form === 'json' ? JSON.stringify(spec, null, 2) : stringify(spec))
  return file
}

function server(index) {
  return index % 2 === 0
    ? {
        command: 'npx',
        arguments: ['-y', `server-${index}`, '--root', '/srv/data'],
        environment: { LOG_LEVEL: 'warn' },
        variables: ['TOKEN'],
        tools: { exclude: ['delete'] },
        toolTimeoutMs: 60000,
      }
    : { url: `https://mcp.example.com/${index}`, headers: { 'X-Team': 'core' }, bearerTokenVariable: 'TOKEN' }
}

function print(subjects, samples) {
  const rows = samples.map(medians)
  const [reference] = rows
  console.log(`Medians of ${runs} runs; in brackets the ratio to bare Node ${process.versions.node}.\n`)
  console.log('| command | CPU ms | wall ms | peak MB |\n| --- | --- | --- | --- |')
  rows.forEach((row, index) => {
    const cell = (key) => `${row[key].toFixed(0)} (${(row[key] / reference[key]).toFixed(2)}×)`
    console.log(`| ${subjects[index].name} | ${cell('cpuMs')} | ${cell('wallMs')} | ${cell('memoryMb')} |`)
  })
}
