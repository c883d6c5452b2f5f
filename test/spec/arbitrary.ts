import fc from 'fast-check'

/** Any text that a literal may be. */
export const literal = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.string({
      unit: fc.constantFrom(
        '\\',
        '"',
        "'",
        '\n',
        '\r',
        '\t',
        '$',
        '{',
        '%',
        ' ',
        '#',
        ':',
        '-',
        'U',
        'u',
        'é',
        '😀',
      ),
    }),
    fc.constantFrom(
      '',
      'true',
      'null',
      '~',
      '8080',
      '1e3',
      '0x1F',
      '- a',
      '{a}',
      '*a',
      '&a',
      '!a',
      '<<',
      '---',
      '...',
      '%YAML',
      '| x',
      '@a',
      '`a',
    ),
  )
  .filter((text) => !text.includes('\0') && !text.includes('${'))

const identifier = fc
  .stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,12}$/)
  .filter((name) => !name.startsWith('BRIDLE_') && name !== '__proto__')
const tool = fc.stringMatching(/^[A-Za-z0-9_./-]{1,20}$/)
const nameList = (item: fc.Arbitrary<string>) => fc.uniqueArray(item, { minLength: 1, maxLength: 4 })
const timeout = fc.integer({ min: 1, max: 2_147_483_647 })

const common = {
  title: fc.string(),
  tools: fc.oneof(
    fc.record({ include: nameList(tool) }),
    fc.record({ exclude: nameList(tool), include: nameList(tool) }),
  ),
  requiresConfirmation: fc.oneof(fc.boolean(), nameList(tool)),
  startupTimeoutMs: timeout,
  toolTimeoutMs: timeout,
  shared: fc.boolean(),
  required: fc.boolean(),
  enabled: fc.boolean(),
}

const stdio = fc.record(
  {
    command: literal.filter((text) => text !== ''),
    arguments: fc.array(literal, { maxLength: 4 }),
    workingDirectory: literal.filter((text) => text !== ''),
    environment: fc.dictionary(identifier, literal, { maxKeys: 4 }),
    ...common,
  },
  { requiredKeys: ['command'] },
)

const http = fc.record(
  {
    url: fc.webUrl({ validSchemes: ['http', 'https'] }),
    headers: fc.dictionary(
      fc.stringMatching(/^X-[a-z]{1,8}$/),
      literal.filter((text) => !/[\u0000-\u0008\u000A-\u001F\u007F]|^[ \t]|[ \t]$/.test(text)),
      { maxKeys: 3 },
    ),
    oauth: fc.constant('login'),
    ...common,
  },
  { requiredKeys: ['url'] },
)

/** The value of a spec in which nothing is wrong. */
export const specValue = fc.record({
  version: fc.constant(1),
  servers: fc.dictionary(
    fc
      .stringMatching(/^[A-Za-z_-][A-Za-z0-9_-]{0,31}$/)
      .filter((name) => !['__proto__', 'constructor', 'prototype'].includes(name)),
    fc.oneof(stdio, http),
    { maxKeys: 4 },
  ),
})

/** Any value that a spec could have by mistake. */
export const anyValue = fc.object({
  maxDepth: 4,
  // Written without quotes by the library, `<<` would be a merge key.
  key: fc
    .oneof(
      fc.constantFrom(
        'version',
        'variables',
        'servers',
        'targets',
        'command',
        'url',
        'arguments',
        'environment',
        'tools',
        'oauth',
        'codex',
        '__proto__',
        'constructor',
        'toString',
      ),
      fc.string(),
    )
    .filter((key) => key !== '<<'),
  values: [fc.string(), fc.double(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant([]), literal],
})
