import { closeSync, constants, fstatSync, opendirSync, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { actAs, type Identity } from './identity.ts'

/**
 * The state folder of a command, held open: it can be read while the command runs and after its end, also where it
 * lies in the memory of a sandbox that is gone. The agent writes there too, so nothing in it is trusted: no link is
 * followed, nothing but files and folders is opened, and what is read is bounded.
 */
export interface StateFolder {
  /**
   * Follows a file, or all files of a folder and of those in it, which need not exist yet. The function that it gives
   * tells the text so far; each call reads only what is new. While the command runs, a line is told when it is whole.
   *
   * @param place relative to the state folder; `.` is all of it
   */
  follow(place: string): (ended: boolean) => string
  /** Safe to call twice. */
  close(): void
}

/**
 * @param folder absolute; where it may be changed by others, they must not have begun
 * @param identity as whom to read, when not as this process
 */
export function openStateFolder(folder: string, identity?: Identity): StateFolder {
  const descriptor = actAs(identity, () => openSync(folder, asFolder))
  let isOpen = true
  return {
    follow(place) {
      const texts = new Map<string, FollowedText>()
      return (ended) => {
        if (isOpen)
          actAs(identity, () => readNews({ place: standsFor(descriptor, folder), name: place }, texts))
        return [...texts.values()].map(({ text }) => (ended ? text : wholeLines(text))).join('')
      }
    },
    close() {
      if (isOpen) closeSync(descriptor)
      isOpen = false
    },
  }
}

/** What is known of one file. */
interface FollowedText {
  text: string
  offset: number
  readonly decoder: StringDecoder
}

const mostBytes = 4 * 1024 * 1024
const mostEntries = 100
const mostDepth = 6
const mostVisits = 2_000

const { O_DIRECTORY, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
const asFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
/** Opening a named pipe would wait for its writer without O_NONBLOCK. */
const asAnything = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY

/** A path that leads to an open folder, whatever has become of its name; without /proc, its name. */
function standsFor(descriptor: number, folder: string): string {
  return process.platform === 'linux' ? `/proc/self/fd/${descriptor}` : folder
}

/** Goes one name at a time, since the flag against links holds for the last name of a path alone. */
function readNews({ place, name }: { place: string; name: string }, texts: Map<string, FollowedText>): void {
  const [first = '', ...rest] = name.split('/')
  visit({ place, first, rest, known: first, depth: 0 }, { texts, left: mostVisits })
}

interface Walk {
  readonly texts: Map<string, FollowedText>
  /** How many more files and folders are looked at: a hundred folders in each of a hundred would take the day. */
  left: number
}

interface Step {
  /** A path to the folder, and the name in it. */
  readonly place: string
  readonly first: string
  /** The names that lead on from there. */
  readonly rest: readonly string[]
  /** The names so far, by which a file is known. */
  readonly known: string
  readonly depth: number
}

function visit({ place, first, rest, known, depth }: Step, walk: Walk): void {
  if (walk.left-- <= 0) return
  // Not joined: without the `.`, the place itself would be a link of /proc.
  const here = `${place}/${first}`
  withOpen(here, (descriptor) => {
    const stat = fstatSync(descriptor)
    const inside = standsFor(descriptor, here)
    const enter = (name: string, onward: readonly string[]) =>
      visit({ place: inside, first: name, rest: onward, known: `${known}/${name}`, depth: depth + 1 }, walk)
    const [next, ...onward] = rest
    if (next !== undefined) enter(next, onward)
    else if (stat.isFile()) followFile(descriptor, known, walk.texts)
    else if (stat.isDirectory() && depth < mostDepth) for (const name of namesIn(inside)) enter(name, [])
  })
}

/** What cannot be opened is not there yet, or is none of the things that are read. */
function withOpen(file: string, use: (descriptor: number) => void): void {
  let descriptor: number
  try {
    descriptor = openSync(file, asAnything)
  } catch {
    return
  }
  try {
    use(descriptor)
  } catch {
    // It went away, or cannot be read any more.
  } finally {
    closeSync(descriptor)
  }
}

function namesIn(folder: string): string[] {
  const entries = opendirSync(folder)
  const names: string[] = []
  try {
    while (names.length < mostEntries) {
      const entry = entries.readSync()
      if (entry === null) break
      names.push(entry.name)
    }
  } finally {
    entries.closeSync()
  }
  return names.sort()
}

/** A file that comes when many are known is none of the harness. */
function followFile(descriptor: number, known: string, texts: Map<string, FollowedText>): void {
  const followed = texts.get(known) ?? { text: '', offset: 0, decoder: new StringDecoder('utf8') }
  if (texts.size < mostVisits) texts.set(known, followed)
  if (texts.has(known)) readFile(descriptor, followed, texts)
}

function readFile(descriptor: number, followed: FollowedText, texts: Map<string, FollowedText>): void {
  const chunk = Buffer.alloc(64 * 1024)
  const others = [...texts.values()].reduce((sum, { offset }) => sum + offset, 0) - followed.offset
  while (others + followed.offset < mostBytes) {
    const count = readSync(descriptor, chunk, 0, chunk.length, followed.offset)
    if (count === 0) return
    followed.offset += count
    followed.text += followed.decoder.write(chunk.subarray(0, count))
  }
}

function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1)
}
