import picocolors from 'picocolors'
import type { FileOutcome } from '../install/install.ts'
import type { Change } from '../install/judge-entries.ts'
import { count } from '../text/count.ts'
import { coverLine } from '../text/cover-secrets.ts'
import { coverPrivateKeys } from '../text/secret-shapes.ts'
import { shown } from '../text/shown.ts'

/** What was written, and when the harness reads it. */
export function describeFiles(files: readonly FileOutcome[], failed: boolean): string {
  const changed = files.filter(({ changes }) => changes.length > 0)
  if (changed.length === 0) {
    if (failed) return ''
    const there = files.filter(({ after }) => after !== undefined)
    return there.length === 0
      ? 'nothing to do: no entry of Bridle is recorded\n'
      : `nothing to do: ${count(there.length, 'file')} checked\n`
  }
  return changed
    .map((file) => `${lineOf(file, pastWords)}${file.readWhen.map((when) => `  ${when}\n`).join('')}`)
    .join('')
}

/** What a build would do. */
export function describeChanges(files: readonly FileOutcome[]): string {
  return files.map((file) => lineOf(file, futureWords)).join('')
}

type Words = Readonly<Record<Change['kind'], string>>
const pastWords: Words = { added: 'added', changed: 'changed', removed: 'removed' }
const futureWords: Words = { added: 'would add', changed: 'would change', removed: 'would remove' }

function lineOf({ shown: file, changes, program }: FileOutcome, words: Words): string {
  const parts = (['added', 'changed', 'removed'] as const).flatMap((kind) => {
    const names = changes.filter((change) => change.kind === kind).map(nameOf)
    return names.length === 0 ? [] : [`${words[kind]} ${listOf(names)}`]
  })
  const through = program === undefined ? '' : ` (through \`${program}\`)`
  return `${shown(file)}: ${parts.join('; ')}${through}\n`
}

const mostNames = 20

function listOf(names: readonly string[]): string {
  const rest = names.length - mostNames
  return rest > 0 ? `${names.slice(0, mostNames).join(', ')} and ${rest} more` : names.join(', ')
}

function nameOf({ entry: { kind, path, value } }: Change): string {
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

/** The difference of a file as `diff -u` has it; what looks like a secret is covered, since output ends up in logs. */
export async function differences(file: FileOutcome, hasColors: boolean): Promise<string> {
  if (file.program !== undefined) return lineOf(file, futureWords)
  const { createTwoFilesPatch } = await import('diff')
  const [from, to] = [file.before, file.after].map((text) => (text === undefined ? '/dev/null' : file.shown))
  const texts = [coverPrivateKeys(file.before ?? ''), coverPrivateKeys(file.after ?? '')] as const
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
