import picocolors from 'picocolors'
import { type Json, serialize } from '../compile/serialize.ts'
import type { FileOutcome } from '../install/install.ts'
import type { Change } from '../install/judge-entries.ts'
import { count } from '../text/count.ts'
import { coverLine } from '../text/cover-secrets.ts'
import { coverPrivateKeys } from '../text/secret-shapes.ts'
import { shown } from '../text/shown.ts'

/** What was written, and when the harness reads it. */
export function describeFiles(files: readonly FileOutcome[], failed: boolean): string {
  const changed = files.filter(isTold)
  if (changed.length === 0) {
    if (failed) return ''
    const there = files.filter(({ after }) => after !== undefined)
    return there.length === 0
      ? 'nothing to do: no entry of Bridle is recorded\n'
      : `nothing to do: ${count(there.length, 'file')} checked\n`
  }
  return changed
    .map((file) => {
      const readWhen = file.changes.length > 0 ? file.readWhen : []
      return `${lineOf(file, pastWords)}${readWhen.map((when) => `  ${when}\n`).join('')}`
    })
    .join('')
}

function isTold({ changes, takenOver }: FileOutcome): boolean {
  return changes.length + takenOver.length > 0
}

/** What a build would do. */
export function describeChanges(files: readonly FileOutcome[]): string {
  return files
    .filter(isTold)
    .map((file) => lineOf(file, futureWords))
    .join('')
}

/** What a build would do that is in no difference of the files. */
export function describeTakenOver(files: readonly FileOutcome[]): string {
  return describeChanges(files.map((file) => ({ ...file, changes: [] })))
}

/** By which harnesses the entries were read back as they are to be. */
export function describeVerified(titles: readonly string[]): string {
  const readers = [...new Set(titles)].join(', ')
  return readers === '' ? 'nothing was read back\n' : `read back as the spec has it: ${readers}\n`
}

type Words = Readonly<Record<Change['kind'] | 'takenOver', string>>
const pastWords: Words = { added: 'added', changed: 'changed', removed: 'removed', takenOver: 'took over' }
const futureWords: Words = {
  added: 'would add',
  changed: 'would change',
  removed: 'would remove',
  takenOver: 'would take over',
}

function lineOf({ shown: file, changes, takenOver, program }: FileOutcome, words: Words): string {
  const parts = (['added', 'changed', 'removed'] as const).flatMap((kind) => {
    const names = changes.filter((change) => change.kind === kind).map(nameOf)
    return names.length === 0 ? [] : [`${words[kind]} ${listOf(names)}`]
  })
  const through = program === undefined || parts.length === 0 ? '' : ` (through \`${program}\`)`
  const there = takenOver.length === 1 ? 'which is there already' : 'which are there already'
  const taken =
    takenOver.length === 0
      ? []
      : [`${words.takenOver} ${listOf(takenOver.map(nameOfEntry))}, ${there} as the spec has it`]
  const done = parts.length === 0 ? [] : [`${parts.join('; ')}${through}`]
  return `${shown(file)}: ${[...done, ...taken].join('; ')}\n`
}

const mostNames = 20

function listOf(names: readonly string[]): string {
  const rest = names.length - mostNames
  return rest > 0 ? `${names.slice(0, mostNames).join(', ')} and ${rest} more` : names.join(', ')
}

function nameOf({ entry }: Change): string {
  return nameOfEntry(entry)
}

function nameOfEntry({ kind, path, value }: FileOutcome['takenOver'][number]): string {
  const name = path.join('.')
  return shown(kind === 'element' ? `${name}[${String(value)}]` : name)
}

/** Finding the fewest lines that differ takes as many steps as the square of their number. */
const mostEdits = 5_000

/** All lines from the first to the last that differ, for texts that have little in common. */
function wholePatch(from: string, to: string, before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const shortest = Math.min(old.length, now.length)
  let start = 0
  while (start < shortest && old[start] === now[start]) start++
  let end = 0
  while (end < shortest - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const [gone, come] = [old.slice(start, old.length - end), now.slice(start, now.length - end)]
  const heading = `@@ -${start + 1},${gone.length} +${start + 1},${come.length} @@`
  const lines = [...gone.map((line) => `-${line}`), ...come.map((line) => `+${line}`)]
  return [`--- ${from}`, `+++ ${to}`, heading, ...lines, ''].join('\n')
}

/** Of a file that its harness changes, the entries alone: the rest of it is not Bridle's to know. */
function entriesIn({ changes }: FileOutcome): readonly [before: string, after: string] {
  const textOf = (choose: (change: Change) => Json | undefined) =>
    serialize(
      'json',
      Object.fromEntries(
        changes.flatMap((change) => {
          const value = choose(change)
          return value === undefined ? [] : [[change.entry.path.join('.'), value]]
        }),
      ),
    )
  return [
    textOf(({ before }) => before),
    textOf(({ kind, entry }) => (kind === 'removed' ? undefined : entry.value)),
  ]
}

/** The difference of a file as `diff -u` has it; what looks like a secret is covered, since output ends up in logs. */
export async function differences(file: FileOutcome, hasColors: boolean): Promise<string> {
  const { createTwoFilesPatch } = await import('diff')
  const [before, after] = file.program === undefined ? [file.before, file.after] : entriesIn(file)
  const [from, to] = [before, after].map((text) => (text === undefined ? '/dev/null' : file.shown))
  const texts = [coverPrivateKeys(before ?? ''), coverPrivateKeys(after ?? '')] as const
  const patch =
    createTwoFilesPatch(from ?? '', to ?? '', ...texts, undefined, undefined, { maxEditLength: mostEdits }) ??
    wholePatch(from ?? '', to ?? '', ...texts)
  const colors = picocolors.createColors(hasColors)
  return patch
    .slice(patch.indexOf('--- ')) // behind a heading that only some programs know
    .split('\n')
    .map((line) => shown(coverLine(line)))
    .map((line) => {
      if (/^(---|\+\+\+) /.test(line)) return colors.bold(line)
      if (line.startsWith('+')) return colors.green(line)
      if (line.startsWith('-')) return colors.red(line)
      return line.startsWith('@@') ? colors.cyan(line) : line
    })
    .join('\n')
}
