import type * as z from 'zod/mini'
import { add, label, quoted, type Report } from './report.ts'
import { keyTraits } from './schema.ts'
import type { Path } from './spec.ts'
import { mostLike } from './suggest.ts'
import type { Entry, MappingNode } from './tree.ts'

export type ObjectSchema = z.core.$ZodObject

/** Reports a key that a mapping does not have, with what was most likely meant. */
export function unknownKey(entry: Entry, schema: ObjectSchema, path: Path, report: Report) {
  const { later = [], foreign = {} } = keyTraits.get(schema) ?? {}
  const { key } = entry
  const span = report.source.at(entry)
  if (later.includes(key)) {
    add(report, 'BRIDLE212', `\`${key}\` is not yet part of the language.`, span, path, {
      help: 'It is reserved for a later version of Bridle. Remove it for now.',
    })
    return
  }
  const known = Object.keys(schema._zod.def.shape)
  const { value } = entry
  const pair = value.kind === 'scalar' ? `${key}: ${value.value}` : key
  const meant = [pair, key].find((name) => Object.hasOwn(foreign, name))
  const help = meant === undefined ? suggestion(key, known) : `Write ${foreign[meant]}.`
  add(report, 'BRIDLE202', `Unknown key ${quoted(key)}.`, span, path, { help })
}

function suggestion(key: string, known: readonly string[]): string {
  const like = mostLike(key, known)
  return like === undefined
    ? `Known here: ${known.join(', ')}. A key that begins with \`x-\` is left alone.`
    : `Did you mean \`${like}\`?`
}

/** Reports that a mapping lacks a key: at its first key, since the whole would be a wall of text. */
export function reportMissing(key: string, node: MappingNode, path: Path, report: Report) {
  const isRoot = path.length === 0
  const span = report.source.at(isRoot ? { start: node.start, end: node.start } : (node.entries[0] ?? node))
  const code = key === 'version' ? 'BRIDLE203' : 'BRIDLE217'
  add(report, code, `\`${key}\` is missing in ${isRoot ? 'the spec' : label(path)}.`, span, path, {
    help: remedies[key] ?? `Add \`${key}\`.`,
  })
}

const remedies: Readonly<Record<string, string>> = {
  version: 'Write `version: 1` at the top.',
  servers: 'Write `servers: {}` if there are none yet.',
}
