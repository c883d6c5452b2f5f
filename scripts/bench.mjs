// Start-up cost of the command as ratios to `node -e 0`, measured in the same run, each command in turn so that a
// change of the machine's speed meets all of them alike. Every process reports its own CPU time and peak memory as it
// ends. NODE_EXTRA_CA_CERTS is left out: it adds tens of milliseconds to any start of Node.
//
//   npm run bench [-- RUNS]
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'

const runs = Number(process.argv[2] ?? 15)
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const folder = mkdtempSync(path.join(tmpdir(), 'bridle-bench-'))
const report = path.join(folder, 'usage.json')
const meter = path.join(folder, 'meter.cjs')
writeFileSync(
  meter,
  `process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
    const usage = { cpuMs: (userCPUTime + systemCPUTime) / 1000, memoryMb: maxRSS / 1024 }
    require('node:fs').writeFileSync(${JSON.stringify(report)}, JSON.stringify(usage))
  })`,
)

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

function measure({ name, args }) {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const started = process.hrtime.bigint()
  const { status, stderr } = spawnSync(process.execPath, ['-r', meter, ...args], { env, encoding: 'utf8' })
  const wallMs = Number(process.hrtime.bigint() - started) / 1e6
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`)
  return { wallMs, ...JSON.parse(readFileSync(report, 'utf8')) }
}

function print(subjects, samples) {
  const medians = samples.map((each) => ({
    cpuMs: median(each.map(({ cpuMs }) => cpuMs)),
    wallMs: median(each.map(({ wallMs }) => wallMs)),
    memoryMb: median(each.map(({ memoryMb }) => memoryMb)),
  }))
  const [reference] = medians
  console.log(`Medians of ${runs} runs; in brackets the ratio to bare Node ${process.versions.node}.\n`)
  console.log('| command | CPU ms | wall ms | peak MB |\n| --- | --- | --- | --- |')
  medians.forEach((row, index) => {
    const cell = (key) => `${row[key].toFixed(0)} (${(row[key] / reference[key]).toFixed(2)}×)`
    console.log(`| ${subjects[index].name} | ${cell('cpuMs')} | ${cell('wallMs')} | ${cell('memoryMb')} |`)
  })
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
