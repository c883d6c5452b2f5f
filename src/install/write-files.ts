import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { type Diagnostic, diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { failureReason } from '../text/failure.ts'
import type { Scope } from './places.ts'
import { type FoundFile, type Snapshot, takeSnapshot } from './snapshot.ts'

/** A file that gets another text. */
export interface FileWrite {
  /** Absolute, with its links. */
  readonly file: string
  /** As the user knows it. */
  readonly shown: string
  readonly snapshot: Snapshot
  /** Undefined: no file. */
  readonly text: string | undefined
  /** Whether it is exchanged before the others, since they are not to be read without it. */
  readonly isFirst: boolean
}

/**
 * Writes all files or none. Every text is on the disk under a temporary name before the first file is exchanged, and
 * none is when one of them is no longer what was read. A file is exchanged as a whole, so that whoever reads it, or
 * kills Bridle, finds the old one or the new one.
 *
 * @param between what is to be done when the first files are exchanged and the others are not; with an error, all files
 * are as they were
 */
export async function writeFiles(
  writes: readonly FileWrite[],
  scope: Scope,
  between: () => Promise<readonly Diagnostic[]>,
): Promise<readonly Diagnostic[]> {
  const staged: FileWrite[] = []
  try {
    for (const write of writes) {
      staged.push(write)
      const failure = attempt(write, () => stage(write))
      if (failure !== undefined) return [failure]
    }
    const [first, others] = [true, false].map((isFirst) => writes.filter((each) => each.isFirst === isFirst))
    const early = exchangeUnchanged(first ?? [], writes, scope)
    if (early.length > 0) return early
    const found = await between()
    const failures = hasErrors(found) ? [] : exchangeUnchanged(others ?? [], others ?? [], scope)
    if (!hasErrors([...found, ...failures])) return found
    return [...found, ...failures, ...takeBack(first ?? [], scope)]
  } finally {
    for (const { snapshot } of staged) {
      removeLeftover(snapshot.real)
      removeFolders(snapshot.missingFolders)
    }
  }
}

/**
 * The temporary name of a file. Always the same, so that the next build finds what a killed one has left: one build at a
 * time writes it (`withLock`).
 */
function temporaryName(real: string): string {
  return `${real}.bridle-new`
}

/** Removes what a killed build has left beside a file. */
export function removeLeftover(real: string): void {
  try {
    unlinkSync(temporaryName(real))
  } catch {
    // there is nearly always none
  }
}

/** Removes folders that are empty, the innermost first; what is in use stays. */
export function removeFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder)
    } catch {
      return
    }
  }
}

/** Writes one file as a whole, with its folders; throws what the system says. */
export function replaceFile({ real, found }: Pick<Snapshot, 'real' | 'found'>, text: string): void {
  mkdirSync(path.dirname(real), { recursive: true })
  writeTemporary(real, text, found)
  renameSync(temporaryName(real), real)
  syncFolder(path.dirname(real))
}

function stage({ snapshot, text }: FileWrite): void {
  if (text === undefined) return
  for (const folder of snapshot.missingFolders) mkdirSync(folder, { recursive: true })
  writeTemporary(snapshot.real, text, snapshot.found)
}

/** With the owner and the mode of the file whose place it takes; a new one is 0644, less what umask takes away. */
function writeTemporary(real: string, text: string, like: FoundFile | undefined): void {
  removeLeftover(real)
  // Made anew (O_EXCL), so that a link of that name is not followed.
  const handle = openSync(temporaryName(real), 'wx', (like?.mode ?? 0o644) & 0o777)
  try {
    writeFileSync(handle, text)
    if (like !== undefined) {
      fchownSync(handle, like.uid, like.gid)
      fchmodSync(handle, like.mode)
    }
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Whether somebody else has changed the file since, or what its path leads to. */
function isChanged({ file, snapshot }: FileWrite, scope: Scope): boolean {
  const now = takeSnapshot(file, scope)
  if ('code' in now || now.real !== snapshot.real) return true
  const [before, after] = [snapshot.found?.bytes, now.found?.bytes]
  return before === undefined || after === undefined ? before !== after : !before.equals(after)
}

function meanwhile({ shown }: FileWrite): Diagnostic {
  return diagnostic(
    'BRIDLE410',
    'error',
    `\`${shown}\` was changed by another program meanwhile; nothing was written`,
    {
      help: 'start the build again',
    },
  )
}

/** None of them when one of the files is no longer what was read. */
function exchangeUnchanged(
  writes: readonly FileWrite[],
  read: readonly FileWrite[],
  scope: Scope,
): Diagnostic[] {
  const changed = read.filter((write) => isChanged(write, scope)).map(meanwhile)
  return changed.length > 0 ? changed : exchangeAll(writes)
}

/** One after the other; where one cannot be, those before it get their old texts again. */
function exchangeAll(writes: readonly FileWrite[]): Diagnostic[] {
  for (const [index, write] of writes.entries()) {
    const failure = attempt(write, () => exchange(write))
    if (failure === undefined) continue
    return [failure, ...restoreAll(writes.slice(0, index))]
  }
  return []
}

function exchange({ snapshot: { real, found }, text }: FileWrite): void {
  if (text !== undefined) renameSync(temporaryName(real), real)
  else if (found !== undefined) unlinkSync(real)
  syncFolder(path.dirname(real))
}

/** Long after they were exchanged: what somebody else has written since is not overwritten. */
function takeBack(writes: readonly FileWrite[], scope: Scope): Diagnostic[] {
  const isOurs = ({ file, text }: FileWrite) => {
    const now = takeSnapshot(file, scope)
    return !('code' in now) && now.found?.text === text
  }
  const kept = writes.filter((write) => !isOurs(write)).map(keptMeanwhile)
  return [...kept, ...restoreAll(writes.filter(isOurs))]
}

function keptMeanwhile({ shown }: FileWrite): Diagnostic {
  const message = `\`${shown}\` was changed by another program meanwhile, and keeps what this build has put into it`
  return diagnostic('BRIDLE410', 'error', message, { help: 'start the build again' })
}

function restoreAll(writes: readonly FileWrite[]): Diagnostic[] {
  return writes.flatMap((done) => attempt(done, () => restore(done.snapshot)) ?? [])
}

function restore(snapshot: Snapshot): void {
  if (snapshot.found !== undefined) replaceFile(snapshot, snapshot.found.text)
  else if (lstatSync(snapshot.real, { throwIfNoEntry: false }) !== undefined) unlinkSync(snapshot.real)
}

/** So that the new name outlives a power failure, where the system can do that. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r')
    try {
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  } catch {
    // no folder can be opened on Windows
  }
}

function attempt({ shown }: FileWrite, work: () => void): Diagnostic | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return diagnostic('BRIDLE405', 'error', `\`${shown}\` cannot be written: ${failureReason(error)}`, {
      help: 'no file was changed; check the permissions of the file and of its folder',
    })
  }
}
