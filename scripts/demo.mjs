// The main job of Bridle on real programs, with a made-up secret: check a spec, build it for three harnesses, run the
// built-in harness in the sandbox, and prove that the secret reached its server and nothing else.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const secret = `demo-${randomBytes(12).toString('hex')}`
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'bridle-demo-')))
const project = path.join(folder, 'project')
const environment = {
  PATH: [path.join(root, 'node_modules/.bin'), process.env.PATH].join(':'), // where the two servers are
  HOME: path.join(folder, 'home'),
  TERM: 'dumb',
  DEMO_TOKEN: secret,
}

const spec = `version: 1
variables:
  DEMO_TOKEN: {}                  # its value comes from the environment, when a harness is launched
servers:
  everything:
    command: mcp-server-everything
    environment: { GREETING: "It's $5 & \\"more\\"" }
    variables: [DEMO_TOKEN]
    tools: { exclude: [trigger-long-running-operation] }
  files:
    command: mcp-server-filesystem
    arguments: ["."]
    tools: { include: [list_directory, read_text_file] }
targets:
  claude: { servers: { exclude: [files] } }   # Claude Code cannot keep only some tools of a server
  codex: {}
  builtin: {}
`

try {
  mkdirSync(project)
  mkdirSync(environment.HOME)
  writeFileSync(path.join(project, 'bridle.yaml'), spec)
  await demo()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function demo() {
  title('1. One spec, with a secret by name')
  print(spec)

  title('2. Check it for three harnesses')
  await bridle(['check'])

  title('3. Build their configuration files')
  await bridle(['build', '--out', 'out'])
  for (const file of filesBelow(path.join(project, 'out'))) {
    print(`── ${path.relative(project, file)}\n${readFileSync(file, 'utf8')}`)
  }

  title('4. A secret that is missing stops a launch before anything starts')
  await bridle(['run', 'builtin', '--', 'tools'], { environment: { DEMO_TOKEN: undefined }, status: 125 })

  title('5. Run the built-in harness in the sandbox: the tools that the filters leave')
  await bridle(['run', 'builtin', '--', 'tools'])

  title('6. Call a tool that shows the environment of its server')
  const argv = watchCommandLines()
  const answer = await bridle(['run', 'builtin', '--', 'call', 'everything', 'get-env', '{}'], {
    show: false,
  })
  const commandLines = argv.stop()
  const received = JSON.parse(answer.stdout)
  print(answer.stderr)
  for (const name of ['DEMO_TOKEN', 'GREETING']) print(`the server received ${name} = ${received[name]}`)

  title('7. Where is the secret?')
  const written = filesBelow(folder)
  const holding = written.filter((file) => readFileSync(file).includes(secret))
  const showing = commandLines.filter((line) => line.includes(secret))
  prove('the server got it', received.DEMO_TOKEN === secret)
  prove(`none of the ${written.length} files written holds it`, holding.length === 0)
  prove(
    `none of the ${commandLines.length} command lines seen in /proc during the run held it`,
    showing.length === 0,
  )
  prove('the text of the spec arrived byte for byte', received.GREETING === `It's $5 & "more"`)
}

function bridle(args, { environment: changes = {}, status = 0, show = true } = {}) {
  print(`$ bridle ${args.join(' ')}`)
  return new Promise((resolve, reject) => {
    const env = { ...environment, ...changes }
    const child = spawn(process.execPath, [path.join(root, 'dist/cli.js'), ...args], {
      cwd: project,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr']) {
      child[stream].setEncoding('utf8').on('data', (text) => {
        output[stream] += text
        if (show) process.stdout.write(text)
      })
    }
    child.on('close', (code) => {
      if (code === status) return resolve(output)
      if (!show) print(output.stderr)
      reject(new Error(`bridle ${args[0]} ended with ${code} and not with ${status}`))
    })
  })
}

/** Collects the command line of every process on the machine until it is stopped. */
function watchCommandLines() {
  const seen = new Set()
  const look = () => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        seen.add(readFileSync(`/proc/${pid}/cmdline`, 'latin1'))
      } catch {
        // It ended in between.
      }
    }
  }
  const timer = setInterval(look, 3)
  return {
    stop: () => {
      clearInterval(timer)
      return [...seen].filter((line) => line !== '')
    },
  }
}

function filesBelow(top) {
  return readdirSync(top, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(top, entry.name)
    if (entry.isDirectory()) return filesBelow(file)
    return entry.isFile() ? [file] : []
  })
}

function prove(claim, holds) {
  print(`${holds ? '✔' : '✘'} ${claim}`)
  if (!holds) process.exitCode = 1
}

function title(text) {
  print(`\n${text}\n${'─'.repeat(text.length)}`)
}

function print(text) {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}
