import * as z from 'zod/mini'
import { features } from '../../src/compile/feature.ts'
import { type LaunchableTarget, native, type Target } from '../../src/compile/target.ts'
import { readSpec } from '../../src/spec/read.ts'
import type { Spec } from '../../src/spec/spec.ts'

/** The spec in this text, which must be free of errors. */
export async function specOf(text: string): Promise<Spec> {
  const { spec, diagnostics } = await readSpec(text, {
    file: 'bridle.yaml',
    folder: '/project',
    targetIds: ['probe'],
  })
  if (spec === undefined) throw new Error(JSON.stringify(diagnostics, null, 2))
  return spec
}

/** A target that honors everything and changes nothing, but for what a test says otherwise. */
export function targetWith(changes: Partial<LaunchableTarget> = {}): LaunchableTarget {
  return {
    id: 'probe',
    title: 'Probe',
    projectFiles: [],
    files: [],
    alsoReads: [],
    foundFromBelow: [],
    names: { refuse: () => undefined, fold: (name) => name },
    supports: Object.fromEntries(features.map((feature) => [feature, native])) as Target['supports'],
    literals: { refuse: () => undefined, encode: (text) => text },
    secrets: { refuseName: () => undefined, refuseValue: () => undefined, encodeValue: (value) => value },
    emit: (servers) => [
      {
        path: 'probe.json',
        format: 'json',
        document: { servers: servers.map(({ name }) => name) },
        schema: z.strictObject({ servers: z.array(z.string()) }),
      },
    ],
    launch: {
      executable: 'probe',
      oldestVersion: '1.0.0',
      startsServers: 'itself',
      undoingNames: [],
      credentialNames: [],
      takesAnyAccountName: false,
      accountNames: [],
      refuseArguments: () => [],
      connections: { path: 'log', read: () => [] },
      plan: () => ({ arguments: [], environment: {} }),
    },
    ...changes,
  }
}
