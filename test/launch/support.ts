import { compile } from '../../src/compile/compile.ts'
import type { LaunchableTarget } from '../../src/compile/target.ts'
import type { PreparedLaunch } from '../../src/launch/prepare.ts'
import type { LaunchRequest } from '../../src/launch/request.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { readSpec } from '../../src/spec/read.ts'
import { targetIds } from '../../targets/index.ts'

/** A launch that was found to be possible, as `prepareLaunch` gives it, without a look at this machine. */
export async function prepared(
  text: string,
  target: LaunchableTarget,
  request: Partial<LaunchRequest> = {},
  rest: Partial<PreparedLaunch> = {},
): Promise<PreparedLaunch> {
  const { spec } = await readSpec(text, { file: 'bridle.yaml', folder: '/project', targetIds })
  const emission = spec && compile(spec, target, 'launch').emission
  if (spec === undefined || emission === undefined) throw new Error('the spec of this test is wrong')
  const harness = { file: '/usr/bin/harness', folders: [], searchFolders: [], leadingArguments: [] }
  return {
    request: {
      spec,
      specFile: '/project/bridle.yaml',
      target,
      arguments: [],
      project: '/project',
      workingDirectory: '/project',
      sandbox: { name: 'bubblewrap' } as Sandbox,
      network: 'none',
      strictVersions: false,
      requireServers: true,
      environment: { PATH: '/usr/bin:/bin' },
      home: '/home/ada',
      ...request,
    },
    emission,
    secrets: Object.fromEntries(emission.injections.map(({ name }) => [name, `value of ${name}`])),
    harness,
    version: '1.2.3',
    programs: [harness],
    certificates: {},
    npm: { text: '', readable: [] },
    cache: { folder: '/home/ada/.cache/bridle/projects/project-1', owner: undefined },
    installations: [],
    ...rest,
  }
}
