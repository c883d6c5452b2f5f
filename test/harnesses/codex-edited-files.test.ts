import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { toml } from '../../src/compile/installed-file.ts'
import { parseToml } from '../../src/install/edit/toml.ts'
import { changedServer, edit, server, set, untouched } from '../install/edit/toml-support.ts'
import { codexCommand } from './support/codex.ts'

const folder = new URL('../install/corpus/toml/', import.meta.url)
const files = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const)

/** The servers that Codex finds in a config.toml, by name; undefined when it does not take the file. */
async function serversIn(config: string): Promise<ReadonlyMap<string, object> | undefined> {
  const { status, stdout } = await codexCommand(config, ['mcp', 'list', '--json'])
  if (status !== 0) return undefined
  const servers: readonly { readonly name: string }[] = JSON.parse(stdout)
  return new Map(servers.map((each) => [each.name, each]))
}

const taken: string[] = []

it.each(files)(
  'Codex finds its old servers and the new one in %s, and the changed one in its place',
  async (name, text) => {
    const before = await serversIn(text)
    if (before === undefined) return
    taken.push(name)
    const added = edit(untouched(text), set('ours', server))
    const withOurs = await serversIn(added.text)
    const { command, args, env } = server
    expect(withOurs?.get('ours')).toMatchObject({ transport: { type: 'stdio', command, args, env } })
    const changed = await serversIn(edit(added, set('ours', changedServer)).text)
    expect(changed?.get('ours')).toMatchObject({
      transport: { type: 'streamable_http', url: changedServer.url },
    })
    for (const servers of [withOurs, changed]) {
      expect(new Map([...(servers ?? [])].filter(([each]) => each !== 'ours'))).toEqual(before)
    }
  },
)

it('Codex takes nearly all files of the corpus, among them one with a byte order mark and those in TOML 1.1', () => {
  expect(taken.length).toBeGreaterThan(27)
  expect(taken).toContain('only-byte-order-mark.toml')
  expect(taken).toContain('inline-servers-with-last-comma.toml')
})

it('Codex merges an entry of the user and one of the project that have one name, key by key', async () => {
  const folder = mkdtempSync('/var/tmp/bridle-codex-merged-')
  try {
    for (const each of ['home', '.codex']) mkdirSync(path.join(folder, each))
    const project = '[mcp_servers.s]\ncommand = "project"\ndisabled_tools = ["b"]\n'
    writeFileSync(path.join(folder, '.codex/config.toml'), project)
    const trust = `[projects.${JSON.stringify(folder)}]\ntrust_level = "trusted"\n`
    const user = `${trust}[mcp_servers.s]\ncommand = "user"\nenv = { X = "1" }\n`
    const { stdout } = await codexCommand(user, ['mcp', 'get', 's', '--json'], {}, { folder })
    expect(JSON.parse(stdout)).toMatchObject({
      transport: { command: 'project', env: { X: '1' } },
      disabled_tools: ['b'],
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** What is no TOML, or more than any reader takes. */
const refused: Readonly<Record<string, string>> = {
  'a day that is not in the calendar': 'a = 2023-02-30',
  'an integer of more than 64 bits': 'a = 9223372036854775808',
  'a carriage return alone': 'a = 1\rb = 2',
  'a key twice': 'a = 1\na = 2',
  'a dotted key into a table above a header': '[a.b.c]\n[a]\nb.d = 1',
  'values nested 101 levels deep': `a = ${'['.repeat(101)}${']'.repeat(101)}`,
  'a name of a table with 101 parts': `[a${'.a'.repeat(100)}]`,
}

it.each(Object.entries(refused))('Codex refuses a file with %s, and so does Bridle', async (_, text) => {
  expect(await serversIn(text)).toBeUndefined()
  expect(parseToml(text, toml)).toHaveProperty('fault')
})
