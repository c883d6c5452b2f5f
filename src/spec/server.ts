import { checkDistinct, exclude, namesIn } from './exclusions.ts'
import { unknownKey } from './keys.ts'
import { add, label, type Report } from './report.ts'
import { type AnyServerInput, anyServer, httpServer, stdioServer } from './schema.ts'
import type { Path } from './spec.ts'
import { type Entry, entryAt, type MappingNode, type Node } from './tree.ts'
import { type Draft, type UnknownKey, validateFields } from './validate.ts'

/** Checks one server: its kind, its fields, and what they say together. */
export function readServer(node: Node, path: Path, report: Report): Draft<AnyServerInput> | undefined {
  if (node.kind === 'mapping') {
    const headers = namesIn(node, 'headers', 'headerVariables')
    checkKind(node, path, report)
    checkCredentials(node, headers, path, report)
    checkDistinct(namesIn(node, 'environment', 'variables'), 'variable', path, report)
    checkDistinct(headers, 'header', path, report, lowerCase)
  }
  return validateFields(schemaFor(node), node, path, report, keyOfOtherKind)
}

/** A server that does not say of which kind it is may have the fields of both, so that these are checked too. */
function schemaFor(node: Node) {
  const [command, url] = [entryAt(node, 'command'), entryAt(node, 'url')]
  if ((command === undefined) === (url === undefined)) return anyServer
  return command === undefined ? httpServer : stdioServer
}

function checkKind(node: MappingNode, path: Path, report: Report) {
  const [command, url] = [entryAt(node, 'command'), entryAt(node, 'url')]
  if (command !== undefined && url !== undefined) {
    const message = `${label(path)} has both a \`command\` and a \`url\`.`
    exclude('BRIDLE204', message, 'Keep the one that is meant.', command, url, path, report)
  }
  if (command === undefined && url === undefined) {
    const message = `${label(path)} has neither a \`command\` nor a \`url\`.`
    add(report, 'BRIDLE204', message, report.source.span(path, 'key'), path, {
      help: 'Write `command` for a program to start, or `url` for a server that is reached over HTTP.',
    })
  }
}

/** Names of headers do not distinguish case (RFC 9110 5.1). */
function lowerCase(name: string): string {
  return name.toLowerCase()
}

/** At most one setting may say how the server knows its user. */
function checkCredentials(node: MappingNode, headers: readonly Entry[], path: Path, report: Report) {
  const authorization = headers.find(({ key }) => lowerCase(key) === 'authorization')
  const credentials = [authorization, entryAt(node, 'bearerTokenVariable'), entryAt(node, 'oauth')]
  const [first, ...others] = credentials.filter((entry) => entry !== undefined)
  for (const other of others) {
    if (first === undefined) continue
    const message = `\`${first.key}\` and \`${other.key}\` both say how to log in.`
    const help = 'Keep one of `bearerTokenVariable`, `oauth` and an Authorization header.'
    exclude('BRIDLE211', message, help, first, other, path, report)
  }
}

const keyOfOtherKind: UnknownKey = (entry, schema, path, report) => {
  const isStdio = schema === stdioServer
  const other = isStdio ? httpServer : stdioServer
  if (schema === anyServer || !Object.hasOwn(other._zod.def.shape, entry.key)) {
    unknownKey(entry, schema, path, report)
    return
  }
  const [own, theirs] = isStdio ? ['command', 'url'] : ['url', 'command']
  const message = `\`${entry.key}\` is for a server with a \`${theirs}\`; this one has a \`${own}\`.`
  const help = alternatives[entry.key] ?? 'Remove it.'
  add(report, 'BRIDLE216', message, report.source.at(entry), path, { help })
}

/** What to write in a server of the other kind. */
const alternatives: Readonly<Record<string, string>> = {
  environment: 'A server that is reached over HTTP takes `headers`.',
  variables: 'A server that is reached over HTTP takes `headerVariables` or `bearerTokenVariable`.',
  headers: 'A server that is started as a command takes `environment`.',
  headerVariables: 'A server that is started as a command takes `variables`.',
  bearerTokenVariable: 'A server that is started as a command takes `variables`.',
}
