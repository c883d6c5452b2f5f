import { describe, expect, it } from 'vitest'
import { isReadAsEmpty } from '../../../targets/claude/blanked-names.ts'
import { refuseName, toolRule } from '../../../targets/claude/names.ts'

const refusedNames = ['workspace', 'claude-in-chrome', 'ide', 'a__b', '__a', 'a_', 'a__']
const acceptedNames = ['a', 'A-b_c', '_a', 'Workspace', 'claude', 'x'.repeat(32)]

describe('the name of a server for Claude Code', () => {
  it.each(refusedNames)('%s is refused', (name) => {
    expect(refuseName(name)).toBeDefined()
  })

  it.each(acceptedNames)('%s is accepted', (name) => {
    expect(refuseName(name)).toBeUndefined()
  })
})

const ruleTable: readonly (readonly [tool: string, rule: string])[] = [
  ['search', 'mcp__docs__search'],
  ['x.y', 'mcp__docs__x_y'],
  ['a b(c)*', 'mcp__docs__a_b_c__'],
  ['é', 'mcp__docs___'],
]

describe('a rule for a tool', () => {
  it.each(ruleTable)('%s is named as Claude Code names it', (tool, rule) => {
    expect(toolRule('docs', tool)).toBe(rule)
  })
})

const variableTable: readonly (readonly [name: string, stdio: boolean, http: boolean])[] = [
  ['MCP_CLIENT_SECRET', true, true],
  ['mcp_client_secret', true, true],
  ['INPUT_MCP_CLIENT_SECRET', true, true],
  ['OTEL_EXPORTER_OTLP_HEADERS', true, true],
  ['CLAUDE_CODE_ARTIFACT_ASSET_BASE_URL', true, true],
  ['NPM_TOKEN', false, true],
  ['INPUT_NPM_TOKEN', false, true],
  ['BUNDLE_GEMS__CONTRIB', false, true],
  ['GIT_CONFIG_KEY_1', false, true],
  ['POETRY_HTTP_BASIC_MAIN', false, true],
  ['ORG_GRADLE_PROJECT_signingKey', false, true],
  ['GITHUB_TOKEN', false, false],
  ['HF_TOKEN', false, false],
  ['MY_NPM_TOKEN', false, false],
  ['NPM_TOKEN_2', false, false],
  ['DISCORD_WEBHOOKS', false, false],
  ['BUNDLE_X_Y', false, false],
  ['OTELX', false, false],
  ['BRIDLE_V1', false, false],
]

describe('a variable that Claude Code reads as empty', () => {
  it.each(variableTable)('%s: stdio %s, http %s', (name, stdio, http) => {
    expect([isReadAsEmpty(name, 'stdio'), isReadAsEmpty(name, 'http')]).toEqual([stdio, http])
  })
})
