import { beforeAll, describe, expect, test } from 'vitest'
import type { Connection } from '../../src/compile/target.ts'
import { type EndedLaunch, judgeConnections } from '../../src/launch/judge-connections.ts'
import { readSpec } from '../../src/spec/read.ts'
import type { Spec } from '../../src/spec/spec.ts'

let spec: Spec
beforeAll(async () => {
  const text = 'version: 1\nservers:\n  notes: { command: a, required: true }\n  docs: { command: b }\n'
  const read = await readSpec(text, { file: 'bridle.yaml', folder: '/', targetIds: [] })
  if (read.spec) spec = read.spec
})

const refusal = { status: 1, reason: 'it began no session' }
const connected = (server: string): Connection => ({ server, status: 'connected' })
const failed = (server: string): Connection => ({ server, status: 'failed', reason: 'it ended' })
const unused = (server: string): Connection => ({ server, status: 'unused' })

interface Case {
  readonly told: readonly Connection[]
  readonly status: number
  readonly requireServers?: boolean
  readonly isInterrupted?: boolean
  readonly isCutShort?: boolean
  readonly refusal?: typeof refusal
  /** Of notes, which the spec requires, and of docs. */
  readonly verdicts: readonly [string, string]
  readonly codes: readonly string[]
}

const both = [connected('notes'), connected('docs')]
const cases: Readonly<Record<string, Case>> = {
  'all connected': { told: both, status: 0, verdicts: ['connected', 'connected'], codes: [] },
  'all connected, and the harness fails': {
    told: both,
    status: 3,
    verdicts: ['connected', 'connected'],
    codes: [],
  },
  'one failed that the run needs': {
    told: [connected('notes'), failed('docs')],
    status: 143,
    verdicts: ['connected', 'failed'],
    codes: ['BRIDLE622 docs'],
  },
  'one failed, and the harness was ended before another told': {
    told: [failed('notes')],
    status: 0,
    isCutShort: true,
    verdicts: ['failed', 'unknown'],
    codes: ['BRIDLE622 notes'],
  },
  'one failed that the run does not need': {
    told: [connected('notes'), failed('docs')],
    status: 0,
    requireServers: false,
    verdicts: ['connected', 'failed'],
    codes: [],
  },
  'one failed that the spec requires': {
    told: [failed('notes'), failed('docs')],
    status: 143,
    requireServers: false,
    verdicts: ['failed', 'failed'],
    codes: ['BRIDLE622 notes'],
  },
  'no sign of two': {
    told: [],
    status: 0,
    verdicts: ['silent', 'silent'],
    codes: ['BRIDLE623 notes', 'BRIDLE623 docs'],
  },
  'no sign of one that the run does not need': {
    told: [connected('notes')],
    status: 0,
    requireServers: false,
    verdicts: ['connected', 'unknown'],
    codes: [],
  },
  'no sign, and the harness fails by itself': {
    told: [],
    status: 1,
    verdicts: ['unknown', 'unknown'],
    codes: [],
  },
  'an unused one': {
    told: [connected('notes'), unused('docs')],
    status: 0,
    verdicts: ['connected', 'unused'],
    codes: [],
  },
  'the user ends it, and a server with it': {
    told: [failed('notes')],
    status: 130,
    isInterrupted: true,
    verdicts: ['failed', 'unknown'],
    codes: [],
  },
  'the user ends it, and it ends well': {
    told: [],
    status: 0,
    isInterrupted: true,
    verdicts: ['unknown', 'unknown'],
    codes: [],
  },
  'a harness that needs them begins no work': {
    told: [],
    status: 1,
    refusal,
    verdicts: ['unknown', 'unknown'],
    codes: ['BRIDLE624 undefined'],
  },
  'a harness that needs one of them begins no work': {
    told: [],
    status: 1,
    refusal,
    requireServers: false,
    verdicts: ['failed', 'unknown'],
    codes: ['BRIDLE622 notes'],
  },
  'a harness that needs them has no work': {
    told: [],
    status: 0,
    refusal,
    verdicts: ['unused', 'unused'],
    codes: [],
  },
  'a harness that needs them is killed': {
    told: [],
    status: 137,
    refusal,
    verdicts: ['unknown', 'unknown'],
    codes: [],
  },
  'a harness that needs them fails at its work': {
    told: both,
    status: 1,
    refusal,
    verdicts: ['connected', 'connected'],
    codes: [],
  },
  'the user ends a harness that needs them': {
    told: [],
    status: 1,
    refusal,
    isInterrupted: true,
    verdicts: ['unknown', 'unknown'],
    codes: [],
  },
}

function ended({ told, refusal, ...rest }: Case): EndedLaunch {
  return {
    spec,
    target: { id: 'some' },
    log: refusal ? { refusal } : {},
    servers: [
      { name: 'notes', required: true },
      { name: 'docs', required: false },
    ],
    told: new Map(told.map((word) => [word.server, word])),
    requireServers: true,
    isInterrupted: false,
    isCutShort: false,
    ...rest,
  }
}

describe('the servers of a launch that has ended', () => {
  test.each(Object.entries(cases))('%s', (_, each) => {
    const { verdicts, diagnostics } = judgeConnections(ended(each))
    expect(verdicts.map(({ status }) => status)).toEqual(each.verdicts)
    expect(diagnostics.map(({ code, server }) => `${code} ${server}`)).toEqual(each.codes)
  })

  test('an error has the place of the server, the reason and a way out', () => {
    const told = [failed('notes'), failed('docs')]
    const [notes, docs] = judgeConnections(
      ended({ told, status: 0, verdicts: ['failed', 'failed'], codes: [] }),
    ).diagnostics
    expect(notes).toMatchObject({ severity: 'error', span: { line: 3, column: 3 }, target: 'some' })
    expect(notes?.message).toContain('it ended')
    expect(docs).toMatchObject({ span: { line: 4, column: 3 } })
  })

  test.each([
    {
      requireServers: true,
      server: 'notes',
      steps: ['take `required`', 'start with `--no-require-servers`'],
    },
    { requireServers: true, server: 'docs', steps: ['start with `--no-require-servers`'] },
    { requireServers: false, server: 'notes', steps: ['take `required`'] },
  ])(
    'an error about $server names what lets the launch go on: $steps',
    ({ requireServers, server, steps }) => {
      const told = [failed('notes'), failed('docs')]
      const { diagnostics } = judgeConnections(
        ended({ told, status: 0, requireServers, verdicts: ['failed', 'failed'], codes: [] }),
      )
      const help = diagnostics.find((error) => error.server === server)?.help ?? ''
      const all = ['take `required`', 'start with `--no-require-servers`']
      expect(all.filter((step) => help.includes(step))).toEqual(steps)
    },
  )

  test('an error about several has the places of all', () => {
    const [error] = judgeConnections(
      ended({ told: [], status: 1, refusal, verdicts: ['unknown', 'unknown'], codes: [] }),
    ).diagnostics
    expect(error).toMatchObject({ span: { line: 3 }, related: [{ span: { line: 4 } }] })
    expect(error?.message).toContain('`notes`, `docs`')
  })
})
