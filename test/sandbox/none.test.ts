import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { noSandbox } from '../../src/sandbox/none.ts'
import type { Confinement } from '../../src/sandbox/sandbox.ts'
import { Rig } from './rig/rig.ts'

const rig = new Rig()
let cache: string
beforeEach(() => {
  cache = rig.makeFolder('cache')
  vi.stubEnv('XDG_CACHE_HOME', cache)
})
afterAll(() => {
  vi.unstubAllEnvs()
  rig.remove()
})

async function openSession(changes: Partial<Confinement> = {}) {
  const project = rig.makeProject()
  const session = await noSandbox.open(project)
  const confinement = {
    project,
    protectedPaths: [],
    protectedIfPresent: [],
    readable: [],
    writable: [],
    files: [],
    network: 'host',
    ...changes,
  }
  const run = (script: string, environment: Record<string, string> = {}, more: Partial<Confinement> = {}) =>
    session.run(
      {
        argv: ['sh', '-c', script],
        workingDirectory: project,
        environment: { PATH: '/usr/bin:/bin', ...environment },
      },
      { ...confinement, ...more } as Confinement,
    )
  return { session, project, run }
}

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('without a sandbox', () => {
  test('the command still has a home and a state folder of its own, for its user only', async () => {
    const { session } = await openSession()
    expect([mode(session.home), mode(session.stateFolder)]).toEqual(['700', '700'])
    expect(session.stateFolder.startsWith(`${cache}/`)).toBe(true)
    await session.dispose()
  })

  test('files are placed read-only, lasting folders by a link, and all goes at the end, twice if need be', async () => {
    const { session, run, project } = await openSession()
    const file = join(session.stateFolder, 'nested/config.json')
    const lasting = rig.makeFolder('lasting')
    const status = await run(
      `cat ${file} > seen; stat -c %a ${file} >> seen; echo kept > ${session.home}/.cache/file`,
      {},
      {
        files: [{ path: file, text: '{}\n' }],
        writable: [{ source: lasting, destination: join(session.home, '.cache') }],
      },
    )
    expect(status).toBe(0)
    expect(readFileSync(join(project, 'seen'), 'utf8')).toBe('{}\n400\n')
    await session.dispose()
    await session.dispose()
    expect(existsSync(dirname(session.home))).toBe(false)
    expect(readFileSync(join(lasting, 'file'), 'utf8')).toBe('kept\n')
  })

  test('the environment of the command is what it is given, and no more', async () => {
    vi.stubEnv('LAUNCHER_SECRET', 'canary')
    const { session, run, project } = await openSession()
    await run('env | grep -v -e ^PWD= -e ^_= -e ^SHLVL= > seen', { GIVEN: "it's" })
    expect(readFileSync(join(project, 'seen'), 'utf8').split('\n').sort()).toEqual([
      '',
      "GIVEN=it's",
      'PATH=/usr/bin:/bin',
    ])
    await session.dispose()
  })

  test('a file outside of its folders is refused, and not written', async () => {
    const { session, run, project } = await openSession()
    const path = join(project, 'config.json')
    await expect(run('true', {}, { files: [{ path, text: '' }] })).rejects.toMatchObject({
      diagnostic: { code: 'BRIDLE602' },
    })
    expect(existsSync(path)).toBe(false)
    await session.dispose()
  })

  test('folders that a killed launcher left are removed by the next, those of a living one are kept', async () => {
    const left = join(cache, 'bridle/runs/4194305-left') // above the largest process id
    mkdirSync(left, { recursive: true })
    writeFileSync(join(left, 'file'), '')
    const first = await openSession()
    const second = await openSession()
    expect(existsSync(left)).toBe(false)
    expect(existsSync(first.session.home)).toBe(true)
    await first.session.dispose()
    await second.session.dispose()
  })
})
