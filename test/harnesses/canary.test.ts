import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claude } from '../../targets/claude/target.ts'
import { makeWorkplace, type RunOptions, runBridle, runHarness, type Workplace } from './support/bridle.ts'

/** The other tests find no secret anywhere; these show that a run which lets one out is noticed, wherever it goes. */
const secrets = {
  SERVER_KEY: 'canary-s-5ab1"; $(id)\n${HOME}',
  HEADER_KEY: 'canary-h-18f4 ${HOME:-x}',
  ACCOUNT_KEY: 'canary-a-90aa',
}
const spec = {
  variables: { SERVER_KEY: {}, HEADER_KEY: {}, ACCOUNT_KEY: {} },
  servers: {
    local: { command: 'node', arguments: ['dump-stdio.mjs'], variables: ['SERVER_KEY'] },
    remote: { url: 'http://127.0.0.1:9/mcp', headerVariables: { 'X-Key': 'HEADER_KEY' } },
  },
  targets: {
    claude: {
      environment: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' },
      account: { variables: ['ACCOUNT_KEY'] },
    },
  },
}

let place: Workplace
beforeEach(async () => {
  place = await makeWorkplace()
})
afterEach(() => place.remove())

/** `bridle run claude` with a shell script in the place of the program. */
function run(body: string, options: RunOptions = {}) {
  const binary = path.join(place.home, 'stand-in')
  const answer = `[ "$1" = --version ] && echo '${claude.provedWith} (stand-in)' && exit`
  writeFileSync(binary, `#!/bin/sh\n${answer}\n${body}\n`, { mode: 0o755 })
  const services = { model: 'messages', modelPort: 18_951, dumpPort: 18_952, script: [] } as const
  return runHarness(place, { target: 'claude', binary, services }, spec, ['-p', 'hi'], {
    secrets,
    options: ['--no-require-servers'], // the stand-in connects to none
    ...options,
  })
}

const asJson = `node -p 'JSON.stringify(process.env)'`
const asBase64 = `printf %s "user:$BRIDLE_V1" | base64 -w0`

const outlets: readonly [where: string, body: string, found: RegExp][] = [
  ['the project', 'printf %s "$BRIDLE_V1" > note', /project\/note \(as it is\)$/],
  ['the home folder', 'printf %s "$BRIDLE_V1" > ~/note', /^inside: \/home\/agent\/note/],
  ['the state folder', 'printf %s "$BRIDLE_V1" > "$CLAUDE_CONFIG_DIR/note"', /^inside: .*\.bridle\/.*note/],
  ['a temporary file', 'printf %s "$BRIDLE_V1" > /tmp/note', /^inside: \/tmp\/note/],
  ['shared memory', 'printf %s "$BRIDLE_V1" > /dev/shm/note', /^inside: \/dev\/shm\/note/],
  ['the cache', 'printf %s "$BRIDLE_V1" > ~/.cache/note', /projects\/project-\w+\/note/],
  ['the name of a file', 'mkdir "of-${BRIDLE_V1%%\\"*}"', /project\/of-canary-s-5ab1 /],
  ['the target of a link', 'ln -s "/none/$ACCOUNT_KEY" link', /project\/link /],
  ['a file as JSON', `${asJson} > note`, /project\/note/],
  ['a file in base64', `${asBase64} > note`, /project\/note \(in base64\)/],
  ['a file, of the account', 'printf %s "$ACCOUNT_KEY" > ~/note', /^inside: \/home\/agent\/note/],
  ['a file, encoded for the program', 'printf %s "$BRIDLE_V2" > ~/note', /^inside: \/home\/agent\/note/],
  ['an argument', `sh -c 'sleep 0.3; :' sh "$BRIDLE_V1"`, /^an argument of sh \(as it is\)/],
  ['an argument in base64', `sh -c 'sleep 0.3; :' sh "$(${asBase64})"`, /^an argument of sh \(in base64\)/],
  ['the output', 'printf %s "$ACCOUNT_KEY"', /^stdout/],
  ['the errors', `${asBase64} >&2`, /^stderr \(in base64\)/],
]

describe('a launch in a test', () => {
  it.each(outlets)('is noticed when it lets a secret out into %s', async (_, body, found) => {
    const { leaks, stderr } = await run(body, { leaks: 'are expected' })
    expect(leaks, stderr).toContainEqual(expect.stringMatching(found))
  })

  it('is noticed when a secret lies beside the program', async () => {
    writeFileSync(path.join(place.install, 'lib/left'), secrets.SERVER_KEY)
    const { leaks } = await run('', { leaks: 'are expected' })
    expect(leaks).toEqual([expect.stringMatching(/install\/lib\/left/)])
  })

  it('fails the test unless that says that a leak is expected', async () => {
    await expect(run('printf %s "$BRIDLE_V1" > ~/note')).rejects.toThrow(/inside: .*note/)
    await expect(run('printf %s "$BRIDLE_V1" > note')).rejects.toThrow(/project\/note/)
    const dump = ['run', 'builtin', '--', 'call', 'local', 'dump']
    await expect(runBridle(place, spec, dump, { secrets })).rejects.toThrow(/stdout/)
  })

  it('takes no secret that could not be found', async () => {
    await expect(run('', { secrets: { ...secrets, SERVER_KEY: 'secret' } })).rejects.toThrow(/token/)
  })

  it('has nothing to say when the secret stays where it is', async () => {
    expect(await run(': "$BRIDLE_V1"')).toMatchObject({ status: 0, leaks: [], report: { leaks: [] } })
  })
})
