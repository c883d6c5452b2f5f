import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Registry } from '../fixtures/registry.ts'
import { Workplace } from '../fixtures/workplace.ts'
import { filesHolding, searchFor } from '../support/canary.ts'

const name = '@team/notes-mcp'
const tools = ['run', 'builtin', '--', 'tools']
const openly = ['run', 'builtin', '--network', 'host', '--', 'tools']

let place: Workplace
let registry: Registry
beforeEach(async () => {
  place = new Workplace()
  registry = await Registry.start(name)
  const token = `${registry.url.replace('http:', '')}:_authToken=canary`
  place.write('home/.npmrc', `@team:registry=${registry.url}\n${token}\n`)
  place.writeSpec({
    servers: { notes: { command: 'npx', arguments: ['-y', name, 'fine'] } },
    targets: { builtin: {} },
  })
})
afterEach(() => {
  registry.stop()
  place.remove()
})

describe('a server that npx fetches', () => {
  it('fails at once without a network and a cache, and the report says what to do', async () => {
    const { status, stdout, stderr } = await place.run(tools)
    expect({ status, stdout }).toEqual({ status: 125, stdout: '' })
    expect(stderr).toMatch(/^warning BRIDLE615: `npx` will find no package: .*\n(.*\n)*.*`--network host`/)
    expect(stderr).toMatch(/BRIDLE701: (.*\n)*.*ENOTCACHED/)
    expect(stderr).toContain('error BRIDLE622: `notes` did not connect')
    expect(registry.requests).toEqual([])
  })

  it('comes from the registry of the user, without the credentials, and then from the cache of the project', async () => {
    const warm = await place.run(openly)
    expect(warm.status).toBe(0)
    expect(warm.stdout).toMatch(/^notes {2}tool0/)
    expect(warm.stderr).not.toContain('BRIDLE615')
    expect(new Set(registry.requests.map((request) => request.path))).toEqual(
      new Set([`/${name}`, '/archive.tgz']),
    )
    expect(registry.requests.filter(({ authorization }) => authorization !== undefined)).toEqual([])

    registry.stop()
    const offline = await place.run(tools)
    expect(offline.stdout).toBe(warm.stdout)
    expect(offline.stderr).not.toContain('BRIDLE615')
    expect(readdirSync(place.home).sort()).toEqual(['.cache', '.npmrc']) // no .npm
    expect(filesHolding(searchFor(['canary']), [place.folder], [path.join(place.home, '.npmrc')])).toEqual([])
  })

  it('is not in the cache of another project', async () => {
    await place.run(openly)
    const other = place.makeFolder('other')
    const { stderr } = await place.run(
      [...tools.slice(0, 2), '--config', '../project/bridle.json', '--', 'tools'],
      {
        workingDirectory: other,
      },
    )
    expect(stderr).toContain('BRIDLE615')
    expect(stderr).toContain('BRIDLE701')
  })

  it('may be installed in the project, then it needs neither network nor cache', async () => {
    place.write(
      `project/node_modules/${name}/package.json`,
      `{"name":"${name}","version":"1.0.0","bin":{"server":"server.js"}}`,
    )
    const { stderr } = await place.run(tools)
    expect(stderr).not.toContain('BRIDLE615')
    expect(existsSync(path.join(place.home, '.npm'))).toBe(false)
  })
})
