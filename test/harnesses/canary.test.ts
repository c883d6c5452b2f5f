import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filesHolding, watchArguments } from './support/canary.ts'
import { runProgram } from './support/run-program.ts'

/** The other tests find no secret anywhere; these show that they would have. */
const canary = 'canary-4c02f1'

test('a secret in a file is found, however deep and whatever stands around it', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bridle-canary-'))
  const deep = path.join(folder, 'a/.b')
  mkdirSync(deep, { recursive: true })
  writeFileSync(
    path.join(deep, 'log.sqlite'),
    Buffer.concat([Buffer.of(0, 255), Buffer.from(canary), Buffer.of(0)]),
  )
  writeFileSync(path.join(folder, 'clean'), 'canary')
  expect(filesHolding(['other', canary], [folder])).toEqual([path.join(deep, 'log.sqlite')])
  rmSync(folder, { recursive: true })
})

test('a secret in an argument of a process is found', async () => {
  const watch = watchArguments([canary])
  const options = { environment: { PATH: '/usr/bin:/bin' }, workingDirectory: '/' }
  await runProgram(['sh', '-c', 'sleep 0.3; true', `--token=${canary}`], options)
  expect(watch.stop().join()).toContain(`--token=${canary}`)
})
