import { expect, it } from 'vitest'
import { refuseOption, splitOption } from '../../src/compile/harness-options.ts'

it.each([
  ['--name=value', { name: '--name', joined: 'value' }],
  ['--name=', { name: '--name', joined: '' }],
  ['--name=a=b', { name: '--name', joined: 'a=b' }],
  ['--name', { name: '--name' }],
  ['-nvalue', { name: '-n', joined: 'value' }],
  ['-n=value', { name: '-n', joined: 'value' }],
  ['-n', { name: '-n' }],
] as const)('takes %s apart', (argument, expected) => {
  expect(splitOption(argument)).toEqual(expected)
})

it('refuses a known option with its own reason, and every other one with those that are possible', () => {
  const refused = { '--yolo': ['it asks nobody', 'remove it'] } as const
  expect(refuseOption('--yolo', refused, ['-p'])).toEqual({
    reason: '`--yolo` is refused: it asks nobody',
    help: 'remove it',
  })
  for (const name of ['--new', 'constructor']) {
    expect(refuseOption(name, refused, ['-p', '-h'])).toMatchObject({ help: 'remove it; possible: -p -h' })
  }
})
