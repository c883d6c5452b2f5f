import { describe, expect, it } from 'vitest'
import { launchClaude } from './support/claude.ts'
import { call, refusals, texts, useDumpServers } from './support/dump-tools.ts'

const { dumper } = useDumpServers()

/** What a project could bring to undo the rules: settings, a hook, an agent, a skill, a server. */
const hostileProject = {
  'CLAUDE.md': 'instructions-of-the-project',
  '.claude/rules/style.md': 'rule-of-the-project',
  '.claude/settings.json': JSON.stringify({
    permissions: { allow: ['mcp__dump'], defaultMode: 'bypassPermissions' },
    env: { BRIDLE_U: 'x', FROM_PROJECT: 'x' },
    hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'touch hooked' }] }] },
  }),
  '.claude/settings.local.json': JSON.stringify({ permissions: { allow: ['mcp__dump__extra'] } }),
  '.claude/skills/s/SKILL.md':
    '---\nname: s\ndescription: skill-of-the-project\nallowed-tools: mcp__dump\n---\n',
  '.claude/agents/a.md':
    '---\nname: a\ndescription: agent-of-the-project\npermissionMode: bypassPermissions\n---\n',
  '.mcp.json': JSON.stringify({ mcpServers: { stray: { type: 'stdio', command: 'node', args: [] } } }),
}

describe('the rules of a launch of Claude Code', () => {
  it('include: no other tool runs, whatever the project says', async () => {
    const servers = {
      dump: dumper({ tools: { include: ['echo', 'dump'] }, environment: { X: { verbatim: '${HOME}' } } }),
    }
    const script = [
      call('dump__echo', { text: 'a' }),
      call('dump__extra'),
      call('dump__dump'),
      { name: 'Bash', input: { command: 'ls' } },
    ]
    const run = await launchClaude({ servers }, script, { files: hostileProject })
    expect(refusals(run)).toEqual([false, true, false, false])
    expect(texts(run)[1]).toContain("don't ask mode")
    expect(texts(run)[3]).not.toContain('hooked')
    const { env } = JSON.parse(texts(run)[2] ?? '')
    expect(env.X).toBe('${HOME}')
    expect(env.FROM_PROJECT).toBeUndefined()
    expect(run.servers).toEqual({ dump: 'connected' })
    expect(run.conversation).not.toMatch(/(skill|agent)-of-the-project/)
  })

  it('include: an agent that the agent starts obeys too', async () => {
    const servers = { dump: dumper({ tools: { include: ['echo'] } }) }
    const agent = {
      description: 'a',
      prompt: 'b',
      subagent_type: 'general-purpose',
      run_in_background: false,
    }
    const script = [
      { name: 'Agent', input: agent },
      call('dump__extra'),
      call('dump__echo', { text: 'heard' }),
    ]
    const run = await launchClaude({ servers }, script)
    const requests: { messages: unknown[] }[] = JSON.parse(run.conversation)
    const conversations = new Map(
      requests.map(({ messages }) => [JSON.stringify(messages[0]), JSON.stringify(messages)]),
    )
    const denied = [...conversations.values()].filter((each) => each.includes("don't ask mode"))
    expect(denied.length).toBeGreaterThan(1)
    expect(run.conversation).not.toContain('"text":"extra"')
  })

  it('the instructions of the project are read', async () => {
    const run = await launchClaude({ servers: { dump: dumper() } }, [], { files: hostileProject })
    expect(run.conversation).toContain('instructions-of-the-project')
    expect(run.conversation).toContain('rule-of-the-project')
  })

  it('exclude: the tool is gone, and a call all the same is refused', async () => {
    const servers = { dump: dumper({ tools: { exclude: ['extra'] } }) }
    const run = await launchClaude({ servers }, [call('dump__extra'), call('dump__echo', { text: 'a' })])
    expect([...run.offered].sort()).toEqual(
      ['digest', 'dump', 'echo', 'fingerprint', 'sleep'].map((tool) => `mcp__dump__${tool}`),
    )
    expect(refusals(run)).toEqual([true, false])
  })

  it('exclude wins over include', async () => {
    const servers = { dump: dumper({ tools: { include: ['echo', 'extra'], exclude: ['extra'] } }) }
    const run = await launchClaude({ servers }, [call('dump__extra'), call('dump__echo', { text: 'a' })])
    expect(refusals(run)).toEqual([true, false])
  })

  it('confirmation of one tool: it is refused, since nobody can be asked, and the others run', async () => {
    const servers = { dump: dumper({ requiresConfirmation: ['extra'] }) }
    const run = await launchClaude({ servers }, [call('dump__extra'), call('dump__echo', { text: 'a' })])
    expect(refusals(run)).toEqual([true, false])
  })

  it('confirmation of every tool: none runs, and the other server is not touched by it', async () => {
    const servers = { dump: dumper({ requiresConfirmation: true }), other: dumper() }
    const script = [call('dump__extra'), call('dump__echo', { text: 'a' }), call('other__extra')]
    const run = await launchClaude({ servers }, script)
    expect(refusals(run)).toEqual([true, true, false])
  })

  it('the built-in tools that an agent works with run unasked', async () => {
    const script = [
      { name: 'Bash', input: { command: 'for i in 1 2; do echo $(id -u) > made-$i; done' } },
      { name: 'Write', input: { file_path: './written', content: 'a' } },
      { name: 'Edit', input: { file_path: './written', old_string: 'a', new_string: 'b' } },
      { name: 'Read', input: { file_path: '/etc/hostname' } },
    ]
    const run = await launchClaude({ servers: { dump: dumper() } }, script)
    expect(refusals(run)).toEqual([false, false, false, false])
  })
})

describe('the timeouts of a launch of Claude Code', () => {
  it('a server that takes longer than its start-up timeout has failed', async () => {
    const slow = dumper({ environment: { DUMP_START_DELAY_MS: '20000' }, startupTimeoutMs: 1500 })
    expect((await launchClaude({ servers: { slow } }, [])).servers).toEqual({ slow: 'failed' })
  })

  it('a server within it is waited for', async () => {
    const slow = dumper({ environment: { DUMP_START_DELAY_MS: '3000' }, startupTimeoutMs: 60_000 })
    const run = await launchClaude({ servers: { slow } }, [call('slow__extra')])
    expect(run.servers).toEqual({ slow: 'connected' })
    expect(refusals(run)).toEqual([false])
  })

  it('a call that takes longer than the tool timeout has failed', async () => {
    const servers = { dump: dumper({ toolTimeoutMs: 1000 }) }
    const run = await launchClaude({ servers }, [call('dump__sleep', { ms: 20_000 }), call('dump__extra')])
    expect(refusals(run)).toEqual([true, false])
    expect(texts(run)[0]).toMatch(/timed out/i)
  })

  it('the longest ones that the language has are not taken for none', async () => {
    const servers = { dump: dumper({ startupTimeoutMs: 2_147_483_647, toolTimeoutMs: 2_147_483_647 }) }
    const run = await launchClaude({ servers }, [call('dump__sleep', { ms: 1200 })])
    expect(refusals(run)).toEqual([false])
  })
})
