import { isCredential, isSecret, isSecretHeader, secretArguments, urlSecrets } from '../text/secrets.ts'
import { add, label, quoted, type Report } from './report.ts'
import type { Path } from './spec.ts'
import { entryAt, type MappingNode, type Node, type ScalarNode } from './tree.ts'

/** Warns of what is legal and hardly ever meant. Literal means literal, so each of these would stay as it is written. */
export function checkHints(root: MappingNode, report: Report): void {
  const servers = entryAt(root, 'servers')?.value
  if (servers?.kind === 'mapping') {
    for (const { key, value } of servers.entries) checkServer(value, ['servers', key], report)
  }
  const targets = entryAt(root, 'targets')?.value
  if (targets?.kind === 'mapping') {
    for (const { key, value } of targets.entries) checkSecrets(value, ['targets', key], 'text', report)
  }
}

function checkServer(server: Node, path: Path, report: Report): void {
  const command = entryAt(server, 'command')?.value
  if (command?.kind === 'scalar') checkCommand(command, [...path, 'command'], report)
  checkNpx(server, path, report)
  const folder = entryAt(server, 'workingDirectory')?.value
  if (folder?.kind === 'scalar')
    checkUnexpanded(folder, [...path, 'workingDirectory'], /^(?:~(?=\/|$)|\$[A-Za-z_]\w*)/, report)
  const environment = entryAt(server, 'environment')?.value
  for (const { key, value } of environment?.kind === 'mapping' ? environment.entries : []) {
    const inPath = /PATH$/i.test(key)
      ? /(?<=^|:)(?:~(?=\/|$)|\$[A-Za-z_]\w*)/
      : /^(?:~(?=\/)|\$(?:HOME|PWD|USER)(?!\w))/
    if (value.kind === 'scalar') checkUnexpanded(value, [...path, 'environment', key], inPath, report)
  }
  const tools = entryAt(server, 'tools')
  if (tools) {
    checkNames(entryAt(tools.value, 'include')?.value, [...path, 'tools', 'include'], report)
    checkNames(entryAt(tools.value, 'exclude')?.value, [...path, 'tools', 'exclude'], report)
  }
  checkNames(entryAt(server, 'requiresConfirmation')?.value, [...path, 'requiresConfirmation'], report)
  checkSecrets(server, path, 'text', report)
}

function checkCommand(node: ScalarNode, path: Path, report: Report): void {
  const command = String(node.value)
  if (/^(?:~\/|\$HOME\/)/.test(command)) {
    checkUnexpanded(node, path, /^(?:~|\$HOME)/, report)
  } else if (/\s/.test(command) && !command.includes('/')) {
    const message = `${label(path)} is one program, and ${quoted(command)} will hardly be its name.`
    warn(node, path, report, message, 'Write the rest into `arguments`, one by one.')
  }
}

/** What a shell would replace: whoever wrote it meant a path of this machine. */
function checkUnexpanded(node: ScalarNode, path: Path, pattern: RegExp, report: Report): void {
  const [found] = pattern.exec(String(node.value)) ?? []
  if (found === undefined) return
  warn(node, path, report, `\`${found}\` is not expanded in ${label(path)}.`, 'Write the whole path.')
}

/** npx asks before it installs a package, and there is nobody to answer: the server hangs. */
function checkNpx(server: Node, path: Path, report: Report): void {
  const [command, list] = [entryAt(server, 'command')?.value, entryAt(server, 'arguments')?.value]
  if (command === undefined || !/(?:^|\/)npx$/.test(textOf(command) ?? '') || list?.kind !== 'list') return
  const texts = list.items.map(textOf)
  const first = texts.findIndex((text) => text !== undefined && !text.startsWith('-'))
  const own = first === -1 ? texts : texts.slice(0, first)
  if (own.some((text) => /^(?:-y|--yes|--no|--no-install|--offline)$/.test(text ?? ''))) return
  const place = list.items[Math.max(first, 0)]
  if (place === undefined) return
  const message = '`npx` asks before it installs a package, and nobody is there to answer.'
  warn(place, [...path, 'arguments'], report, message, 'Write `-y` before the name of the package.')
}

function checkNames(list: Node | undefined, path: Path, report: Report): void {
  if (list?.kind !== 'list') return
  for (const item of list.items) {
    if (item.kind !== 'scalar' || !/[*?]/.test(String(item.value))) continue
    const message = `${quoted(String(item.value))} is the exact name of a tool: there are no patterns.`
    warn(item, path, report, message, 'Write each name. `bridle tools` lists them.')
  }
}

/** What a text is: whether it is a secret is judged the same way as in an import. */
type Role = 'text' | 'setting' | 'header' | 'url'

const judges: Readonly<Record<Role, (name: string, value: string) => boolean>> = {
  text: (_, value) => isCredential(value),
  setting: isSecret,
  header: isSecretHeader,
  // That an address names a user is an error of its own.
  url: (_, value) => urlSecrets(value).some((part) => part !== 'user'),
}

const rolesBelow: ReadonlyMap<string, Role> = new Map([
  ['environment', 'setting'],
  ['headers', 'header'],
  ['url', 'url'],
])

function checkSecrets(node: Node, path: Path, role: Role, report: Report): void {
  if (node.kind === 'scalar') {
    const name = path.findLast((step) => step !== 'verbatim')
    if (typeof node.value === 'string' && judges[role](String(name), node.value))
      tellSecret(node, path, report)
  } else if (node.kind === 'list') {
    const secrets = path.at(-1) === 'arguments' ? secretArguments(node.items.map(textOf)) : []
    for (const [index, item] of node.items.entries()) {
      if (secrets.includes(index)) tellSecret(withoutVerbatim(item), [...path, index], report)
      else checkSecrets(item, [...path, index], role, report)
    }
  } else {
    for (const { key, value } of node.entries) {
      checkSecrets(value, [...path, key], role === 'text' ? (rolesBelow.get(key) ?? role) : role, report)
    }
  }
}

/** Of a text that is meant verbatim, the text itself. */
function withoutVerbatim(node: Node): Node {
  return entryAt(node, 'verbatim')?.value ?? node
}

function textOf(node: Node): string | undefined {
  const scalar = withoutVerbatim(node)
  return scalar.kind === 'scalar' && typeof scalar.value === 'string' ? scalar.value : undefined
}

function tellSecret(node: Node, path: Path, report: Report): void {
  add(report, 'BRIDLE219', `${label(path)} looks like a secret.`, report.source.at(node), path, {
    severity: 'warning',
    help: 'Declare a variable for it and use it by name. Where a spec was shared, the secret is to be replaced.',
  })
}

function warn(node: Node, path: Path, report: Report, message: string, help: string): void {
  add(report, 'BRIDLE218', message, report.source.at(node), path, { severity: 'warning', help })
}
