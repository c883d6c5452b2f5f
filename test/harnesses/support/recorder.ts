import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'

/** A program that notes under which name and in which folder it was started. It is no server, so it fails as one. */
const script = '#!/bin/sh\nprintf %s "$0" > "$RECORD.command"\npwd -P > "$RECORD.folder"\n'

/** More programs at once are too many for a small machine. */
const atOnce = 150

export interface Recorder {
  /**
   * Has a harness start a server for each text, whose command is a program of that name and whose working folder is one
   * of that name, and expects that it did. What the file system does not take as a name is changed first.
   */
  expectStarts(
    texts: readonly string[],
    run: (servers: Readonly<Record<string, object>>) => Promise<unknown>,
    options?: { readonly workingDirectories: boolean },
  ): Promise<void>
}

/** For the tests of one file: what it makes is gone after them. */
export function useRecorder(): Recorder {
  const folder = mkdtempSync(path.join(tmpdir(), 'bridle-recorder-'))
  const program = path.join(folder, 'recorder')
  beforeAll(() => writeFileSync(program, script, { mode: 0o755 }))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return {
    async expectStarts(texts, run, { workingDirectories } = { workingDirectories: true }) {
      const names = [...new Set(texts.map(asFileName))].filter((name) => !/^\.{0,2}$/.test(name))
      expect(names.length).toBeGreaterThanOrEqual(500)
      for (let start = 0; start < names.length; start += atOnce) {
        const some = names.slice(start, start + atOnce)
        const place = mkdtempSync(path.join(folder, 'names-'))
        const [programs, folders] = [path.join(place, 'programs'), path.join(place, 'folders')]
        for (const name of some) mkdirSync(path.join(folders, name), { recursive: true })
        mkdirSync(programs)
        for (const name of some) symlinkSync(program, path.join(programs, name))
        const entries = some.map((name, index) => ({
          command: path.join(programs, name),
          environment: { RECORD: path.join(place, String(index)) },
          ...(workingDirectories && { workingDirectory: path.join(folders, name) }),
        }))
        await run(Object.fromEntries(entries.map((entry, index) => [`s${index}`, entry])))
        const recorded = (what: string) =>
          some.map((_, index) => readOr(path.join(place, `${index}.${what}`)))
        expect(recorded('command')).toEqual(some.map((name) => path.join(programs, name)))
        if (!workingDirectories) continue
        expect(recorded('folder')).toEqual(some.map((name) => `${path.join(folders, name)}\n`))
      }
    },
  }
}

function readOr(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : 'nothing was recorded'
}

/** What the file system takes as one name, and the language as a command: `${` is refused there. */
function asFileName(text: string): string {
  return [...text.replaceAll('/', '|').replaceAll('${', '$')].slice(0, 50).join('')
}
