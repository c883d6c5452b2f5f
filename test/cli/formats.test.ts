import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sarifLog } from '../diagnostics/sarif-log.ts'
import { Workplace } from '../fixtures/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = new Workplace()
})
afterEach(() => place.remove())

const wrong = { servers: { a: { command: 'a', comand: 'b' } }, targets: { codex: {} } }

describe('bridle check for other programs', () => {
  it('names files from the root of the repository, wherever it is started', async () => {
    place.makeFolder('project/.git')
    place.writeSpec(wrong, 'project/sub/bridle.json')
    const workingDirectory = place.makeFolder('project/sub/deeper')
    const github = await place.run(['check', '--format', 'github'], { workingDirectory })
    expect(github).toEqual({
      status: 1,
      stdout: expect.stringMatching(
        /^::error file=sub\/bridle\.json,line=6,endLine=6,col=7,endColumn=15,title=/,
      ),
      stderr: '',
    })
    const sarif = await place.run(['check', '--format', 'sarif'], { workingDirectory })
    expect(sarif).toMatchObject({ status: 1, stderr: '' })
    const [run] = sarifLog.parse(JSON.parse(sarif.stdout)).runs
    expect(run.results).toMatchObject([
      {
        ruleId: 'BRIDLE202',
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'sub/bridle.json', uriBaseId: '%SRCROOT%' },
              region: { startLine: 6, startColumn: 7, endLine: 6, endColumn: 15 },
            },
          },
        ],
      },
    ])
  })

  it('names a spec outside of the project by its whole path', async () => {
    const file = place.writeSpec(wrong, 'elsewhere/bridle.json')
    place.makeFolder('project/.git')
    const github = await place.run(['check', '--config', file, '--format', 'github'])
    expect(github.stdout).toMatch(`::error file=${file},`)
    const sarif = await place.run(['check', '--config', file, '--format', 'sarif'])
    expect(
      sarifLog.parse(JSON.parse(sarif.stdout)).runs[0].results[0]?.locations[0].physicalLocation,
    ).toMatchObject({
      artifactLocation: { uri: `file://${file}` },
    })
  })

  it.each([
    { name: 'nothing is wrong', spec: { servers: {} }, status: 0, github: '' },
    {
      name: 'there is no spec',
      spec: undefined,
      status: 1,
      github: '::error title=BRIDLE101%3A No spec was found::',
    },
  ])('prints a whole document when $name', async ({ spec, status, github }) => {
    if (spec !== undefined) place.writeSpec(spec)
    const sarif = await place.run(['check', '--format', 'sarif'])
    expect(sarif.status).toBe(status)
    const [run] = sarifLog.parse(JSON.parse(sarif.stdout)).runs
    expect(run.results).toEqual([])
    expect(run.invocations[0].executionSuccessful).toBe(status === 0)
    const { stdout } = await place.run(['check', '--format', 'github'])
    expect(stdout.slice(0, github.length)).toBe(github)
    expect(stdout === '').toBe(github === '')
  })
})
