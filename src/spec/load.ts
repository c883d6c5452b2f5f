import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import type { Code } from '../diagnostics/codes.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import { findSpec, findUserSpec } from './find.ts'
import { readSpec } from './read.ts'
import type { Source, Spec } from './spec.ts'

export interface LoadOptions {
  /** Absolute. */
  readonly cwd: string
  /** The home folder, absolute. */
  readonly home: string
  /** The spec, when it was named: relative to `cwd`. */
  readonly config?: string | undefined
  /** The spec of the user instead of the project's. */
  readonly user?: boolean | undefined
  /** `$XDG_CONFIG_HOME`; by default `.config` in the home folder. */
  readonly configHome?: string | undefined
  /** The targets that there are. */
  readonly targetIds: readonly string[]
}

export interface LoadResult {
  /** Absent when there are errors. */
  readonly spec?: Spec
  /** Absent when no text could be read. */
  readonly source?: Source
  readonly diagnostics: readonly Diagnostic[]
}

/** Finds the spec, reads its file and checks it. Whatever is wrong is a diagnostic; nothing is thrown. */
export async function loadSpec(options: LoadOptions): Promise<LoadResult> {
  const found = locate(options)
  if ('diagnostic' in found) return { diagnostics: [found.diagnostic] }
  const file = shown(found.file, options.cwd)
  if (/\.toml$/i.test(file)) return { diagnostics: [tomlLater(file)] }
  const read = await readText(found.file, file)
  if ('diagnostic' in read) return { diagnostics: [read.diagnostic] }
  return readSpec(read.text, { file, folder: path.dirname(found.file), targetIds: options.targetIds })
}

function locate({ cwd, home, config, user, configHome }: LoadOptions) {
  if (config !== undefined) return { file: path.resolve(cwd, config) }
  return user ? findUserSpec(configHome ?? path.join(home, '.config')) : findSpec(cwd, home)
}

/** Relative to the working directory where that is shorter. */
function shown(file: string, cwd: string): string {
  const relative = path.relative(cwd, file)
  return relative.length < file.length ? relative || '.' : file
}

function tomlLater(file: string): Diagnostic {
  return diagnostic('BRIDLE212', 'error', `\`${file}\` is TOML, which is not yet read.`, {
    help: 'Write the spec as bridle.yaml or bridle.json.',
  })
}

const largestBytes = 8 * 1024 * 1024

type Text = { readonly text: string } | { readonly diagnostic: Diagnostic }

/** The text of a regular file of at most 8 MiB of UTF-8. Opened without waiting, since a pipe has no end. */
async function readText(file: string, shownFile: string): Promise<Text> {
  let handle: FileHandle | undefined
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = await handle.stat()
    if (!stat.isFile())
      return refused('BRIDLE103', `\`${shownFile}\` is ${kindOf(stat)}, not a file.`, notFile)
    if (stat.size > largestBytes) {
      const size = `${(stat.size / 1024 / 1024).toFixed(1)} MiB`
      return refused(
        'BRIDLE104',
        `\`${shownFile}\` has ${size}; a spec has at most 8 MiB.`,
        'Is this the right file?',
      )
    }
    return decode(await handle.readFile(), shownFile)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const [reason, help] = failures[code] ?? [`cannot be read: ${message}`, 'Check the file and its folder.']
    return refused(code === 'ENOENT' ? 'BRIDLE101' : 'BRIDLE103', `\`${shownFile}\` ${reason}.`, help)
  } finally {
    await handle?.close()
  }
}

function refused(code: Code, message: string, help: string): Text {
  return { diagnostic: diagnostic(code, 'error', message, { help }) }
}

const notFile = 'Name the file of the spec, such as bridle.yaml.'

function kindOf(stat: { isDirectory(): boolean; isFIFO(): boolean }): string {
  if (stat.isDirectory()) return 'a folder'
  return stat.isFIFO() ? 'a pipe' : 'a device'
}

/** By the error code of the system: what is wrong, and the way out. */
const failures: Readonly<Record<string, readonly [string, string]>> = {
  ENOENT: ['does not exist', 'Check the name; `bridle init` writes a new spec. A link may lead nowhere.'],
  ENOTDIR: ['does not exist: a part of its path is a file', 'Check the path.'],
  EACCES: [
    'may not be read by you',
    'Give yourself the permission: `chmod u+r` on the file, `u+x` on its folders.',
  ],
  EPERM: [
    'may not be read by you',
    'Give yourself the permission: `chmod u+r` on the file, `u+x` on its folders.',
  ],
  ELOOP: ['is a link that leads back to itself', 'Remove the link, and put the spec in its place.'],
  ENXIO: ['is a socket, not a file', notFile],
  EISDIR: ['is a folder, not a file', notFile],
  ENAMETOOLONG: ['has a name that is too long for this system', 'Check the path.'],
}

function decode(bytes: Buffer, file: string): Text {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return refused('BRIDLE105', `\`${file}\` is UTF-16.`, 'Save it as UTF-8.')
  }
  if (bytes.includes(0))
    return refused('BRIDLE105', `\`${file}\` is not text: it holds NUL bytes.`, 'Is this the right file?')
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    const line = lineOfInvalidByte(bytes)
    return refused(
      'BRIDLE105',
      `\`${file}\` is not UTF-8: line ${line} has other bytes.`,
      'Save it as UTF-8.',
    )
  }
}

/** The first replacement character that is not in the file itself stands for the first invalid byte. */
function lineOfInvalidByte(bytes: Buffer): number {
  const text = bytes.toString('utf8')
  let line = 1
  let offset = 0
  for (const character of text) {
    if (character === '\uFFFD' && bytes.toString('latin1', offset, offset + 3) !== '\xEF\xBF\xBD') break
    if (character === '\n') line++
    offset += Buffer.byteLength(character)
  }
  return line
}
