import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { codex } from '../../targets/codex/target.ts'
import { type LoginServer, startLoginServer } from '../fixtures/login-server.ts'
import { claudeFolders, claudeOnTerminal, emitInto, runClaude, writeFiles } from './support/claude.ts'
import { codexCommand, codexExec, makeFolder } from './support/codex.ts'
import { compiled } from './support/compiled.ts'
import * as copilot from './support/copilot.ts'
import * as kimi from './support/kimi.ts'
import type { Session } from './support/run-program.ts'

let server: LoginServer
beforeEach(async () => {
  server = await startLoginServer()
})
afterEach(() => server.close())

const spec = () => ({ servers: { crm: { url: server.url, headers: { 'X-Team': 'core' }, oauth: 'login' } } })

/** Opens the address that the program shows, and agrees. */
async function agree({ waitFor }: Session): Promise<void> {
  await server.agree(await waitFor(/http:\/\/127\.0\.0\.1:\d+\/authorize\?[!-~]+(?=[^!-~])/))
}

/**
 * The token of a login is short-lived: some programs renew it at once, some at their next start. From then on each start
 * finds the new token, and asks for none.
 */
async function expectLoginIsKept(start: () => Promise<unknown>): Promise<void> {
  await server.letLoginRunOut()
  for (const _ of ['a start', 'another one']) {
    await start()
    const granted = ['authorization_code', 'refresh_token']
    expect(server.grants).toEqual(granted.map((type) => ({ type, resource: server.url })))
    expect(server.authorizations().at(-1)).toBe(`Bearer ${server.tokens[1]}`)
  }
}

/** Some programs connect to a server with a login beside the first turn. */
const wait = (shell: string) => ({ name: shell, input: { command: 'sleep 5', description: 'wait' } })

const interrupt = '\u0003'

describe('`oauth: login` in the file of', () => {
  it('Claude Code: its login is renewed, and used on every later start', async () => {
    const folders = claudeFolders()
    try {
      await emitInto(folders, spec(), 'standalone')
      writeFiles(folders.state, { 'settings.json': JSON.stringify({ enableAllProjectMcpServers: true }) })
      const args = ['--allowedTools', 'mcp__crm']
      const run = () => runClaude(folders, [{ name: 'mcp__crm__echo' }], args, {})
      expect((await run()).servers).toEqual({ crm: 'needs-auth' })
      const login = await claudeOnTerminal(folders, ['mcp', 'login', 'crm', '--no-browser'], agree)
      expect(login.status, login.stdout).toBe(0)
      await expectLoginIsKept(async () => {
        const { results, stdout } = await run()
        expect(results, stdout).toMatchObject([{ isError: false, text: 'heard' }])
      })
    } finally {
      folders.dispose()
    }
  })

  it('Codex: its login is renewed, and used on every later start', async () => {
    const { folder, remove } = makeFolder()
    try {
      const { files } = await compiled(spec(), codex, 'standalone')
      const config = files[0]?.text ?? ''
      const run = () =>
        codexExec(config, [{ name: 'mcp__crm__echo' }], {
          folder,
          args: ['--dangerously-bypass-approvals-and-sandbox'],
        })
      expect((await run()).model.offeredTools()).not.toContain('mcp__crm__echo')
      const login = await codexCommand(
        config,
        ['mcp', 'login', 'crm', '--no-browser'],
        {},
        { folder, user: agree },
      )
      expect(login.status, login.stderr).toBe(0)
      await expectLoginIsKept(async () => {
        const { results, stderr } = await run()
        expect(results, stderr).toEqual([{ isError: false, text: 'heard' }])
      })
    } finally {
      remove()
    }
  })

  it('Kimi Code: its login is renewed, and used on every later start', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'bridle-kimi-'))
    try {
      const servers = await kimi.serversFile(spec())
      const login = await kimi.runKimi([{ name: 'mcp__crm__authenticate' }], { servers, root, user: agree })
      expect(login.results, login.stderr).toEqual([expect.stringContaining('authenticated successfully')])
      await expectLoginIsKept(async () => {
        const script = [wait('Bash'), { name: 'mcp__crm__echo' }]
        const { results, stderr } = await kimi.runKimi(script, { servers, root })
        expect(results.at(-1), stderr).toBe('heard')
      })
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })

  it('Copilot CLI: its login is renewed, and used on every later start', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'bridle-copilot-'))
    try {
      const user = await copilot.serversFile(spec())
      await copilot.copilotOnTerminal({ root, user }, async (session) => {
        await session.waitFor(/commands/)
        session.type('/mcp auth crm')
        await session.waitFor(/\/mcp auth crm/)
        session.type('\r')
        await agree(session)
        await session.waitFor(/Authentication Successful.*to continue/s)
        session.type('\r')
        for (const screen of [/Add MCP server/, /commands/, /again to exit/]) {
          await session.waitFor(screen)
          session.type(interrupt)
        }
      })
      await expectLoginIsKept(async () => {
        const script = [wait('bash'), { name: 'crm-echo' }]
        const { results, stderr } = await copilot.runCopilot(script, {
          user,
          root,
          args: ['--allow-all-tools'],
        })
        expect(results.at(-1), stderr).toBe('heard')
      })
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })
})
