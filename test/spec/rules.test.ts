import { describe, expect, it } from 'vitest'
import { findings, read } from './support.ts'

/** A spec with declared variables and one server of these lines. */
function server(...lines: string[]): string {
  return ['version: 1', 'x-used: {}', 'servers:', '  s:', ...lines.map((line) => `    ${line}`)].join('\n')
}

function stdio(...lines: string[]): string {
  return server('command: x', ...lines)
}

function http(...lines: string[]): string {
  return server('url: https://h/mcp', ...lines)
}

/** Servers with every variable in use, and these lines below. */
function declared(...lines: string[]): string {
  return [
    'version: 1',
    'variables: { A: {}, B: {} }',
    'servers:',
    '  uses: { command: x, variables: [A, B] }',
    ...lines,
  ].join('\n')
}

const top = (...lines: string[]) => ['version: 1', 'servers: {}', ...lines].join('\n')

type Cases = Record<string, readonly [text: string, ...findings: string[]]>

const wrong: Record<string, Cases> = {
  'the whole': {
    'an empty text': ['', 'BRIDLE110'],
    'only a comment': ['# nothing\n', 'BRIDLE110'],
    'a list': ['- a', 'BRIDLE110'],
    'no version': ['servers: {}', 'BRIDLE203'],
    'another version': ['version: 2\nservers: {}', 'BRIDLE203 2'],
    'a version in quotes': ['version: "1"\nservers: {}', 'BRIDLE203 "1"'],
    'no servers': ['version: 1', 'BRIDLE217'],
    'servers without a value': ['version: 1\nservers:', 'BRIDLE201'],
    'an unknown key': [top('serverz: {}'), 'BRIDLE202 serverz'],
    'keys to come': [top('sandbox: {}', 'gateway: {}'), 'BRIDLE212 sandbox', 'BRIDLE212 gateway'],
    'a $schema below the top': [stdio('$schema: x'), 'BRIDLE202 $schema'],
  },
  'names of servers': Object.fromEntries(
    ['a b', 'ä', 'a.b', 'x'.repeat(33), '__proto__', 'constructor', 'prototype'].map((name) => [
      name,
      [`version: 1\nservers:\n  ${name}: { command: x }`, `BRIDLE205 ${name}`],
    ]),
  ),
  variables: {
    'an undeclared one': [stdio('variables: [A]'), 'BRIDLE209 A'],
    'an undeclared one in a map': [stdio('variables: { X: A }'), 'BRIDLE209 A'],
    'undeclared ones over HTTP': [
      http('headerVariables: { X: A }', 'bearerTokenVariable: B'),
      'BRIDLE209 A',
      'BRIDLE209 B',
    ],
    'an undeclared client secret': [http('oauth: { clientId: a, clientSecretVariable: B }'), 'BRIDLE209 B'],
    'the name of an object member': [stdio('variables: [toString]'), 'BRIDLE209 toString'],
    'an unused one': [top('variables: { A: {} }'), 'BRIDLE210 A'],
    'a reserved name': [top('variables: { BRIDLE_A: {} }'), 'BRIDLE205 BRIDLE_A'],
    'no identifier': [top('variables: { a-b: {}, 1a: {} }'), 'BRIDLE205 a-b', 'BRIDLE205 1a'],
    'a source that is no identifier': [
      declared('x-a: 1').replace('B: {}', 'B: { env: "a b" }'),
      'BRIDLE205 "a b"',
    ],
    'a reserved source': [declared().replace('B: {}', 'B: { env: BRIDLE_X }'), 'BRIDLE205 BRIDLE_X'],
    'the value itself': [declared().replace('B: {}', 'B: hunter2'), 'BRIDLE201 hunter2'],
    'a value without text': [declared().replace('B: {}', 'B:'), 'BRIDLE201'],
    'an unknown source': [declared().replace('B: {}', 'B: { envv: X }'), 'BRIDLE202 envv'],
    ...Object.fromEntries(
      ['file', 'command', 'dotenv', 'pass', 'age', 'libsecret', 'prompt'].map((source) => [
        `the source ${source}`,
        [declared().replace('B: {}', `B: { ${source}: x }`), `BRIDLE212 ${source}`],
      ]),
    ),
    'a list of names, which hides the undeclared': [
      `${stdio('variables: [A]')}\nvariables: [A]`,
      'BRIDLE201 [A]',
    ],
  },
  'kinds of servers': {
    'neither kind': [server('title: x'), 'BRIDLE204 s'],
    'both kinds': [stdio('url: https://h'), 'BRIDLE204 url'],
    'a key of the other kind': [stdio('headers: {}', 'oauth: login'), 'BRIDLE216 headers', 'BRIDLE216 oauth'],
    'keys of a command at a url': [
      http('arguments: [a]', 'environment: {}', 'workingDirectory: .'),
      'BRIDLE216 arguments',
      'BRIDLE216 environment',
      'BRIDLE216 workingDirectory',
    ],
    'a server without a value': ['version: 1\nservers: { s: }', 'BRIDLE201'],
    'a key to come': [stdio('lower: gateway'), 'BRIDLE212 lower'],
    'fields of both kinds are checked without one': [
      server('arguments: [1]', 'bearerTokenVariable: a-b'),
      'BRIDLE204 s',
      'BRIDLE201 1',
      'BRIDLE205 a-b',
    ],
  },
  'types of values': {
    'a number as an argument': [stdio('arguments: [8080, 1.10]'), 'BRIDLE201 8080', 'BRIDLE201 1.10'],
    'true as a value': [stdio('environment: { DEBUG: true }'), 'BRIDLE201 true'],
    'nothing as a value': [stdio('environment: { DEBUG: }'), 'BRIDLE201'],
    'a text as a list': [stdio('arguments: -y'), 'BRIDLE201 -y'],
    'a text as a boolean': [
      stdio('enabled: yes', 'required: "true"', 'shared: 1'),
      'BRIDLE201 yes',
      'BRIDLE201 "true"',
      'BRIDLE201 1',
    ],
    'a text as a number': [stdio('toolTimeoutMs: "5"'), 'BRIDLE201 "5"'],
    'a fraction': [stdio('toolTimeoutMs: 1.5'), 'BRIDLE201 1.5'],
    'a list as a command': [server('command: [npx, x]'), 'BRIDLE201 [npx, x]'],
    'a verbatim number': [stdio('arguments: [{ verbatim: 5 }]'), 'BRIDLE201 5'],
    'a misspelt verbatim': [stdio('arguments: [{ verbtim: a }]'), 'BRIDLE202 verbtim', 'BRIDLE217 verbtim'],
  },
  literals: {
    'a reference in each': [
      server('command: ${A}', 'arguments: ["${B}"]', 'workingDirectory: ${C}', 'environment: { X: "a${D}" }'),
      'BRIDLE207 ${A}',
      'BRIDLE207 "${B}"',
      'BRIDLE207 ${C}',
      'BRIDLE207 "a${D}"',
    ],
    'a reference over HTTP': [
      server('url: "https://${A}/mcp"', 'headers: { X: "${B}" }', 'tools: { include: ["${C}"] }'),
      'BRIDLE207 "https://${A}/mcp"',
      'BRIDLE207 "${B}"',
      'BRIDLE207 "${C}"',
    ],
    'verbatim where it is not possible': [
      server('command: { verbatim: "${A}" }'),
      'BRIDLE201 { verbatim: "${A}" }',
    ],
    'a NUL in each': [
      server('command: "a\\0"', 'arguments: ["\\0"]', 'environment: { X: "\\0" }', 'title: "\\0"'),
      'BRIDLE208 "a\\0"',
      'BRIDLE208 "\\0"',
      'BRIDLE208 "\\0"',
      'BRIDLE208 "\\0"',
    ],
    'a NUL in a verbatim text': [stdio('arguments: [{ verbatim: "\\0" }]'), 'BRIDLE208 "\\0"'],
    'half a surrogate pair': [
      stdio('arguments: ["\\uD800", "\\uDC00x"]'),
      'BRIDLE208 "\\uD800"',
      'BRIDLE208 "\\uDC00x"',
    ],
    'empty ones': [server('command: ""', 'workingDirectory: ""'), 'BRIDLE206 ""', 'BRIDLE206 ""'],
    'names of environment variables': [
      stdio('environment: { a-b: x, BRIDLE_V1: x, __proto__: x }'),
      'BRIDLE205 a-b',
      'BRIDLE205 BRIDLE_V1',
      'BRIDLE205 __proto__',
    ],
    'a faulty name and a faulty value at once': [
      stdio('environment: { a-b: 5 }'),
      'BRIDLE205 a-b',
      'BRIDLE201 5',
    ],
  },
  http: {
    ...Object.fromEntries(
      ['ftp://h', '//h', 'h/mcp', '"https://h/a b"', '" https://h"', 'https://', 'file:///x'].map((url) => [
        `the url ${url}`,
        [server(`url: ${url}`), `BRIDLE206 ${url}`],
      ]),
    ),
    'user info': [server('url: "https://u:p@h/"'), 'BRIDLE206 "https://u:p@h/"'],
    'a user name': [server('url: "https://u@h/"'), 'BRIDLE206 "https://u@h/"'],
    'names of headers': [
      http('headers: { "a b": x, "": x, "é": x, "a:b": x, __proto__: x }'),
      'BRIDLE205 "a b"',
      'BRIDLE205 ""',
      'BRIDLE205 "é"',
      'BRIDLE205 "a:b"',
      'BRIDLE205 __proto__',
    ],
    'values of headers': [
      http('headers: { A: "a\\nb", B: "a\\rb", C: " a", D: "a\\t", E: "\\x7f", F: { verbatim: " " } }'),
      'BRIDLE206 "a\\nb"',
      'BRIDLE206 "a\\rb"',
      'BRIDLE206 " a"',
      'BRIDLE206 "a\\t"',
      'BRIDLE206 "\\x7f"',
      'BRIDLE206 " "',
    ],
    'a NUL in a header': [http('headers: { A: "a\\0" }'), 'BRIDLE208 "a\\0"'],
    'one header twice': [http('headers: { X-A: a, x-a: b }'), 'BRIDLE211 x-a'],
    'a word that is not login': [http('oauth: logn'), 'BRIDLE206 logn'],
    'credentials without their keys': [
      http('oauth: { scopes: [a] }'),
      'BRIDLE217 scopes',
      'BRIDLE217 scopes',
    ],
  },
  exclusions: {
    'a name in environment and variables': [
      declared('  s: { command: x, environment: { A: x }, variables: [A] }'),
      'BRIDLE211 A',
    ],
    'a name in environment and the map of variables': [
      declared('  s: { command: x, variables: { A: B }, environment: { A: x } }'),
      'BRIDLE211 A',
    ],
    'a header in both, whatever its case': [
      declared('  s: { url: "https://h", headers: { X-A: x }, headerVariables: { x-a: A } }'),
      'BRIDLE211 x-a',
    ],
    'a bearer token and an Authorization header': [
      declared('  s: { url: "https://h", headers: { authorization: x }, bearerTokenVariable: A }'),
      'BRIDLE219 x',
      'BRIDLE211 bearerTokenVariable',
    ],
    'a bearer token and an Authorization variable': [
      declared('  s: { url: "https://h", bearerTokenVariable: A, headerVariables: { Authorization: B } }'),
      'BRIDLE211 Authorization',
    ],
    'oauth and a bearer token': [
      declared('  s: { url: "https://h", oauth: login, bearerTokenVariable: A }'),
      'BRIDLE211 bearerTokenVariable',
    ],
    'oauth and an Authorization header': [
      declared('  s: { url: "https://h", oauth: login, headers: { Authorization: x } }'),
      'BRIDLE211 Authorization',
      'BRIDLE219 x',
    ],
  },
  tuning: {
    'timeouts out of range': [
      stdio('startupTimeoutMs: 0', 'toolTimeoutMs: 2147483648'),
      'BRIDLE206 0',
      'BRIDLE206 2147483648',
    ],
    'huge timeouts': [
      stdio('startupTimeoutMs: 1e300', 'toolTimeoutMs: -1'),
      'BRIDLE206 1e300',
      'BRIDLE206 -1',
    ],
    'no number': [stdio('startupTimeoutMs: .nan', 'toolTimeoutMs: .inf'), 'BRIDLE201 .nan', 'BRIDLE201 .inf'],
    'an empty filter': [stdio('tools: {}'), 'BRIDLE206 {}'],
    'empty lists': [
      stdio('tools: { include: [], exclude: [] }', 'requiresConfirmation: []'),
      'BRIDLE206 []',
      'BRIDLE206 []',
      'BRIDLE206 []',
    ],
    'a tool twice': [
      stdio('tools: { include: [a, b, a] }', 'requiresConfirmation: [c, c]'),
      'BRIDLE206 a',
      'BRIDLE206 c',
    ],
    'names of tools': [
      stdio('tools: { include: ["", "a\\nb"] }', `requiresConfirmation: [${'x'.repeat(129)}]`),
      'BRIDLE205 ""',
      'BRIDLE205 "a\\nb"',
      `BRIDLE205 ${'x'.repeat(129)}`,
    ],
    'a text in place of tools': [stdio('requiresConfirmation: search'), 'BRIDLE201 search'],
  },
  targets: {
    'an unknown one': [declared('targets: { clude: {} }'), 'BRIDLE213 clude'],
    'one without a value': [declared('targets: { claude: }'), 'BRIDLE201'],
    'an unknown server': [declared('targets: { claude: { servers: { include: [use] } } }'), 'BRIDLE214 use'],
    'no server': [declared('targets: { claude: { servers: { exclude: [] } } }'), 'BRIDLE206 []'],
    'servers without a choice': [declared('targets: { claude: { servers: {} } }'), 'BRIDLE206 {}'],
    'include and exclude': [
      declared('targets: { claude: { servers: { include: [uses], exclude: [uses] } } }'),
      'BRIDLE211 exclude',
    ],
    'a restriction omitted': [
      declared('targets: { claude: { omit: [tools, variables] } }'),
      'BRIDLE215 tools',
      'BRIDLE215 variables',
    ],
    'an undeclared variable': [
      declared('targets: { claude: { account: { variables: [C] } } }'),
      'BRIDLE209 C',
    ],
    'the login of this machine': [declared('targets: { claude: { account: host } }'), 'BRIDLE212 host'],
    'an account without a key': [declared('targets: { claude: { account: {} } }'), 'BRIDLE217 {}'],
    'a literal that is a reference': [
      declared('targets: { claude: { environment: { A: "${B}", BRIDLE_X: x } } }'),
      'BRIDLE207 "${B}"',
      'BRIDLE205 BRIDLE_X',
    ],
    'a name as a literal and a secret': [
      declared('targets: { claude: { account: { variables: [A] }, environment: { A: x } } }'),
      'BRIDLE211 A',
    ],
    'a key to come': [declared('targets: { claude: { lower: gateway } }'), 'BRIDLE212 lower'],
  },
}

