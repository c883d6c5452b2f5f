import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Code } from '../diagnostics/codes.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import { decodeUtf8 } from '../text/decode.ts'

const largestBytes = 8 * 1024 * 1024

/** What kind of file is wanted, for messages. */
export interface WantedFile {
  /** With its article: `a spec`. */
  readonly noun: string
  /** A sentence that says what to name, for what is no regular file. */
  readonly example: string
  /** A sentence that says what to do when there is none. */
  readonly missing: string
}

type Text = { readonly text: string } | { readonly diagnostic: Diagnostic }

/**
 * The text of a regular file of at most 8 MiB of UTF-8, without a byte order mark, or why there is none
 * (BRIDLE101, 103, 104, 105). Opened without waiting, since a pipe has no end.
 *
 * @param file absolute
 * @param shownFile as the user knows it
 */
export async function readText(file: string, shownFile: string, wanted: WantedFile): Promise<Text> {
  let handle: FileHandle | undefined
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = await handle.stat()
    if (!stat.isFile())
      return refused('BRIDLE103', `\`${shownFile}\` is ${kindOf(stat)}, not a file.`, wanted.example)
    if (stat.size > largestBytes) {
      const size = `${(stat.size / 1024 / 1024).toFixed(1)} MiB`
      return refused(
        'BRIDLE104',
        `\`${shownFile}\` has ${size}; ${wanted.noun} has at most 8 MiB.`,
        'Is this the right file?',
      )
    }
    return decode(await handle.readFile(), shownFile)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const [reason, help] = failures[code] ?? [`cannot be read: ${message}`, 'Check the file and its folder.']
    const wayOut = code === 'ENOENT' ? wanted.missing : (help ?? wanted.example)
    return refused(code === 'ENOENT' ? 'BRIDLE101' : 'BRIDLE103', `\`${shownFile}\` ${reason}.`, wayOut)
  } finally {
    await handle?.close()
  }
}

function refused(code: Code, message: string, help: string): Text {
  return { diagnostic: diagnostic(code, 'error', message, { help }) }
}

function kindOf(stat: { isDirectory(): boolean; isFIFO(): boolean }): string {
  if (stat.isDirectory()) return 'a folder'
  return stat.isFIFO() ? 'a pipe' : 'a device'
}

/** By the error code of the system: what is wrong, and the way out unless that depends on what is wanted. */
const failures: Readonly<Record<string, readonly [reason: string, help?: string]>> = {
  ENOENT: ['does not exist'],
  ENOTDIR: ['does not exist: a part of its path is a file', 'Check the path.'],
  EACCES: [
    'may not be read by you',
    'Give yourself the permission: `chmod u+r` on the file, `u+x` on its folders.',
  ],
  EPERM: [
    'may not be read by you',
    'Give yourself the permission: `chmod u+r` on the file, `u+x` on its folders.',
  ],
  ELOOP: ['is a link that leads back to itself', 'Remove the link, and put the file in its place.'],
  ENXIO: ['is a socket, not a file'],
  EISDIR: ['is a folder, not a file'],
  ENAMETOOLONG: ['has a name that is too long for this system', 'Check the path.'],
}

function decode(bytes: Buffer, file: string): Text {
  const decoded = decodeUtf8(bytes)
  if ('text' in decoded && !bytes.includes(0)) return { text: decoded.text.replace(/^\uFEFF/, '') }
  if ('fault' in decoded && decoded.fault === 'UTF-16')
    return refused('BRIDLE105', `\`${file}\` is UTF-16.`, 'Save it as UTF-8.')
  if (bytes.includes(0))
    return refused('BRIDLE105', `\`${file}\` is not text: it holds NUL bytes.`, 'Is this the right file?')
  const line = 'line' in decoded ? decoded.line : 1
  return refused('BRIDLE105', `\`${file}\` is not UTF-8: line ${line} has other bytes.`, 'Save it as UTF-8.')
}
