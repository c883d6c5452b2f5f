import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { importConfig } from '../../src/api/import-config.ts'
import { type InstallOptions, install } from '../../src/api/install.ts'
import { readSpec } from '../../src/api/read-spec.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'bridle-api-')))
  for (const name of ['project/.git', 'project/sub', 'home'])
    mkdirSync(path.join(folder, name), { recursive: true })
  vi.stubEnv('HOME', path.join(folder, 'home'))
  vi.stubEnv('XDG_STATE_HOME', undefined)
  vi.stubEnv('CODEX_HOME', undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const at = (name: string) => path.join(folder, name)
const foreign = '# mine\n[mcp_servers.other]\ncommand = "other-mcp"\n'

async function specIn(name: string) {
  const definition = {
    version: 1,
    servers: { notes: { command: 'notes-mcp' } },
    targets: { codex: {} },
  } as const
  const { spec } = await readSpec(definition, { folder: at(name) })
  if (spec === undefined) throw new Error('the spec is wrong')
  return spec
}

async function changes(name: string, options?: InstallOptions) {
  const { files, diagnostics } = await install(await specIn(name), options)
  expect(diagnostics).toEqual([])
  return files.map(({ changes }) => changes.map(({ kind }) => kind))
}

describe('install', () => {
  it('writes into the files of the repository, keeps what is not its own, and takes its own out again', async () => {
    const file = at('project/.codex/config.toml')
    mkdirSync(path.dirname(file))
    writeFileSync(file, foreign)
    expect(await changes('project/sub', { preview: true })).toEqual([['added']])
    expect(readFileSync(file, 'utf8')).toBe(foreign)
    expect(await changes('project/sub')).toEqual([['added']])
    expect(readFileSync(file, 'utf8')).toContain(foreign)
    expect(readFileSync(file, 'utf8')).toContain('[mcp_servers.notes]')
    expect(await changes('project/sub', { targets: ['codex'] })).toEqual([[]])
    expect(await changes('project/sub', { remove: true })).toEqual([['removed']])
    expect(readFileSync(file, 'utf8')).toBe(foreign)
  })

  it("writes into the user's files on demand", async () => {
    expect(await changes('project', { user: true })).toEqual([['added']])
    expect(readFileSync(at('home/.codex/config.toml'), 'utf8')).toContain('[mcp_servers.notes]')
  })

  it('takes the home folder for no project', async () => {
    const { files, diagnostics } = await install(await specIn('home'))
    expect([files, diagnostics.map(({ code }) => code)]).toEqual([[], ['BRIDLE405']])
  })
})

describe('importConfig', () => {
  it('needs no name of a file where the form is said, and a text in any case', async () => {
    const { spec, diagnostics } = await importConfig('{ "mcpServers": { "a": {} } }', { from: 'claude' })
    expect(spec?.servers).toEqual({})
    expect(diagnostics[0]?.span?.file).toBe('config')
    await expect(importConfig(undefined as unknown as string)).rejects.toThrow(
      new TypeError('importConfig takes the text of a configuration.'),
    )
  })

  it('gives a spec that can be read, for the targets whose file it was', async () => {
    const imported = await importConfig(foreign, { file: '.codex/config.toml' })
    expect(imported).toMatchObject({ diagnostics: [], leftOut: [] })
    const { spec, diagnostics } = await readSpec(imported.spec ?? '')
    expect(diagnostics).toEqual([])
    expect(spec?.servers).toMatchObject([{ name: 'other', command: 'other-mcp' }])
    expect(Object.keys(spec?.targets ?? {})).toEqual(['codex'])
  })

  it('tells what is wrong', async () => {
    const { spec, diagnostics } = await importConfig('{', { file: '.mcp.json', from: 'claude' })
    expect(spec).toBeUndefined()
    expect(diagnostics.map(({ severity }) => severity)).toContain('error')
  })
})
