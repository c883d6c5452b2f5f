import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { type Entry, entryAt, type Node } from '../../spec/tree.ts'
import { leftOut } from '../fields.ts'
import { finding } from '../findings.ts'
import type { ForeignConfig, ForeignServer, Policy } from '../foreign.ts'
import type { FormContext } from '../form.ts'

/**
 * What the settings of Claude Code say about its servers: which tools are denied and which ask, which servers are off, and
 * the timeouts that hold for all. Everything else in the file is about Claude Code itself.
 */
export function readSettings(root: Node, context: FormContext): ForeignConfig {
  const deny = rulesAt(root, 'deny')
  const ask = rulesAt(root, 'ask')
  const policies = [
    ...deny.map((rule) => rulePolicy(rule, 'deny', context)),
    ...ask.map((rule) => rulePolicy(rule, 'ask', context)),
    ...disabledServers(root, context),
    ...timeouts(root, context),
  ]
  return {
    servers: [],
    policies,
    findings: [...namesInRules([...deny, ...ask], context), ...notTaken(root, context)],
  }
}

interface Rule {
  readonly text: string
  readonly node: Node
}

function rulesAt(root: Node, list: string): Rule[] {
  const permissions = entryAt(root, 'permissions')?.value
  const node = permissions && entryAt(permissions, list)?.value
  if (node?.kind !== 'list') return []
  return node.items.flatMap((item) => {
    const text = item.kind === 'scalar' ? String(item.value) : ''
    return text.startsWith('mcp__') || text.startsWith('*') ? [{ text, node: item }] : []
  })
}

/**
 * What of a server a rule means: all of it, one tool, or some tools that a pattern names. Claude Code replaces what is no
 * letter, digit, `_` or `-`, in names of servers and tools alike, and compares rules with the result.
 */
function meaningOf(rule: string, server: string): 'server' | 'some' | { tool: string } | undefined {
  const prefix = `mcp__${server.replace(/[^A-Za-z0-9_-]/g, '_')}`
  if (rule === prefix) return 'server'
  const star = rule.indexOf('*')
  if (star === -1) return rule.startsWith(`${prefix}__`) ? toolOf(rule.slice(prefix.length + 2)) : undefined
  const fixed = rule.slice(0, star)
  if (star === rule.length - 1 && `${prefix}__`.startsWith(fixed)) return 'server'
  const [, ofAny] = /^mcp__\*__([^*]+)$/.exec(rule) ?? []
  if (ofAny !== undefined) return toolOf(ofAny)
  return fixed.startsWith(`${prefix}__`) || `${prefix}__`.startsWith(fixed) ? 'some' : undefined
}

function toolOf(text: string): 'some' | { tool: string } {
  return text.includes('(') || text === '' ? 'some' : { tool: text }
}

function rulePolicy({ text, node }: Rule, list: 'deny' | 'ask', context: FormContext): Policy {
  const span = context.at(node)
  const message = `a rule of \`permissions.${list}\` is not carried over: it concerns no imported server`
  return {
    unused: finding('BRIDLE421', message, { span }),
    apply: (server) => {
      const meaning = meaningOf(text, server.name)
      if (meaning === undefined) return undefined
      const where = { span, server: server.name }
      if (meaning === 'some') {
        const reason = `a rule of \`permissions.${list}\` names its tools by a pattern, and a spec has exact names only`
        return withFinding(server, leftOut(reason, where, 'Write a rule for each tool, and import again.'))
      }
      return list === 'deny' ? denied(server, meaning, where) : asked(server, meaning)
    },
  }
}

type Where = Parameters<typeof finding>[2]

function denied(server: ForeignServer, meaning: 'server' | { tool: string }, where: Where): ForeignServer {
  if (meaning !== 'server')
    return { ...server, exclude: [...new Set([...(server.exclude ?? []), meaning.tool])] }
  const message = 'all its tools are denied, so the server is switched off: `enabled: false`'
  return withFinding({ ...server, enabled: false }, finding('BRIDLE429', message, where))
}

function asked(server: ForeignServer, meaning: 'server' | { tool: string }): ForeignServer {
  if (meaning === 'server') return { ...server, asksByDefault: true }
  return { ...server, asksFor: [...(server.asksFor ?? []), { tool: meaning.tool, asks: true }] }
}

