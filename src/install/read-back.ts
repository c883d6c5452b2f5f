import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { InstalledFile, ReadBack } from '../compile/installed-file.ts'
import { type Json, type JsonObject, serialize } from '../compile/serialize.ts'
import type { Target } from '../compile/target.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { Environment } from '../host/environment.ts'
import { type Entry, isSame } from './entries.ts'
import { runProgram } from './run-program.ts'

export interface ReadBackRequest {
  readonly target: Target
  readonly installed: InstalledFile
  /** As they will stand in the file. */
  readonly entries: readonly Entry[]
  /** Whether nobody else reads the file: then every key is for this harness. */
  readonly isAlone: boolean
  readonly environment: Environment
  readonly findProgram: (name: string) => string | undefined
}

/**
 * What the installed harness reads otherwise than it was written. It is asked in a folder of its own, in which nothing
 * but these entries stands: it sees no file of the user's, and none is changed.
 */
export async function readBack({
  target,
  installed,
  entries,
  isAlone,
  environment,
  findProgram,
}: ReadBackRequest): Promise<Diagnostic[]> {
  const members = entries.filter(({ kind }) => kind === 'member')
  const { readBack: how } = installed
  if (members.length === 0) return []
  if (how === undefined) {
    const message = `${target.title} has no way to tell what it reads, so its file was not read back`
    return [diagnostic('BRIDLE412', 'note', message, { target: target.id })]
  }
  const executable = findProgram(how.executable)
  if (executable === undefined) {
    return [differs(target, `\`${how.executable}\` was not found on PATH, so nothing could be read back`)]
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'bridle-read-back-'))
  try {
    const told = await ask(how, executable, members, folder, environment)
    if ('failure' in told) return [differs(target, `${target.title} could not read it: ${told.failure}`)]
    return members.flatMap(({ path: at, value }) => {
      const name = at.at(-1) ?? ''
      return differencesOf(name, value, told.entries[name], how.tellsAll && isAlone).map((words) =>
        differs(target, `${target.title} ${words}`, name),
      )
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** In a text of the whole document, or one by one over standard input. */
async function ask(
  how: ReadBack,
  executable: string,
  members: readonly Entry[],
  folder: string,
  { PATH, XDG_CACHE_HOME, HOME }: Environment,
): Promise<{ readonly entries: Readonly<Record<string, JsonObject>> } | { readonly failure: string }> {
  const byName = Object.fromEntries(members.map(({ path: at, value }) => [at.at(-1) ?? '', value]))
  if (how.document !== undefined) {
    const { path: name, format, table } = how.document
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), serialize(format, { [table]: byName }))
  }
  const answers: string[] = []
  for (const { arguments: args, input = '' } of how.questions(byName)) {
    const ended = await runProgram(executable, args, input, {
      // Some unpack themselves into the cache: once for all, as when they are started by hand.
      environment: {
        PATH,
        HOME: folder,
        LANG: 'C.UTF-8',
        XDG_CACHE_HOME: XDG_CACHE_HOME ?? (HOME === undefined ? undefined : path.join(HOME, '.cache')),
        [how.folderVariable]: folder,
      },
      workingDirectory: folder,
    })
    if (ended.failure !== undefined) return { failure: ended.failure }
    answers.push(ended.stdout)
  }
  try {
    const { answerFile } = how
    return {
      entries: how.entries(
        answerFile === undefined ? answers : [readFileSync(path.join(folder, answerFile), 'utf8')],
      ),
    }
  } catch {
    return { failure: 'its answer is not as expected' }
  }
}

/** Of what it tells; what it keeps to itself cannot be compared. */
function differencesOf(name: string, wanted: Json, told: JsonObject | undefined, isWhole: boolean): string[] {
  if (told === undefined) return [`does not read \`${name}\` at all`]
  return Object.entries(wanted ?? {})
    .filter(([key, value]) => (isWhole || Object.hasOwn(told, key)) && !isSame(told[key], value))
    .map(([key]) => `reads another value at \`${name}.${key}\``)
}

function differs(target: Target, message: string, server?: string): Diagnostic {
  return diagnostic('BRIDLE412', 'error', message, {
    target: target.id,
    server,
    help: '`bridle targets` names the version that Bridle is proved with; without `--verify` the files are written all the same',
  })
}
