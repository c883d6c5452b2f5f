import { entryAt, type Node } from '../../spec/tree.ts'
import { readEntries, someEntryHas, untaken } from '../entry.ts'
import {
  essential,
  type Field,
  type FieldContext,
  type Fields,
  flag,
  ignored,
  oneOf,
  type Parts,
  tell,
  text,
  textIn,
  textMap,
  texts,
  transports,
  wrong,
} from '../fields.ts'
import { finding } from '../findings.ts'
import type { ForeignConfig, ForeignServer, Part } from '../foreign.ts'
import type { Form, FormContext } from '../form.ts'
import { editorVariables, type ReferenceSyntax } from '../references.ts'

const folderNames = ['workspaceFolder', 'workspaceFolderBasename', 'userHome', 'pathSeparator', '/']

/**
 * VS Code: `mcp.json`, as its reference page and its resolver of variables have it (2026). What it asks the user for
 * stands under `inputs`. What looks like `${NAME}` and is none of its names stays as it is.
 */
export const vscode: Form = {
  id: 'vscode',
  program: 'VS Code',
  syntax: 'json',
  places: [
    { scope: 'project', path: '.vscode/mcp.json' },
    { scope: 'user', path: 'Code/User/mcp.json', folder: '.config', variable: 'XDG_CONFIG_HOME' },
    { scope: 'user', path: 'Code/User/mcp.json', folder: 'Library/Application Support' },
    { scope: 'user', path: 'Code/User/mcp.json', folder: 'AppData/Roaming', variable: 'APPDATA' },
  ],
  fileNames: ['.vscode/mcp.json', 'code/user/mcp.json'],
  recognises: (root) => {
    const servers = entryAt(root, 'servers')?.value
    return servers?.kind === 'mapping' && entryAt(root, 'version') === undefined
  },
  references: editorVariables(
    [
      ...folderNames,
      ...['cwd', 'execPath', 'workspaceRoot', 'file', 'fileBasename', 'fileDirname', 'relativeFile'],
      ...['lineNumber', 'selectedText', 'defaultBuildTask'],
    ],
    ['input', 'config', 'command', 'workspaceFolder', 'extensionInstallFolder'],
  ),
  merge: 'whole',
  read: readVscode,
}

/** Cursor: `mcp.json`, as its reference page has it (2026). */
export const cursor: Form = {
  id: 'cursor',
  program: 'Cursor',
  syntax: 'json',
  places: [
    { scope: 'project', path: '.cursor/mcp.json' },
    { scope: 'user', path: 'mcp.json', folder: '.cursor' },
  ],
  fileNames: ['.cursor/mcp.json'],
  recognises: (root) => someEntryHas(root, 'mcpServers', ['envFile']),
  references: editorVariables(folderNames, []),
  merge: 'whole',
  read: (root, context) => {
    const { servers, findings } = readEntries(root, 'mcpServers', cursorFields, context)
    return {
      servers: servers.map(inProject),
      policies: [],
      findings: [...findings, ...untaken(root, ['mcpServers', '$schema'], context)],
    }
  },
}

const common: Fields = {
  type: transports(['stdio'], ['http', 'streamable-http', 'streamableHttp']),
  command: text('command'),
  args: texts,
  env: textMap('environment'),
  envFile: essential(
    'gives the server variables from a file, and a spec names each of them',
    'Declare the variables under `variables`, name them in the server, and load the file before `bridle run`.',
  ),
  cwd: text('workingDirectory'),
  url: text('url'),
  headers: textMap('headers'),
}

const confined = essential(
  'confines the server, and a spec has no field for that',
  'Write the server into the spec by hand if it may run without; `bridle run` starts it in a sandbox of its own.',
)

const vscodeFields: Fields = {
  ...common,
  oauth: login('oauth'),
  sandboxEnabled: oneOf({ true: confined, false: () => ({}) }),
  sandbox: confined,
  dev: ignored('it is for those who develop the server'),
  gallery: ignored('it says where VS Code has the server from'),
  version: ignored('it says which version VS Code has installed'),
}