function withFinding(server: ForeignServer, found: Diagnostic): ForeignServer {
  return { ...server, findings: [...server.findings, found] }
}

/** A rule has `_` where the tool may have another character; other harnesses want the name itself. */
function namesInRules(rules: readonly Rule[], context: FormContext): Diagnostic[] {
  const first = rules.find(({ text }) => /^mcp__.+?__.*_/.test(text))
  if (first === undefined) return []
  return [
    finding(
      'BRIDLE429',
      'Claude Code writes `_` in its rules for other characters, such as a dot, and the rules were taken as they are',
      { span: context.at(first.node) },
      'Where a tool has such a character in its name, write the name itself into `tools` and `requiresConfirmation`. `bridle tools` lists the names.',
    ),
  ]
}

/** Servers that the user has switched off, by name. */
function disabledServers(root: Node, context: FormContext): Policy[] {
  const lists: readonly [key: string, nameOf: (node: Node) => Node | undefined][] = [
    ['disabledMcpjsonServers', (node) => node],
    ['disabledMcpServers', (node) => node],
    ['deniedMcpServers', (node) => entryAt(node, 'serverName')?.value],
  ]
  return lists.flatMap(([key, nameOf]) => {
    const node = entryAt(root, key)?.value
    const items = node?.kind === 'list' ? node.items : []
    return items.flatMap((item) => {
      const name = nameOf(item)
      if (name?.kind !== 'scalar') return []
      const message = `\`${key}\` names a server that is not among the imported ones`
      return [
        {
          unused: finding('BRIDLE421', message, { span: context.at(item) }),
          apply: (server: ForeignServer) =>
            server.name === name.value ? { ...server, enabled: false } : undefined,
        },
      ]
    })
  })
}

/** In the settings of a project a start-up timeout can only lengthen the default. */
const defaultStartupMs = 30_000

function timeouts(root: Node, context: FormContext): Policy[] {
  return [
    ...timeoutPolicy(root, 'MCP_TIMEOUT', 'startupTimeoutMs', context),
    ...timeoutPolicy(root, 'MCP_TOOL_TIMEOUT', 'toolTimeoutMs', context),
  ]
}

function timeoutPolicy(
  root: Node,
  variable: string,
  part: 'startupTimeoutMs' | 'toolTimeoutMs',
  context: FormContext,
): Policy[] {
  const entry = environmentOf(root).find(({ key }) => key === variable)
  if (entry === undefined) return []
  const ms = entry.value.kind === 'scalar' ? Number(entry.value.value) : Number.NaN
  const least = part === 'startupTimeoutMs' && context.scope !== 'user' ? defaultStartupMs : 1
  const unused = finding(
    'BRIDLE421',
    `\`env.${variable}\` is not carried over: there is no server that it concerns`,
    {
      span: context.at(entry),
    },
  )
  if (!Number.isInteger(ms) || ms < least || ms >= 2 ** 31) return [{ unused, apply: () => undefined }]
  return [{ unused, apply: (server) => ({ ...server, [part]: server[part] ?? ms }) }]
}

function environmentOf(root: Node): readonly Entry[] {
  const node = entryAt(root, 'env')?.value
  return node?.kind === 'mapping' ? node.entries : []
}

const taken = [
  ...['MCP_TIMEOUT', 'MCP_TOOL_TIMEOUT'],
  ...['disabledMcpjsonServers', 'disabledMcpServers', 'deniedMcpServers'],
]

/** What is about MCP and has no counterpart: grants, mostly. */
function notTaken(root: Node, context: FormContext): Diagnostic[] {
  const entries = [...(root.kind === 'mapping' ? root.entries : []), ...environmentOf(root)]
  const told = entries
    .filter(({ key }) => /mcp/i.test(key) && !taken.includes(key))
    .map((entry) =>
      finding('BRIDLE421', `\`${entry.key}\` is not carried over: it is a setting of Claude Code`, {
        span: context.at(entry),
      }),
    )
  const [grant] = rulesAt(root, 'allow')
  if (grant === undefined) return told
  const message =
    'the rules of `permissions.allow` are not carried over: `bridle run` allows the servers of the spec itself'
  return [...told, finding('BRIDLE421', message, { span: context.at(grant.node) })]
}
