import { describe, expect, test } from 'vitest'
import { connections } from '../../../targets/codex/connections.ts'

/** The first lines of the file of a session, as 0.171.0 writes them, shortened at their ends. */
const begun = [
  '{"timestamp":"2026-11-30T19:11:12.468Z","ordinal":0,"type":"session_meta","payload":{"session_id":"01a22dde"}}',
  '{"timestamp":"2026-11-30T19:11:12.468Z","ordinal":1,"type":"event_msg","payload":{"type":"task_started"}}',
]

describe('the sessions of Codex', () => {
  test('tell that every required server connected, by being there', () => {
    expect(connections.read(`${begun.join('\n')}\n`, ['notes', 'docs'])).toEqual([
      { server: 'notes', status: 'connected' },
      { server: 'docs', status: 'connected' },
    ])
  })

  test.each([
    ['nothing', ''],
    [
      'a message that speaks of one',
      '{"timestamp":"t","type":"event_msg","payload":{"text":"\\"type\\":\\"session_meta\\""}}',
    ],
  ])('tell nothing where there is %s', (_, log) => {
    expect(connections.read(log, ['notes'])).toEqual([])
  })
})
