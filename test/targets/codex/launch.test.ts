import { describe, expect, test } from 'vitest'
import { launch } from '../../../targets/codex/launch.ts'

const request = { stateFolder: '/state', servers: [], network: 'none' } as const

describe('the plan of a launch', () => {
  test('checks the configuration strictly and works outside git', () => {
    expect(launch.plan({ ...request, arguments: ['exec', '--json', 'hello'] }).arguments).toEqual([
      '--strict-config',
      'exec',
      '--skip-git-repo-check',
      '--json',
      'hello',
    ])
  })

  test('does not repeat an option of the user, and leaves a prompt alone', () => {
    const repeated = ['exec', '--skip-git-repo-check', 'hello']
    expect(launch.plan({ ...request, arguments: repeated }).arguments).toEqual([
      '--strict-config',
      ...repeated,
    ])
    const prompt = ['exec', '--', '--skip-git-repo-check']
    expect(launch.plan({ ...request, arguments: prompt }).arguments).toEqual([
      '--strict-config',
      'exec',
      '--skip-git-repo-check',
      '--',
      '--skip-git-repo-check',
    ])
  })

  test('reads its configuration from the state folder', () => {
    const { environment } = launch.plan({ ...request, arguments: ['exec', 'hello'] })
    expect(environment).toEqual({ CODEX_HOME: '/state' })
  })
})
