import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { targetIds } from '../../targets/index.ts'
import { Workplace } from '../fixtures/workplace.ts'
import { filesBelow } from '../support/canary.ts'

let place: Workplace
beforeEach(() => {
  place = new Workplace()
  place.writeSpec({ servers: { a: { command: 'a' } }, targets: { claude: {}, codex: {}, builtin: {} } })
})
afterEach(() => place.remove())

function written(): string[] {
  return filesBelow(place.project)
    .map((file) => path.relative(place.project, file))
    .sort()
}

describe('bridle build', () => {
  it('writes the tree of every chosen target, and the same again', async () => {
    const first = await place.run(['build', '--out', 'a/out'])
    expect(first).toMatchObject({ status: 0, stderr: '' })
    const files = first.stdout.trim().split('\n')
    expect(files.length).toBeGreaterThanOrEqual(3)
    expect(written()).toEqual([...files, 'bridle.json'].sort())
    const texts = files.map((file) => readFileSync(path.join(place.project, file), 'utf8'))
    expect(await place.run(['build', '--out', 'a/out'])).toEqual(first)
    expect(files.map((file) => readFileSync(path.join(place.project, file), 'utf8'))).toEqual(texts)
    expect(written()).toEqual([...files, 'bridle.json'].sort())
  })

  it('prints the same files with their names, and a single one alone', async () => {
    const { stdout: list } = await place.run(['build', 'codex', 'claude', '--out', 'out'])
    const files = list.trim().split('\n')
    expect(files).toHaveLength(2)
    const texts = files.map((file) => readFileSync(path.join(place.project, file), 'utf8'))
    const named = files.map((file, index) => `── ${path.relative('out', file)}\n${texts[index]}`)
    expect(await place.run(['build', 'codex', 'claude', '--print'])).toMatchObject({
      status: 0,
      stdout: named.join(''),
    })
    expect(await place.run(['build', 'codex', '--print'])).toMatchObject({ status: 0, stdout: texts[0] })
  })

  it.each([
    {
      args: ['--print', '--check'],
      stderr: /^bridle build: `--check` is about your own files, and `--print` leaves them alone\n$/,
    },
    {
      args: ['--out', 'a', '--remove'],
      stderr: /^bridle build: `--remove` is about your own files, and `--out` leaves them alone\n$/,
    },
    {
      args: ['--out', 'a', '--print'],
      stderr: /^bridle build: either `--out DIR` or `--print`, not both\n$/,
    },
    { args: ['--out', ''], stderr: /^bridle build: `--out` names no folder/ },
  ])('ends with 2 for $args', async ({ args, stderr }) => {
    const result = await place.run(['build', ...args])
    expect({ status: result.status, stdout: result.stdout }).toEqual({ status: 2, stdout: '' })
    expect(result.stderr).toMatch(stderr)
    expect(written()).toEqual(['bridle.json'])
  })

  it('names what an earlier build has left in the folder of a target', async () => {
    place.writeSpec({ servers: { a: { command: 'a', tools: { exclude: ['x'] } } }, targets: { claude: {} } })
    await place.run(['build', '--out', 'out'])
    place.writeSpec({ servers: { a: { command: 'a' } }, targets: { claude: {} } })
    const { status, stderr } = await place.run(['build', '--out', 'out'])
    expect(status).toBe(0)
    expect(stderr).toContain('BRIDLE402')
    expect(stderr).toContain(path.join('out/claude/.claude/settings.json'))
  })

  it('ends with 2 and the list of targets when none is chosen', async () => {
    place.writeSpec({ targets: {} })
    expect(await place.run(['build', '--print'])).toEqual({
      status: 2,
      stdout: '',
      stderr: `bridle build: no target was chosen; the targets are ${targetIds.join(', ')}\n`,
    })
  })

  it('writes nothing for any target when one refuses, unless it is told to go on', async () => {
    place.writeSpec({
      variables: { TOKEN: {} },
      servers: { a: { command: 'a', variables: { KEY: 'TOKEN' } } },
      targets: { claude: {}, codex: {} },
    })
    const refused = await place.run(['build', '--out', 'out'])
    expect(refused).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^error BRIDLE301: .*\n.*target codex/),
    })
    expect(written()).toEqual(['bridle.json'])
    const kept = await place.run(['build', '--out', 'out', '--keep-going'])
    expect(kept.status).toBe(1)
    expect(kept.stderr).toContain('BRIDLE301')
    expect(written()).toEqual(['bridle.json', 'out/claude/.mcp.json'])
  })

  it('writes nothing for an unknown target, with a suggestion', async () => {
    const { status, stdout, stderr } = await place.run(['build', 'claude', 'codx', '--out', 'out'])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/BRIDLE213: .*`codx`.*\n.*Did you mean `codex`\? The targets are/)
    expect(written()).toEqual(['bridle.json'])
  })

  it('writes no value of a variable', async () => {
    place.writeSpec({
      variables: { TOKEN: {} },
      servers: { a: { command: 'a', variables: ['TOKEN'] } },
      targets: { claude: {}, codex: {}, builtin: {} },
    })
    const environment = { TOKEN: 'canary' }
    const { stdout, stderr } = await place.run(['build', '--print'], { environment })
    expect(stdout).toContain('TOKEN')
    expect(stdout + stderr).not.toContain('canary')
  })

  it('says why the output cannot be written, and leaves nothing', async () => {
    place.write('project/out', 'mine')
    const { status, stdout, stderr } = await place.run(['build', '--out', 'out'])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/^error BRIDLE401: .*: a part of its path is a file\./)
    expect(readdirSync(place.project).sort()).toEqual(['bridle.json', 'out'])
  })
})
