import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { explain } from '../../src/cli/explain.ts'
import { codes } from '../../src/diagnostics/codes.ts'
import { targetIds } from '../../targets/index.ts'
import { Workplace } from '../fixtures/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = new Workplace()
})
afterEach(() => place.remove())

describe('bridle init', () => {
  it('writes a spec that is fine, and says what comes next', async () => {
    expect(await place.run(['init'])).toEqual({
      status: 0,
      stdout: 'bridle.yaml is written. Next: `bridle check`, then `bridle build --print`.\n',
      stderr: '',
    })
    expect(await place.run(['check'])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/1 server, fine for/),
    })
    expect((await place.run(['build', '--print'])).status).toBe(0)
  })

  it('writes a spec in TOML that is fine, and says the same', async () => {
    const yaml = await place.run(['init'])
    const inYaml = await place.run(['build', '--print'])
    rmSync(path.join(place.project, 'bridle.yaml'))
    expect(await place.run(['init', '--format', 'toml'])).toEqual({
      ...yaml,
      stdout: yaml.stdout.replace('yaml', 'toml'),
    })
    expect(await place.run(['build', '--print'])).toEqual(inYaml)
  })

  it.each(['bridle.yaml', 'bridle.json', 'bridle.toml'])('leaves an existing %s as it is', async (name) => {
    const file = place.write(`project/${name}`, 'mine')
    expect(await place.run(['init'])).toEqual({
      status: 1,
      stdout: '',
      stderr: `bridle init: ${name} is already here, and was left as it is\n`,
    })
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  it('says that the spec of a folder above no longer counts here', async () => {
    const above = place.write('project/bridle.json', '{"version": 1, "servers": {}}')
    const { status, stderr } = await place.run(['init'], {
      workingDirectory: place.makeFolder('project/sub'),
    })
    expect(status).toBe(0)
    expect(stderr).toBe(
      `In this folder and below it, bridle.yaml is the spec now, and ${above} is not. The files of harnesses belong to the whole project: build them from one of the two.\n`,
    )
  })

  it('writes the own spec of the user where --user looks for it, and leaves an existing one', async () => {
    const environment = { XDG_CONFIG_HOME: path.join(place.folder, 'configuration') }
    const file = path.join(place.folder, 'configuration/bridle/bridle.yaml')
    const { status, stdout } = await place.run(['init', '--user'], { environment })
    expect(status).toBe(0)
    expect(stdout).toMatch(/configuration\/bridle\/bridle\.yaml is written\. Next: `bridle check --user`/)
    const text = readFileSync(file, 'utf8')
    expect(await place.run(['check', '--user'], { environment })).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/1 server, fine for/),
    })
    const again = await place.run(['init', '--user', '--format', 'toml'], { environment })
    expect(again.status).toBe(1)
    expect(again.stderr).toMatch(/^bridle init: .*configuration\/bridle\/bridle\.yaml is already here/)
    expect(readFileSync(file, 'utf8')).toBe(text)
    await place.run(['init', '--user'])
    expect(readFileSync(path.join(place.home, '.config/bridle/bridle.yaml'), 'utf8')).toBe(text)
  })

  it('says why it cannot write', async () => {
    mkdirSync(path.join(place.project, 'bridle.yaml'))
    const { status, stderr } = await place.run(['init'])
    expect(status).toBe(1)
    expect(stderr).toMatch(/^bridle init: bridle\.yaml .*\n$/)
  })
})

describe('bridle explain', () => {
  it.each(['BRIDLE501', 'bridle501', '501'])('finds the page of %s', async (name) => {
    const { status, stdout } = await place.run(['explain', name])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^BRIDLE501: Missing variable\n/)
  })

  it('has a page for each code', () => {
    const terminal = { out: () => {}, err: () => {} } as unknown as Parameters<typeof explain>[0]
    for (const code of Object.keys(codes)) expect(explain(terminal, code)).toBe(0)
  })

  it.each(['BRIDLE999', 'nonsense', '__proto__', 'constructor'])('ends with 2 for %s', async (name) => {
    const { status, stdout, stderr } = await place.run(['explain', name])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(
      new RegExp(
        `^bridle explain: there is no code \`${name}\`; (did you mean BRIDLE\\d+\\?|codes look like BRIDLE209)\n$`,
      ),
    )
  })
})

describe('bridle targets', () => {
  it('shows the evidence of every cell, for people and for programs', async () => {
    const table = await place.run(['targets', '--evidence'])
    expect(table.stdout).toMatch(
      /^Claude Code 2\.\d+\.\d+\n {2}a stdio server +files +native +test\/harnesses\//,
    )
    const markdown = await place.run(['targets', '--evidence', '--format', 'markdown'])
    expect(markdown.stdout).toMatch(/^## Claude Code 2\.\d+\.\d+\n\n\| feature \|/)
    const json = await place.run(['targets', '--evidence', '--format', 'json'])
    const rows = JSON.parse(json.stdout)
    expect(new Set(rows.map(({ target }: { target: string }) => target))).toEqual(new Set(targetIds))
  })

  it('shows the same for people, for programs and for the README', async () => {
    const [table, json, markdown] = await Promise.all(
      ['table', 'json', 'markdown'].map((format) => place.run(['targets', '--format', format])),
    )
    expect([table?.status, json?.status, markdown?.status]).toEqual([0, 0, 0])
    const rows: { id: string; title: string; features: object }[] = JSON.parse(json?.stdout ?? '')
    expect(rows.map(({ id }) => id)).toEqual(targetIds)
    for (const { title, features } of rows) {
      expect(Object.keys(features).length).toBeGreaterThan(10)
      expect(table?.stdout).toContain(title)
      expect(markdown?.stdout).toContain(title)
    }
    const withoutReasons = markdown?.stdout.split('\n\n')[0]?.replaceAll(/ \[\d+\]/g, '')
    expect(readFileSync('README.md', 'utf8')).toContain(withoutReasons)
    expect((await place.run(['targets'])).stdout).toBe(table?.stdout)
  })
})
