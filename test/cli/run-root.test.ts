import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Workplace } from '../fixtures/workplace.ts'

const other = { uid: 12_345, gid: 12_346 }
const root = path.join(import.meta.dirname, '../..')
const isRoot = process.getuid?.() === 0

let place: Workplace
beforeEach(() => {
  place = new Workplace()
  chmodSync(place.folder, 0o755)
  place.writeSpec()
})
afterEach(() => place.remove())

function give(folder: string): void {
  execFileSync('chown', ['-R', `${other.uid}:${other.gid}`, folder])
}

describe.runIf(isRoot)('bridle run, started by root in a project of somebody else', () => {
  afterEach(() => rmSync(`/var/cache/bridle/${other.uid}`, { recursive: true, force: true }))

  it('runs the harness as them, and what it makes is theirs', async () => {
    give(place.project)
    const body =
      'mkdir new && echo x > new/file; echo x > ~/.cache/mark; grep -E "^(Uid|Gid|Groups)" /proc/self/status'
    const { status, stdout } = await place.launch(body)
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Uid:\t1000\t1000\t1000\t1000\nGid:\t1000\t1000\t1000\t1000\nGroups:\t.*\n$/)
    expect(statSync(path.join(place.project, 'new/file'))).toMatchObject(other)
    const caches = `/var/cache/bridle/${other.uid}/projects`
    const [cache = ''] = readdirSync(caches)
    expect(statSync(path.join(caches, cache))).toMatchObject({ ...other })
    expect(statSync(path.join(caches, cache, 'mark'))).toMatchObject(other)
    expect(statSync(caches).uid).toBe(0)
    expect(readdirSync(place.project).sort()).toEqual(['bridle.json', 'new'])
    expect(readdirSync(place.home)).toEqual([])
  })

  it('cannot read in the project what only root can', async () => {
    give(place.project)
    place.write('project/private', 'x', 0o600)
    const { stdout } = await place.launch('cat private 2>&1; exit 0')
    expect(stdout).toMatch(/Permission denied/)
  })
})

describe.runIf(isRoot)('bridle run, started by an ordinary user', () => {
  it('works as it does for root', async () => {
    const install = place.makeFolder('install')
    for (const name of ['dist', 'package.json'])
      cpSync(path.join(root, name), path.join(install, name), { recursive: true })
    give(place.project)
    give(place.home)
    const program = [process.execPath, path.join(install, 'dist/cli.js')]
    const options = { program, identity: other }
    const { status, stdout } = await place.launch('echo x > made; id -u; exit 7', [], options)
    expect({ status, stdout }).toEqual({ status: 7, stdout: '1000\n' })
    expect(statSync(path.join(place.project, 'made'))).toMatchObject(other)
    expect(readdirSync(path.join(place.home, '.cache/bridle'))).toEqual(['projects'])
    expect(readdirSync(place.project).sort()).toEqual(['bridle.json', 'made'])

    place.writeSpec({ servers: {}, targets: { builtin: {} } })
    const tools = await place.run(['run', 'builtin', '--', 'tools'], options)
    expect(tools).toMatchObject({ status: 0, stdout: '' })
  })

  it('says that the output cannot be written where it cannot', async () => {
    const install = place.makeFolder('install')
    for (const name of ['dist', 'package.json'])
      cpSync(path.join(root, name), path.join(install, name), { recursive: true })
    const program = [process.execPath, path.join(install, 'dist/cli.js')]
    const { status, stderr } = await place.run(['build', 'claude', '--out', 'out'], {
      program,
      identity: other,
    })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^error BRIDLE401: .* cannot be written: permission denied\.\n.*`--out DIR`/)
    expect(readdirSync(place.project)).toEqual(['bridle.json'])
  })
})
