import type { DocumentFault, Edit, EntryPlace, Origins, ParseResult } from './edit/document.ts'
import type { Entry } from './entries.ts'
import { type Change, type Conflict, type JudgeInput, judgeEntries } from './judge-entries.ts'
import type { FileRecord } from './state.ts'

/** What one file says and what it is to say. */
export interface FileInput extends Omit<JudgeInput, 'document'> {
  /** Undefined when there is no such file. */
  readonly text: string | undefined
  readonly parse: (text: string) => ParseResult
  /** Whether the harness itself changes the file: its text is then not Bridle's to make. */
  readonly isForeign: boolean
}

export interface FilePlan {
  /** Undefined: no file. */
  readonly text: string | undefined
  /** Without the targets and the folders, which are the caller's; undefined when nothing in the file is Bridle's. */
  readonly record: Pick<FileRecord, 'created' | 'members' | 'elements' | 'origins'> | undefined
  readonly changes: readonly Change[]
  /** Entries that are not Bridle's own to change. With any, nothing may be written. */
  readonly conflicts: readonly Conflict[]
  readonly fault?: DocumentFault
}

/**
 * What becomes of a file, told from its text, the wanted entries and the record of earlier builds (`judgeEntries` says
 * whose each entry is). Pure. A file in which nothing is to be done is not even parsed.
 */
export function planFile(input: FileInput): FilePlan {
  const { text, wanted, record } = input
  if (wanted.length === 0 && isEmpty(record)) return { text, record: undefined, changes: [], conflicts: [] }
  const parsed = input.parse(text ?? '')
  if ('fault' in parsed) return refused(input, parsed.fault)
  const { document } = parsed
  const { changes, record: next, conflicts } = judgeEntries({ ...input, document })
  if (conflicts.length > 0) return { text, record, changes: [], conflicts }
  const origins = record?.origins ?? {}
  const edited = input.isForeign
    ? { text: text ?? '', origins }
    : document.edit(editsOf(wanted, changes), origins)
  if ('refusal' in edited) return refused(input, edited.refusal)
  const created = !input.isForeign && (text === undefined || record?.created === true)
  if (isEmpty(next)) {
    const isGone = created && edited.text.trim() === ''
    return { text: isGone ? undefined : edited.text, record: undefined, changes, conflicts }
  }
  return {
    text: edited.text,
    record: { created, ...next, origins: needed(edited.origins, next) },
    changes,
    conflicts,
  }
}

/** Without those of tables in which nothing is Bridle's: a build that was killed may have left them. */
function needed(origins: Origins, { members, elements }: Pick<FileRecord, 'members' | 'elements'>): Origins {
  const entries = [...Object.keys(members), ...Object.keys(elements)]
  const isNeeded = (pointer: string) =>
    entries.some((entry) => entry === pointer || entry.startsWith(`${pointer}/`))
  return Object.fromEntries(Object.entries(origins).filter(([pointer]) => isNeeded(pointer)))
}

function refused({ text, record }: FileInput, fault: DocumentFault): FilePlan {
  return { text, record, changes: [], conflicts: [], fault }
}

function isEmpty(record: Pick<FileRecord, 'members' | 'elements'> | undefined): boolean {
  return (
    record === undefined || Object.keys(record.members).length + Object.keys(record.elements).length === 0
  )
}

/** Wanted entries that are there already too: the editor looks at each, and finds a key that stands twice. */
function editsOf(wanted: readonly Entry[], changes: readonly Change[]): Edit[] {
  const removed = changes.filter(({ kind }) => kind === 'removed').map(({ entry }) => entry)
  return [
    ...wanted.map((entry) => ({ ...placeOf(entry), value: entry.value })),
    ...removed.map((entry) => ({ ...placeOf(entry), value: undefined })),
  ]
}

function placeOf({ kind, path, value }: Entry): EntryPlace {
  return kind === 'element' ? { path, element: value } : { path }
}
