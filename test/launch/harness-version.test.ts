import { chmodSync, chownSync, existsSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { harnessAnswer } from '../../src/launch/harness-version.ts'
import { eventually, processesWith } from '../fixtures/processes.ts'
import { Workplace } from '../fixtures/workplace.ts'

const searchPath = '/usr/bin:/bin'

const harnessVersion = async (file: string, search: string, project: string) =>
  (await harnessAnswer([file], search, project)).version

let place: Workplace
beforeEach(() => {
  place = new Workplace()
})
afterEach(() => place.remove())

describe('the version of a harness', () => {
  it.each([
    ['echo 1.2.3', '1.2.3'],
    ['echo "codex-cli 0.171.0"', '0.171.0'],
    ['echo "2.1.332 (Claude Code)"; exit 3', '2.1.332'],
    ['echo 1.2.3 >&2', undefined],
    ['exit 1', undefined],
    ['cat; echo 1.2.3', '1.2.3'],
  ])('is what it answers to --version: `%s`', async (body, version) => {
    const file = place.write('tool', `#!/bin/sh\n[ "$*" = --version ] || exit\n${body}\n`, 0o755)
    expect(await harnessVersion(file, searchPath, place.project)).toBe(version)
  })

  it('is asked with an empty home and working directory, and nothing else of the user', async () => {
    const body =
      ': "${HOME:?}"; echo "$(ls -A ~ | wc -l).$(ls -A | wc -l).$(env | grep -vcE "^(PATH|HOME|LANG|PWD|SHLVL|_)=")"'
    const file = place.write('tool', `#!/bin/sh\n${body}\n`, 0o755)
    expect(await harnessVersion(file, searchPath, place.project)).toBe('0.0.0')
  })

  it('is never asked of a program that an agent can change: its package tells it', async () => {
    const started = path.join(place.folder, 'started')
    const script = `#!/bin/sh\ntouch '${started}'\necho 9.9.9\n`
    const file = place.write('project/node_modules/@team/tool/bin/cli', script, 0o755)
    place.write('project/node_modules/@team/tool/package.json', '{"version":"1.2.3"}')
    place.write('project/package.json', '{"version":"4.5.6"}')
    place.makeFolder('project/node_modules/.bin')
    const link = path.join(place.project, 'node_modules/.bin/tool')
    symlinkSync(file, link)
    const outer = path.join(place.folder, 'tool')
    symlinkSync(link, outer)
    for (const each of [file, link, outer]) {
      expect(await harnessVersion(each, searchPath, place.project)).toBe('1.2.3')
    }
    const alone = place.write('project/tool', script, 0o755)
    expect(await harnessVersion(alone, searchPath, place.project)).toBeUndefined()
    expect(existsSync(started)).toBe(false)
  })

  it('is asked without the programs of the project on PATH', async () => {
    place.write('project/bin/node', '#!/bin/sh\necho 9.9.9\n', 0o755)
    place.write('bin/node', '#!/bin/sh\necho 1.2.3\n', 0o755)
    const file = place.write('tool', '#!/usr/bin/env node\n', 0o755)
    symlinkSync('project', path.join(place.folder, 'aliased'))
    const folders = [
      path.join(place.project, 'bin'),
      path.join(place.folder, 'aliased/bin'),
      path.join(place.project, '../project/bin'),
      'project/bin',
      '',
    ]
    const all = [...folders, path.join(place.folder, 'bin'), searchPath].join(':')
    expect(await harnessVersion(file, all, place.project)).toBe('1.2.3')
  })

  it('is asked of a program that ends with everything it started', async () => {
    const token = `9.${process.pid}.9`
    const file = place.write(
      'tool',
      `#!/bin/sh\nsh -c 'sleep 30; : ${token}' > /dev/null &\necho 1.2.3\n`,
      0o755,
    )
    expect(await harnessVersion(file, searchPath, place.project)).toBe('1.2.3')
    expect(await eventually(() => processesWith(token).length === 0)).toBe(true)
  })

  it.runIf(process.getuid?.() === 0)('is asked as the owner of the project, and not as root', async () => {
    chmodSync(place.folder, 0o755)
    const file = place.write('tool', '#!/bin/sh\necho "$(id -u).$(id -g).$(id -G)"; touch ~/x', 0o755)
    chownSync(place.project, 12_345, 12_346)
    expect(await harnessVersion(file, searchPath, place.project)).toBe('12345.12346.12346')
  })

  it('is that of its package when it gives no answer', async () => {
    place.write('opt/node_modules/tool/package.json', '{"version":"1.2.3"}')
    const file = place.write('opt/node_modules/tool/cli', '#!/bin/sh\nexit 1\n', 0o755)
    expect(await harnessVersion(file, searchPath, place.project)).toBe('1.2.3')
  })
})
