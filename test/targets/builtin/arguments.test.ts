import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../../targets/builtin/arguments.ts'
import { builtin } from '../../../targets/builtin/target.ts'

const call = { name: 'call', format: 'text', server: 'docs', tool: 'search', arguments: {} }

const possible: [string[], object][] = [
  [['tools'], { name: 'tools', format: 'text' }],
  [['tools', '--format', 'json'], { name: 'tools', format: 'json' }],
  [['--format=json', 'tools'], { name: 'tools', format: 'json' }],
  [['call', 'docs', 'search'], call],
  [['call', 'docs', 'search', '{"q": "a b"}'], { ...call, arguments: { q: 'a b' } }],
  [['call', '--format', 'json', 'docs', 'search', '{}'], { ...call, format: 'json' }],
]

const refused: [string[], RegExp][] = [
  [[], /needs a command/],
  [['-p', 'hello'], /not yet possible/],
  [['tools', 'docs'], /no operands/],
  [['tools', '--verbose'], /no option `--verbose`/],
  [['tools', '--format', 'xml'], /`text` or `json`/],
  [['tools', '--format'], /`text` or `json`/],
  [['--config', 'other.json', 'tools'], /no option `--config`/],
  [['tools', '--config=other.json'], /no option `--config=other.json`/],
  [['tool'], /no command `tool`/],
  [['call', 'docs'], /takes the server, the tool/],
  [['call', 'docs', 'search', '{}', '{}'], /takes the server, the tool/],
  [['call', 'docs', 'search', '{q: 1}'], /are not JSON/],
  [['call', 'docs', 'search', '{'], /are not JSON/],
  [['call', 'docs', 'search', '[]'], /not an object/],
  [['call', 'docs', 'search', 'null'], /not an object/],
]

describe('the command line of the built-in harness', () => {
  it.each(possible)('%j is possible', (args, command) => {
    expect(parseArguments(args)).toEqual({ command })
    expect(builtin.launch.refuseArguments(args)).toEqual([])
  })

  it.each(refused)('%j is refused with the reason and a way out', (args, reason) => {
    expect(builtin.launch.refuseArguments(args)).toEqual([
      { reason: expect.stringMatching(reason), help: expect.stringMatching(/./) },
    ])
  })

  it('that is refused does not show the arguments of the tool', () => {
    const parsed = parseArguments(['call', 'docs', 'search', '{"token": canary}'])
    expect(JSON.stringify(parsed)).not.toContain('canary')
  })
})
