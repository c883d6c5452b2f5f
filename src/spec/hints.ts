import { looksSecret } from '../text/secret-shapes.ts'
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
    for (const { key, value } of targets.entries) checkSecrets(value, ['targets', key], report)
  }
}

function checkServer(server: Node, path: Path, report: Report): void {
  const command = entryAt(server, 'command')?.value
  if (command?.kind === 'scalar') checkCommand(command, [...path, 'command'], report)
  const tools = entryAt(server, 'tools')
  if (tools) {
    checkNames(entryAt(tools.value, 'include')?.value, [...path, 'tools', 'include'], report)
    checkNames(entryAt(tools.value, 'exclude')?.value, [...path, 'tools', 'exclude'], report)
  }
  checkNames(entryAt(server, 'requiresConfirmation')?.value, [...path, 'requiresConfirmation'], report)
  checkSecrets(server, path, report)
}

function checkCommand(node: ScalarNode, path: Path, report: Report): void {
  const command = String(node.value)
  if (command.startsWith('~/')) {
    warn(node, path, report, `\`~\` is not expanded in ${label(path)}.`, 'Write the whole path.')
  } else if (/\s/.test(command) && !command.includes('/')) {
    const message = `${label(path)} is one program, and ${quoted(command)} will hardly be its name.`
    warn(node, path, report, message, 'Write the rest into `arguments`, one by one.')
  }
}

function checkNames(list: Node | undefined, path: Path, report: Report): void {
  if (list?.kind !== 'list') return
  for (const item of list.items) {
    if (item.kind !== 'scalar' || !/[*?]/.test(String(item.value))) continue
    const message = `${quoted(String(item.value))} is the exact name of a tool: there are no patterns.`
    warn(item, path, report, message, 'Write each name. `bridle tools` lists them.')
  }
}

function checkSecrets(node: Node, path: Path, report: Report): void {
  if (node.kind === 'scalar') {
    if (typeof node.value !== 'string' || !looksSecret(node.value)) return
    add(report, 'BRIDLE219', `${label(path)} looks like a secret.`, report.source.at(node), path, {
      severity: 'warning',
      help: 'Declare a variable for it and use it by name. Where a spec was shared, the secret is to be replaced.',
    })
  } else if (node.kind === 'list') {
    for (const [index, item] of node.items.entries()) checkSecrets(item, [...path, index], report)
  } else {
    for (const { key, value } of node.entries) checkSecrets(value, [...path, key], report)
  }
}

function warn(node: Node, path: Path, report: Report, message: string, help: string): void {
  add(report, 'BRIDLE218', message, report.source.at(node), path, { severity: 'warning', help })
}
