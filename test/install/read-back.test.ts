import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../src/compile/serialize.ts'
import { readBack } from '../../src/install/read-back.ts'
import { codex } from '../../targets/codex/target.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'bridle-answers-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A program that prints this for every question, in place of Codex. */
function answering(script: string): string {
  const file = path.join(folder, 'codex')
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return file
}

async function findings(program: string | undefined, value: Json): Promise<string[]> {
  const [installed] = codex.files
  if (installed === undefined) throw new Error('Codex has a file')
  const found = await readBack({
    target: codex,
    installed,
    entries: [{ kind: 'member', path: ['mcp_servers', 'a'], value }],
    isAlone: true,
    environment: { PATH: process.env['PATH'], CODEX_HOME: '/nowhere', TOKEN: 'canary-1' },
    findProgram: () => program,
  })
  return found.map(({ code, message }) => `${code} ${message}`)
}

const answer = '{"name":"a","transport":{"type":"stdio","command":"x","args":["1"],"env":null}}'

describe('What a harness reads back', () => {
  const cases: readonly { name: string; script: string; value: Json; found: RegExp[] }[] = [
    {
      name: 'is fine when it is the same',
      script: `echo '${answer}'`,
      value: { command: 'x', args: ['1'] },
      found: [],
    },
    {
      name: 'is an error where a value differs',
      script: `echo '${answer}'`,
      value: { command: 'x', args: ['2'], env: { A: '1' } },
      found: [/^BRIDLE412 Codex CLI reads another value at `a\.args`$/, /another value at `a\.env`$/],
    },
    {
      name: 'says nothing of what the harness keeps to itself',
      script: `echo '${answer}'`,
      value: { command: 'x', required: true },
      found: [],
    },
    {
      name: 'is an error where the server is missing',
      script: `echo '${answer.replace('"a"', '"b"')}'`,
      value: { command: 'x' },
      found: [/^BRIDLE412 Codex CLI does not read `a` at all$/],
    },
    {
      name: 'is an error when the program fails, in its words',
      script: 'echo "bad key" >&2; exit 3',
      value: { command: 'x' },
      found: [/^BRIDLE412 Codex CLI could not read it: bad key$/],
    },
    {
      name: 'is an error when the answer is none',
      script: 'echo hello',
      value: { command: 'x' },
      found: [/could not read it: its answer is not as expected$/],
    },
    {
      name: 'comes from a folder of its own, with no secret of the environment',
      script: `[ -f "$CODEX_HOME/config.toml" ] && [ "$HOME" = "$CODEX_HOME" ] && [ -z "$TOKEN" ] && echo '${answer}'`,
      value: { command: 'x' },
      found: [],
    },
  ]
  it.each(cases)('$name', async ({ script, value, found }) => {
    expect(await findings(answering(script), value)).toEqual(found.map((each) => expect.stringMatching(each)))
  })

  it('is an error when the harness is not installed', async () => {
    expect(await findings(undefined, {})).toEqual([expect.stringMatching(/`codex` was not found on PATH/)])
  })
})
