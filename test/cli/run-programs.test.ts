import { copyFileSync, linkSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Workplace } from '../fixtures/workplace.ts'

let place: Workplace
beforeAll(() => {
  place = new Workplace()
  place.writeSpec()
})
afterAll(() => place.remove())

/** Runs a program in the sandbox as a harness, since that is found and shown as the command of a server is. */
async function start(harness: string, environment: Record<string, string> = {}) {
  const args = ['run', 'claude', '--harness', harness, '--', '-p', 'x']
  return place.run(args, { environment })
}

function link(name: string, target: string): string {
  const file = path.join(place.folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  symlinkSync(target, file)
  return file
}

/** In the sandbox; outside, where it is asked for its version, it would succeed. */
const tryToWrite = `if (process.argv[2] === '--version') process.exit()
try { require('fs').writeFileSync(__filename, '') } catch (error) { console.log(error.code) }`

describe('a program of a home folder', () => {
  it('runs with its interpreter, its packages and nothing beside, all of it read-only', async () => {
    const prefix = 'home/.nvm/versions/node/v1'
    place.write(`${prefix}/lib/node_modules/dependency/index.js`, `module.exports = 'the dependency'`)
    place.write(`${prefix}/lib/node_modules/tool/lib.js`, `module.exports = require('dependency')`)
    const script = `#!/usr/bin/env node
console.log(process.argv[0]); console.log(require('./lib.js')); ${tryToWrite}
console.log(require('fs').readdirSync('${place.home}').join())`
    place.write(`${prefix}/lib/node_modules/tool/cli.js`, script, 0o755)
    const node = path.join(place.folder, prefix, 'bin/node')
    mkdirSync(path.dirname(node))
    linkOrCopy(process.execPath, node)
    place.write('home/secret', 'x')
    const tool = link(`${prefix}/bin/tool`, '../lib/node_modules/tool/cli.js')
    const { stdout, status } = await start(tool, { PATH: `${path.dirname(node)}:/usr/bin:/bin` })
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${node}\nthe dependency\nEROFS\n.nvm\n` })
  })

  it('runs alone when nothing tells what belongs to it', async () => {
    place.write('home/bin/secret', 'x')
    const tool = place.write('home/bin/tool', `#!/bin/sh\nls '${place.home}' '${place.home}/bin'\n`, 0o755)
    const { stdout } = await start(tool)
    expect(stdout).toBe(`${place.home}:\nbin\n\n${place.home}/bin:\ntool\n`)
  })

  it('runs from the package that is linked for development', async () => {
    place.write('home/src/tool/package.json', '{}')
    place.write('home/src/tool/node_modules/dependency/index.js', `module.exports = 'the dependency'`)
    const script = `#!${process.execPath}\nconsole.log(require('dependency')); ${tryToWrite}`
    place.write('home/src/tool/cli.js', script, 0o755)
    place.write('home/src/secret', 'x')
    const { stdout } = await start(link('programs/tool', '../home/src/tool/cli.js'))
    expect(stdout).toBe('the dependency\nEROFS\n')
  })

  it('runs in its venv', async () => {
    place.write('home/venv/pyvenv.cfg', '')
    const python = link('home/venv/bin/python', '/bin/sh')
    place.write('home/venv/library', 'the library')
    const script = `#!${python}\ncat "$(dirname "$0")/../library"; readlink /proc/$$/exe\n`
    const { stdout } = await start(place.write('home/venv/bin/tool', script, 0o755))
    expect(stdout).toMatch(/^the library\/usr\/bin\//)
  })

  it('is named in the report with what becomes visible for it', async () => {
    const tool = place.write('home/bin/tool', '#!/bin/sh\n', 0o755)
    const { stderr } = await start(tool)
    expect(stderr).toMatch(new RegExp(`^bridle: visible read-only: .*${tool}`, 'm'))
  })
})

describe('a server of the project', () => {
  /** What an agent left behind, or a repository brought along. */
  async function show(server: object, look: string) {
    place.write('home/.ssh/id', 'canary')
    place.write('home/private/package.json', '{}')
    place.write('home/private/src/index.js', 'canary', 0o755)
    place.writeSpec({ servers: { a: server } })
    const finished = await place.launch(`cat ${look} '${place.home}'/private/* 2>&1; exit 0`)
    place.writeSpec()
    return finished
  }

  const scripts: { name: string; target: string; argument: string }[] = [
    { name: 'that leads to a key', target: '../home/.ssh/id', argument: 'server.js' },
    { name: 'that leads into a package', target: '../home/private/src/index.js', argument: './server.js' },
    { name: 'that is written out', target: '../home', argument: '../home/private/src/index.js' },
  ]
  it.each(scripts)('cannot show a file of the host by a script $name', async ({ target, argument }) => {
    rmSync(path.join(place.project, 'server.js'), { force: true })
    link('project/server.js', target)
    const { stdout, stderr } = await show({ command: 'node', arguments: [argument] }, `server.js ${argument}`)
    expect(stdout).toMatch(/No such file/)
    expect(stdout).not.toContain('canary')
    expect(stderr).toMatch(/^warning BRIDLE614: .* is not visible in the sandbox/m)
  })

  it('cannot show a program of the host by a link', async () => {
    link('project/node_modules/.bin/planted', '../../../home/private/src/index.js')
    const { status, stdout, stderr } = await show({ command: 'planted' }, 'x')
    expect({ status, stdout }).toEqual({ status: 125, stdout: '' })
    expect(stderr).toMatch(/^error BRIDLE604: `planted` is .* a link of the project leads out of it\./m)
  })
})

describe('the search path of a harness', () => {
  it('has the folders of the system and those of interpreters, no other of the launcher', async () => {
    const node = path.join(place.folder, 'opt/node/bin/node')
    mkdirSync(path.dirname(node), { recursive: true })
    mkdirSync(path.join(place.folder, 'opt/node/lib'))
    linkOrCopy(process.execPath, node)
    const script = '#!/usr/bin/env node\nconsole.log(process.env.PATH)'
    const tool = place.write('programs/show-path', script, 0o755)
    const own = [place.makeFolder('home/bin'), path.join(place.project, 'node_modules/.bin'), '.', '']
    const searchPath = [...own, path.dirname(node), '/usr/sbin', '/usr/bin'].join(':')
    const { stdout } = await start(tool, { PATH: searchPath })
    expect(stdout).toBe(
      `${path.dirname(node)}:/usr/sbin:/usr/bin:/usr/local/bin:/bin:/usr/local/sbin:/sbin\n`,
    )
  })
})

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to) // on another file system
  }
}