describe.each(Object.entries(wrong))('The language refuses, of %s,', (_, cases) => {
  it.each(Object.entries(cases))('%s', async (_, [text, ...expected]) => {
    const result = await read(text)
    expect(findings(result)).toEqual(expected.map((each) => each.trimEnd()))
    expect(result.spec === undefined).toBe(result.diagnostics.some(({ severity }) => severity === 'error'))
    for (const { help, message } of result.diagnostics) {
      expect(help).toMatch(/[.?]$/)
      expect(message).toMatch(/^[A-Z`"].*\.$/)
    }
  })
})

const right: Record<string, string> = {
  'no servers': top(),
  '$schema and x- keys': top('$schema: ./x.json', 'x-any: [1, { a: true }]'),
  'x- keys in a server': stdio('x-note: 5'),
  'nasty literals': stdio(
    `arguments: ["$HOME %PATH% {env:X} $(id) 'a' \\"b\\" \\n \\u00e9 \\U0001F600", "", "C:\\\\Users\\\\x"]`,
  ),
  'the extremes of a timeout': stdio('startupTimeoutMs: 1', 'toolTimeoutMs: 2147483647'),
  'a name of 32 characters': `version: 1\nservers: { ${'x'.repeat(32)}: { command: x } }`,
  'a tool in both lists': stdio('tools: { include: [a], exclude: [a] }'),
  'a header with a tab and beyond ASCII within': http('headers: { A: "a\\tb", B: "é", C: "" }'),
  'every target': declared('targets: { codex: {}, claude: { omit: [startupTimeoutMs] }, builtin: {} }'),
  'a variable only for the harness': [
    'version: 1',
    'variables: { KEY: {} }',
    'servers: {}',
    'targets: { claude: { account: { variables: [KEY] }, environment: { BASE: { verbatim: "${x}" } } } }',
  ].join('\n'),
}

describe('The language accepts', () => {
  it.each(Object.entries(right))('%s', async (_, text) => {
    const result = await read(text)
    expect(findings(result)).toEqual([])
    expect(result.spec).toBeDefined()
  })
})

describe('A finding', () => {
  it('comes with all others, in order of place, however many fields are malformed', async () => {
    const text = declared(
      '  broken: { comand: x, arguments: [5], variables: [A, 5, C], toolTimeoutMs: 0 }',
      'targets: { cluade: { omit: [tools] } }',
    )
    expect(findings(await read(text))).toEqual([
      'BRIDLE204 broken',
      'BRIDLE202 comand',
      'BRIDLE201 5',
      'BRIDLE201 5',
      'BRIDLE209 C',
      'BRIDLE206 0',
      'BRIDLE213 cluade',
      'BRIDLE215 tools',
    ])
  })

  it('is told once when many servers merge the faulty value', async () => {
    const text = `version: 1
x-base: &base { command: x, toolTimeoutMs: 0 }
servers:
  a: { <<: *base }
  b: { <<: *base }`
    expect(findings(await read(text))).toEqual(['BRIDLE206 0'])
  })

  it('names the server', async () => {
    const [finding] = (await read(stdio('arguments: [5]'))).diagnostics
    expect(finding?.server).toBe('s')
  })

  it('of two places names both', async () => {
    const text = stdio('url: https://h')
    const [finding] = (await read(text)).diagnostics
    expect(finding?.related).toMatchObject([
      { message: 'the other one', span: { line: 5, column: 5, length: 7 } },
    ])
  })

  it.each([
    ['args: [a]', '`arguments`'],
    ['argumnts: [a]', '`arguments`'],
    ['startup_timeout_ms: 5', '`startupTimeoutMs`'],
    ['env: {}', '`environment`'],
    ['disabled: true', '`enabled: false`'],
  ])('of an unknown key suggests what was meant: %s', async (line, suggestion) => {
    const [finding] = (await read(stdio(line))).diagnostics
    expect(finding?.help).toContain(suggestion)
  })

  it.each([
    ['8080', 'Write "8080", in quotes.'],
    ['1.10', 'Write "1.10", in quotes.'],
    ['0x1F', 'Write "0x1F", in quotes.'],
    ['true', 'Write "true", in quotes.'],
    ['null', 'Leave it out, or write "" for an empty text.'],
    ['~', 'Leave it out, or write "" for an empty text.'],
    ['', 'Leave it out, or write "" for an empty text.'],
  ])('of a text that YAML takes for something else says how to quote it: %s', async (value, help) => {
    const [finding] = (await read(stdio('environment:', `  X: ${value}`))).diagnostics
    expect(finding?.help).toBe(help)
  })

  it.each([
    [stdio('type: stdio'), 'Write nothing: `command` or `url` says which kind of server it is.'],
    [http('type: http'), 'Write nothing: `command` or `url` says which kind of server it is.'],
    [http('type: streamable-http'), 'Write nothing: `command` or `url` says which kind of server it is.'],
    [
      http('type: sse'),
      'Write the address at which the server speaks Streamable HTTP as `url` (often it ends with `/mcp`, not with `/sse`), and no kind: the older HTTP+SSE is not spoken.',
    ],
    [stdio('requiresConfirmation: yes'), 'Write `true`.'],
    [stdio('enabled: "False"'), 'Write `false`, without quotes.'],
    ['version: 1\nservers: {}\ntargets: [claude, codex]', 'Write `{ claude: {}, codex: {} }`.'],
    ['version: 1\nservers: {}\nvariables: [A, B]', 'Write `{ A: {}, B: {} }`.'],
    ['version: 1\nservers: [{ name: a, command: x }]', 'Write `{ a: { command: … } }`.'],
    ['version: 1\nservers: [{ command: x }]', 'Write `{ name: { command: … } }`: each by its name.'],
    ['version: 1\nservers: {}\nvariables: [A=b c]', 'Write `{ name: {} }`: each by its name.'],
  ])('says what was meant by %j', async (text, help) => {
    expect((await read(text)).diagnostics.map((each) => each.help)).toEqual([help])
  })

  it('says it in TOML as TOML has it', async () => {
    const { diagnostics } = await read(
      'version = 1\nservers = {}\ntargets = ["claude", "codex"]',
      'bridle.toml',
    )
    expect(diagnostics.map(({ help }) => help)).toEqual(['Write `{ claude = {}, codex = {} }`.'])
  })

  it.each(['bridle.yaml', 'bridle.json', 'bridle.toml'])(
    'of a merge conflict in %s is one, at its first marker',
    async (file) => {
      const sides = {
        'bridle.yaml': ['version: 1', 'servers: {}', 'servers: { a: { command: a } }'],
        'bridle.json': ['{ "version": 1,', '"servers": {} }', '"servers": { "a": { "command": "a" } } }'],
        'bridle.toml': ['version = 1', 'servers = {}', '[servers.a]'],
      }[file] ?? ['', '', '']
      const text = [sides[0], '<<<<<<< HEAD', sides[1], '=======', sides[2], '>>>>>>> other', ''].join('\n')
      const result = await read(text, file)
      expect(findings(result)).toEqual(['BRIDLE106 <<<<<<<'])
      expect(result.diagnostics[0]?.span).toMatchObject({ line: 2, column: 1 })
      expect(result.diagnostics[0]?.message).toBe('A merge conflict begins here.')
    },
  )

  it.each([
    [
      'bridle.yaml',
      'version: 1\nservers:\n  a: { command: a, tools: { include: [b] }\n  b: { command: b }\n',
      3,
      6,
      '{',
    ],
    ['bridle.yaml', 'version: 1\nservers: { a: { command: a }', 2, 10, '{'],
    ['bridle.yaml', 'version: 1\nservers:\n  a:\n    command: a\n    arguments: [b\n', 5, 16, '['],
    ['bridle.json', '{ "version": 1,\n "servers": {}\n', 1, 1, '{'],
    ['bridle.json', '{ "version": 1, "servers": { "a": { "command": "a", "arguments": ["b"', 1, 66, '['],
  ])('of a bracket that is not closed points at it: %s %j', async (file, text, line, column, bracket) => {
    const { diagnostics } = await read(text, file)
    expect(diagnostics.map(({ message }) => message)).toEqual([`This \`${bracket}\` is not closed.`])
    expect(diagnostics[0]?.span).toMatchObject({ line, column, length: 1 })
  })

  it('of a secret in the place of a name does not repeat it', async () => {
    const canary = 'ghp-canary-5f1e'
    const text = `${http(`bearerTokenVariable: ${canary}`)}\nvariables: { T: ${canary} }`
    const { diagnostics } = await read(text)
    expect(diagnostics).toHaveLength(2)
    expect(JSON.stringify(diagnostics)).not.toContain(canary)
  })
})
