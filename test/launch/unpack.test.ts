import { chmodSync, chownSync, rmSync, statSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LaunchableTarget } from '../../src/compile/target.ts'
import { assemble } from '../../src/launch/assemble.ts'
import { harnessAnswer } from '../../src/launch/harness-version.ts'
import type { LocatedHarness } from '../../src/launch/locate-harness.ts'
import type { LaunchRequest } from '../../src/launch/request.ts'
import { prepareUnpacking } from '../../src/launch/unpack.ts'
import { copilot } from '../../targets/copilot/target.ts'
import { Workplace } from '../fixtures/workplace.ts'
import { prepared } from './support.ts'

let place: Workplace
let program: string
beforeEach(() => {
  place = new Workplace()
  program = place.write('tool', '#!/bin/sh\necho unpacked > "$TOOL_CACHE/app" && echo 1.2.3\n', 0o755)
})
afterEach(() => place.remove())

const target = {
  id: 'tool',
  title: 'Tool',
  launch: { unpackVariable: 'TOOL_CACHE' },
} as unknown as LaunchableTarget

function unpacking(file: string, rest: Partial<LaunchRequest> = {}) {
  const { project, home } = place
  const sandbox = { name: 'bubblewrap' }
  const request = { target, project, home, environment: {}, sandbox, ...rest } as LaunchRequest
  return prepareUnpacking(request, { file } as LocatedHarness)
}

describe('a harness that unpacks itself', () => {
  it('does so outside of every project, in a folder of its own for its user alone', async () => {
    const { folder = '' } = unpacking(program)
    expect(path.dirname(folder)).toBe(path.join(place.home, '.cache/bridle/programs'))
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const answer = await harnessAnswer([program], '/usr/bin:/bin', place.project, { TOOL_CACHE: folder })
    expect(answer.version).toBe('1.2.3')
    expect(statSync(path.join(folder, 'app')).isFile()).toBe(true)
    expect(unpacking(place.write('other', '', 0o755)).folder).not.toBe(folder)
  })

  it('does not when an agent could have had a hand in the program or in the folder', () => {
    expect(unpacking(place.write('project/tool', '', 0o755))).toEqual({ diagnostics: [] })
    const within = { XDG_CACHE_HOME: path.join(place.project, 'cache') }
    expect(unpacking(program, { environment: within })).toEqual({ diagnostics: [] })
    const link = path.join(place.folder, 'link')
    symlinkSync(place.project, link)
    expect(unpacking(program, { environment: { XDG_CACHE_HOME: link } })).toEqual({ diagnostics: [] })
  })

  it('does not without a sandbox, and others do not at all', () => {
    const none = { name: 'none' } as LaunchRequest['sandbox']
    expect(unpacking(program, { sandbox: none })).toEqual({ diagnostics: [] })
    const other = { ...target, launch: {} } as LaunchableTarget
    expect(unpacking(program, { target: other })).toEqual({ diagnostics: [] })
  })

  it.runIf(process.getuid?.() === 0)('is refused where another user has been before, as in /tmp', () => {
    const levels = ['shared', 'shared/bridle', 'shared/bridle/programs']
    for (const level of levels) {
      const XDG_CACHE_HOME = place.makeFolder('shared')
      const there = place.makeFolder(level)
      for (const spoil of [() => chownSync(there, 12_345, 12_345), () => chmodSync(there, 0o777)]) {
        spoil()
        const { folder, diagnostics } = unpacking(program, { environment: { XDG_CACHE_HOME } })
        expect(folder, level).toBeUndefined()
        expect(diagnostics.map(({ code }) => code)).toEqual(['BRIDLE621'])
        chownSync(there, 0, 0)
      }
      rmSync(XDG_CACHE_HOME, { recursive: true })
    }
    const sticky = place.makeFolder('sticky')
    chmodSync(sticky, 0o1777)
    expect(unpacking(program, { environment: { XDG_CACHE_HOME: sticky } }).diagnostics).toEqual([])
  })

  it('is refused where the folder cannot be made', () => {
    const file = place.write('cache', '')
    const { folder, diagnostics } = unpacking(program, { environment: { XDG_CACHE_HOME: file } })
    expect(folder).toBeUndefined()
    expect(diagnostics.map(({ code }) => code)).toEqual(['BRIDLE621'])
  })

  it('finds read-only what it unpacked, else a folder of the launch', async () => {
    const session = { home: '/home/agent', stateFolder: '/home/agent/.state' }
    const spec = '{ version: 1, servers: {} }'
    const before = assemble(await prepared(spec, copilot, {}, { unpacked: '/cache/programs/x' }), session, [])
    expect(before.command.environment['COPILOT_CACHE_HOME']).toBe('/cache/programs/x')
    expect(before.confinement.readable).toContain('/cache/programs/x')
    expect(before.confinement.writable.map(({ source }) => source)).not.toContain('/cache/programs/x')
    const without = assemble(await prepared(spec, copilot), session, [])
    expect(without.command.environment['COPILOT_CACHE_HOME']).toBe('/home/agent/.state/unpacked')
  })
})
