import * as z from 'zod/mini'
import type { Origins } from './edit/document.ts'

/**
 * What Bridle has written into files that are not its own, so that it can change it and take it out again. Holds names,
 * places and fingerprints, and no value. In a project it is meant to be committed: nothing in it depends on the machine.
 */
export interface State {
  /**
   * The spec that it is for: relative to the project with `/`. Absent of the user's files, for which there is one spec
   * only, and where an older Bridle wrote it.
   */
  readonly spec?: string
  /** By the path of the file: relative to the project with `/`; of the user's files absolute. */
  readonly files: Readonly<Record<string, FileRecord>>
}

export interface FileRecord {
  /** The ids of the targets that it was written for. */
  readonly targets: readonly string[]
  /** Whether the file was made by Bridle. */
  readonly created: boolean
  /** Folders that Bridle made for it, outermost first; named as the file is. */
  readonly folders: readonly string[]
  /** By JSON pointer of the entry, its fingerprint; two while a build is at work, the old one and the new one. */
  readonly members: Readonly<Record<string, readonly string[]>>
  /** By JSON pointer of the array, the fingerprints of the elements that Bridle put into it. */
  readonly elements: Readonly<Record<string, readonly string[]>>
  readonly origins: Origins
}

export const emptyState: State = { files: {} }

const fingerprints = () => z.record(z.string(), z.array(z.string().check(z.regex(/^[0-9a-f]{64}$/))))

const schema = z.lazy(() =>
  z.strictObject({
    version: z.literal(1),
    spec: z.optional(z.string()),
    files: z.record(
      z.string(),
      z.strictObject({
        targets: z.array(z.string()),
        created: z.optional(z.boolean()),
        folders: z.optional(z.array(z.string())),
        members: z.optional(fingerprints()),
        elements: z.optional(fingerprints()),
        origins: z.optional(z.record(z.string(), z.nullable(z.string()))),
      }),
    ),
  }),
)

/**
 * The state in a text, or undefined when there is none in it. Paths that lead elsewhere are none (see `isOwnPath`), and
 * neither is an entry that lies in another one: Bridle writes no such state.
 */
export function parseState(text: string, isOwnPath: (path: string) => boolean): State | undefined {
  const parsed = schema.safeParse(jsonOf(text))
  if (!parsed.success) return undefined
  const files = Object.entries(parsed.data.files).map(
    ([path, { targets, created = false, folders = [], members = {}, elements = {}, origins = {} }]) =>
      [path, { targets, created, folders, members, elements, origins }] as const,
  )
  const paths = files.flatMap(([path, { folders }]) => [path, ...folders])
  const isSound = paths.every(isOwnPath) && files.every(([, record]) => hasSeparateEntries(record))
  const { spec } = parsed.data
  return isSound ? { ...(spec !== undefined && { spec }), files: Object.fromEntries(files) } : undefined
}

/** Each pointer with a slash behind it, in order: what lies in another stands right behind that. */
function hasSeparateEntries({ members, elements }: FileRecord): boolean {
  const ordered = [...Object.keys(members), ...Object.keys(elements)].map((pointer) => `${pointer}/`).sort()
  return ordered.every((pointer, index) => {
    const before = ordered[index - 1]
    return /^\/./.test(pointer) && (before === undefined || !pointer.startsWith(before))
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The same state always gives the same text: sorted, and without what is empty. Ends with a line feed. */
export function serializeState({ spec, files }: State): string {
  const records = sorted(files).map(([path, record]) => [
    path,
    {
      targets: [...record.targets].sort(),
      ...(record.created && { created: true }),
      ...(record.folders.length > 0 && { folders: record.folders }),
      ...unlessEmpty('members', sorted(record.members)),
      ...unlessEmpty(
        'elements',
        sorted(record.elements).map(([pointer, list]) => [pointer, [...list].sort()]),
      ),
      ...unlessEmpty('origins', sorted(record.origins)),
    },
  ])
  const state = { version: 1, ...(spec !== undefined && { spec }), files: Object.fromEntries(records) }
  return `${JSON.stringify(state, null, 2)}\n`
}

/**
 * A state that is true before, during and after the step from one state to the other: what either has put into a file
 * is Bridle's. It is written before the files are, and the new state after them.
 */
export function between(before: State, after: State): State {
  const paths = new Set([...Object.keys(before.files), ...Object.keys(after.files)])
  const files = [...paths].map((path) => [path, recordBetween(before.files[path], after.files[path])])
  const spec = after.spec ?? before.spec
  return { ...(spec !== undefined && { spec }), files: Object.fromEntries(files) }
}

function recordBetween(before: FileRecord = noRecord, after: FileRecord = noRecord): FileRecord {
  return {
    targets: union(before.targets, after.targets),
    created: before.created || after.created,
    folders: union(before.folders, after.folders).sort(),
    members: unionOfLists(before.members, after.members),
    elements: unionOfLists(before.elements, after.elements),
    origins: { ...before.origins, ...after.origins },
  }
}

export const noRecord: FileRecord = {
  targets: [],
  created: false,
  folders: [],
  members: {},
  elements: {},
  origins: {},
}

function unionOfLists(
  one: Readonly<Record<string, readonly string[]>>,
  other: Readonly<Record<string, readonly string[]>>,
): Record<string, readonly string[]> {
  const keys = union(Object.keys(one), Object.keys(other))
  return Object.fromEntries(keys.map((key) => [key, union(one[key] ?? [], other[key] ?? [])]))
}

function union(one: readonly string[], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])]
}

function sorted<Value>(record: Readonly<Record<string, Value>>): [string, Value][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))
}

function unlessEmpty(key: string, members: readonly (readonly [string, unknown])[]): object {
  return members.length === 0 ? {} : { [key]: Object.fromEntries(members) }
}
