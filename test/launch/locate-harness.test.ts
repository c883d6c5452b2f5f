import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LaunchableTarget } from '../../src/compile/target.ts'
import { judgeVersion } from '../../src/launch/judge-version.ts'
import { type HarnessSearch, locateHarness } from '../../src/launch/locate-harness.ts'
import type { LaunchRequest } from '../../src/launch/request.ts'
import { codex } from '../../targets/codex/target.ts'
import { kimi } from '../../targets/kimi/target.ts'
import { Workplace } from '../fixtures/workplace.ts'
import { prepared } from './support.ts'

let place: Workplace
beforeEach(() => {
  place = new Workplace()
})
afterEach(() => place.remove())

const spec = (target: LaunchableTarget) => `version: 1\nservers: {}\ntargets: { ${target.id}: {} }\n`

/** With these folders below the workplace on PATH. */
async function locate(
  folders: readonly string[],
  request: Partial<LaunchRequest> = {},
  target: LaunchableTarget = kimi,
): Promise<HarnessSearch> {
  const searchPath = folders.map((folder) => path.join(place.folder, folder)).join(':')
  const launch = await prepared(spec(target), target, {
    project: place.project,
    workingDirectory: place.project,
    home: place.home,
    environment: { PATH: searchPath },
    ...request,
  })
  return locateHarness(launch.request)
}

/** A stand-in for Node.js: it tells its version. */
const node = (name: string, version: string) =>
  place.write(name, `#!/bin/sh\n[ "$1" = --version ] && echo v${version}\n`, 0o755)
const script = (name: string) => place.write(name, '#!/usr/bin/env node\n', 0o755)
const shown = (file: string) => path.join(place.folder, file)

describe('the Node.js of a harness that needs a newer one', () => {
  it('is the first one on PATH that is new enough, not the first one', async () => {
    node('old/node', '20.20.2')
    node('broken/node', '')
    node('new/node', '22.19.0')
    node('newer/node', '24.21.0')
    script('bin/kimi')
    const { harness, diagnostics } = await locate(['old', 'bin', 'broken', 'new', 'newer'])
    expect(diagnostics).toEqual([])
    expect(harness).toMatchObject({ file: shown('new/node'), leadingArguments: [shown('bin/kimi')] })
  })

  it('is the one beside the program before all on PATH, wherever links lead', async () => {
    node('new/node', '24.21.0')
    node('prefix/lib/kimi/node', '22.20.0')
    const real = script('prefix/lib/kimi/main.mjs')
    place.makeFolder('bin')
    symlinkSync(real, shown('bin/kimi'))
    const { harness } = await locate(['new', 'bin'])
    expect(harness?.file).toBe(shown('prefix/lib/kimi/node'))
  })

  it('is shown in the sandbox with the program, but not put on PATH for the servers', async () => {
    node('nvm/24/bin/node', '24.21.0')
    place.makeFolder('nvm/24/lib')
    node('old/node', '20.20.2')
    script('app/node_modules/kimi-code/main.mjs')
    place.makeFolder('bin')
    symlinkSync(shown('app/node_modules/kimi-code/main.mjs'), shown('bin/kimi'))
    const { harness } = await locate(['old', 'bin', 'nvm/24/bin'])
    expect(harness?.searchFolders).toEqual([])
    expect(new Set(harness?.folders)).toEqual(new Set([shown('nvm/24'), shown('app/node_modules')]))
    expect(harness?.leadingArguments).toEqual([shown('app/node_modules/kimi-code/main.mjs')])
  })

  it('is never one of the project, where an agent could have put it, nor a shim that does not work in a sandbox', async () => {
    node('project/bin/node', '24.21.0')
    node('asdf/shims/node', '24.21.0')
    script('bin/kimi')
    const { harness, diagnostics } = await locate(['project/bin', 'asdf/shims', 'bin'])
    expect(harness).toBeUndefined()
    expect(diagnostics).toMatchObject([
      { code: 'BRIDLE618', message: expect.stringContaining('found: none') },
    ])
  })

  it('is the named one, whatever lies on PATH', async () => {
    node('new/node', '24.21.0')
    node('own/node-22', '22.19.1')
    script('bin/kimi')
    const { harness } = await locate(['new', 'bin'], { node: '../own/node-22' })
    expect(harness?.file).toBe(shown('own/node-22'))
  })

  it('that is named is refused when it is too old, or not there, though another would do', async () => {
    node('new/node', '24.21.0')
    const old = node('own/node', '22.18.0')
    script('bin/kimi')
    const refused = await locate(['new', 'bin'], { node: old })
    expect(refused.diagnostics).toMatchObject([
      { code: 'BRIDLE618', severity: 'error', message: expect.stringContaining(`${old} (22.18.0)`) },
    ])
    const missing = await locate(['new', 'bin'], { node: './nowhere' })
    expect(missing.diagnostics[0]?.message).toContain('no program at ./nowhere')
  })

  it('is told with all that were found when none is new enough', async () => {
    node('one/node', '18.0.0')
    node('two/node', '20.20.2')
    place.makeFolder('again')
    symlinkSync(shown('two/node'), shown('again/node'))
    script('bin/kimi')
    const { diagnostics } = await locate(['one', 'two', 'again', 'bin'])
    expect(diagnostics).toHaveLength(1)
    expect(diagnostics[0]?.message).toBe(
      `Kimi Code needs Node.js 22.19.0 or newer; found: ${shown('one/node')} (18.0.0), ${shown('two/node')} (20.20.2)`,
    )
  })

  it('is not looked for where the program is no script of Node.js', async () => {
    place.write('bin/kimi', '#!/bin/sh\n', 0o755)
    const { harness } = await locate(['bin'])
    expect(harness).toMatchObject({ file: shown('bin/kimi'), leadingArguments: [] })
  })

  it('is not looked for where the harness works on any', async () => {
    node('old/node', '20.20.2')
    script('bin/codex')
    const { harness } = await locate(['old', 'bin'], {}, codex)
    expect(harness).toMatchObject({ leadingArguments: [], searchFolders: [shown('old')] })
  })
})

it('another program of the same name is told from the harness, whatever its version is', () => {
  for (const version of ['1.24.0', '9.0.0']) {
    expect(judgeVersion(kimi, { version, text: `kimi, version ${version}\n` }, false)).toMatchObject([
      { code: 'BRIDLE619', severity: 'error', message: expect.stringContaining('kimi-cli') },
    ])
  }
  expect(judgeVersion(kimi, { version: '2.1.0', text: '2.1.0\n' }, true)).toEqual([])
})
