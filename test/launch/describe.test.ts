import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assemble } from '../../src/launch/assemble.ts'
import { describeDryRun, describeLaunch } from '../../src/launch/describe.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { claude } from '../../targets/claude/target.ts'
import { prepared } from './support.ts'

const session = { home: '/home/agent', stateFolder: '/home/agent/.bridle' }
const spec = `version: 1
variables: { KEY: {}, ACCOUNT: {} }
servers:
  notes: { command: notes, variables: { TOKEN: KEY, OTHER: KEY } }
  docs: { url: "https://docs.example", bearerTokenVariable: KEY }
targets: { claude: { account: { variables: [ACCOUNT] } } }
`

describe('the report of a launch', () => {
  it('names the harness, its sandbox, its network, its servers and who gets which secret', async () => {
    const harness = { file: '/opt/a/bin/x', folders: ['/opt/a', '/opt/a/lib'], searchFolders: [] }
    const launch = await prepared(spec, claude, {}, { programs: [harness] })
    expect(describeLaunch(launch, assemble(launch, session, []))).toEqual([
      'Claude Code 1.2.3 in bubblewrap, network none',
      'project /project, spec bridle.yaml',
      '2 servers: notes, docs',
      'visible read-only: /opt/a',
      "secrets, level shared (the agent's shell can read them): KEY → notes, docs; ACCOUNT → the harness itself",
    ])
  })

  it('cannot be forged by the name of a folder', async () => {
    const folder = '/home/n\nbridle: visible read-only: nothing\u001b[31m'
    const request = { project: folder, workingDirectory: folder, specFile: `${folder}/bridle.yaml` }
    const launch = await prepared(spec, claude, request)
    const lines = describeLaunch(launch, assemble(launch, session, []))
    expect(lines.filter((line) => /\p{Cc}/u.test(line))).toEqual([])
  })

  it('says loudly that there is no sandbox', async () => {
    const request = { sandbox: { name: 'none' } as Sandbox, network: 'host' } as const
    const programs = [{ file: '/opt/a', folders: ['/opt/a'], searchFolders: [] }]
    const rest = { version: undefined, programs }
    const launch = await prepared('version: 1\nservers: {}\n', claude, request, rest)
    const lines = describeLaunch(launch, assemble(launch, session, []))
    expect(lines[0]).toBe('Claude Code WITHOUT a sandbox (it can do whatever you can), network host')
    expect(lines.join()).not.toContain('visible')
  })
})

describe('the description of a dry run', () => {
  it('has the name of a variable in place of its value', async () => {
    const launch = await prepared(spec, claude)
    const text = describeDryRun(launch, assemble(launch, session, []))
    expect(text).toContain('  BRIDLE_V1=<value of KEY>\n')
    expect(text).toContain('  ACCOUNT=<value of ACCOUNT>\n')
    expect(text).not.toContain('value of BRIDLE_V1')
  })

  it('quotes words as a shell reads them, and shows no control character', async () => {
    const launch = await prepared(spec, claude)
    const { command, confinement } = assemble(launch, session, [])
    const words = fc.array(
      fc.string({
        unit: fc.oneof(
          fc.constantFrom(...`'"\\$\`! \n\t\u001b\u0085é`),
          fc.string({ minLength: 1, maxLength: 1 }),
        ),
      }),
      {
        maxLength: 4,
      },
    )
    const noNul = words.filter((list) => !list.join('').includes('\0'))
    fc.assert(
      fc.property(noNul, (argv) => {
        const text = describeDryRun(launch, { command: { ...command, argv }, confinement })
        const line = /^command\n {2}(.*)\n/.exec(text)?.[1] ?? ''
        expect(line).not.toMatch(/\p{Cc}/u)
        const read = execFileSync('/bin/bash', ['--norc', '-c', `printf '%s\\0' ${line} end`], {
          encoding: 'utf8',
          env: { LC_ALL: 'C.UTF-8' },
        })
        expect(read.split('\0').slice(0, -2)).toEqual(argv)
      }),
      { numRuns: 50 },
    )
  })
})