const cursorFields: Fields = {
  ...common,
  auth: login('auth'),
  disabled: flag((disabled) => (disabled ? { enabled: false } : {})),
}

/** A login in the browser, of a client that was registered beforehand. */
function login(key: string): Field {
  return (node: Node, context: FieldContext): Parts => {
    if (node.kind !== 'mapping') return wrong('a mapping', context)
    const findings = node.entries.map(({ key: detail, value, ...place }) => {
      const where = { ...context, place }
      const isSecret = /secret/i.test(detail) && !/^\$\{[^}]*\}$/.test(textIn(value) ?? '')
      return isSecret
        ? tell(
            where,
            'BRIDLE423',
            `the secret in \`${key}.${detail}\` was not copied`,
            'Replace it where it was issued.',
          )
        : tell(
            where,
            'BRIDLE421',
            `\`${key}.${detail}\` is not carried over: a spec says \`oauth: login\`, and the harness registers itself`,
          )
    })
    return { oauth: 'login', findings }
  }
}

function readVscode(root: Node, context: FormContext): ForeignConfig {
  const inputs = readInputs(root)
  const references = withDefaults(context.form.references, inputs)
  const form = { ...context.form, references }
  const { servers, findings } = readEntries(root, 'servers', vscodeFields, { ...context, form })
  const used = context.raw(entryAt(root, 'servers')?.value ?? root)
  const unused = inputs.filter(({ id }) => !used.includes(`\${input:${id}}`))
  return {
    servers: servers.map(inProject),
    policies: [],
    findings: [
      ...findings,
      ...untaken(root, ['servers', 'inputs', '$schema'], context),
      ...unused.map(({ id, node }) =>
        finding('BRIDLE421', `the input \`${id}\` is not carried over: no server uses it`, {
          span: context.at(node),
        }),
      ),
    ],
  }
}

interface Input {
  readonly id: string
  readonly fallback?: string | undefined
  readonly isSecret: boolean
  readonly node: Node
}

function readInputs(root: Node): Input[] {
  const node = entryAt(root, 'inputs')?.value
  if (node?.kind !== 'list') return []
  return node.items.flatMap((item) => {
    const id = textIn(entryAt(item, 'id')?.value)
    return id === undefined
      ? []
      : [
          {
            id,
            fallback: textIn(entryAt(item, 'default')?.value),
            isSecret: isTrue(entryAt(item, 'password')?.value),
            node: item,
          },
        ]
  })
}

function isTrue(node: Node | undefined): boolean {
  return node?.kind === 'scalar' && node.value === true
}

function withDefaults(syntax: ReferenceSyntax, inputs: readonly Input[]): ReferenceSyntax {
  return {
    ...syntax,
    read: (match) => {
      const reference = syntax.read(match)
      const input = inputs.find(({ id }) => reference.kind === 'input' && id === reference.name)
      return input?.fallback === undefined
        ? reference
        : { ...reference, fallback: input.fallback, isSecret: input.isSecret }
    },
  }
}

/** The folder of the workspace is that of the spec, so as a working directory it can be said. */
function inProject(server: ForeignServer): ForeignServer {
  const { workingDirectory } = server
  const [first, second = '', ...rest] = workingDirectory?.parts ?? []
  const isWorkspace = typeof first === 'object' && first.kind === 'other' && first.name === 'workspaceFolder'
  if (
    workingDirectory === undefined ||
    !isWorkspace ||
    typeof second !== 'string' ||
    !/^([\\/]|$)/.test(second)
  ) {
    return server
  }
  const path: Part = second.replace(/^[\\/]+/, '') || '.'
  return { ...server, workingDirectory: { ...workingDirectory, parts: [path, ...rest] } }
}
