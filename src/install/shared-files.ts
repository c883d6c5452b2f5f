import { isDeepStrictEqual } from 'node:util'
import { type Compilation, compile, type Emission } from '../compile/compile.ts'
import { selectServers } from '../compile/select.ts'
import type { Target } from '../compile/target.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Spec } from '../spec/spec.ts'
import { disagreementFinding, lossFinding, lossFromBelowFinding, type NamedFile } from './findings.ts'
import { type joinReaders, jointEncoder, leftOutOf, type Reader, type WrittenEntry } from './joint.ts'
import { lossesOf } from './other-readers.ts'
import { placesOf, type Scope } from './places.ts'
import { type FileTask, wantedBy } from './tasks.ts'

/** Who is asked about a file, and about which. */
export interface SharingContext {
  readonly scope: Scope
  /** Every target that there is. */
  readonly targets: readonly Target[]
  readonly chosen: readonly Target[]
}

/** The readers of a file with what each needs there; without those that cannot honor the spec, and get nothing. */
export function readersOf(
  task: FileTask,
  spec: Spec | undefined,
  compiled: ReadonlyMap<Target, Compilation>,
): Reader[] {
  return task.readers.flatMap((place) => {
    const emission = emissionFor(place.target, task, spec, compiled)
    if (emission === undefined) return []
    return [{ target: place.target, entries: wantedBy(place, emission), places: place.installed.entries }]
  })
}

/** As compiled already, where all readers of the file write the texts alike; else with texts that they read as the same. */
function emissionFor(
  target: Target,
  { readers }: FileTask,
  spec: Spec | undefined,
  compiled: ReadonlyMap<Target, Compilation>,
): Emission | undefined {
  const emission = compiled.get(target)?.emission
  if (emission === undefined || spec === undefined) return emission
  const others = readers.map((place) => compiled.get(place.target)?.emission)
  if (others.every((other) => isDeepStrictEqual(other?.servers, emission.servers))) return emission
  const encode = jointEncoder(
    target,
    readers.map((place) => place.target),
  )
  return compile(spec, { ...target, literals: { ...target.literals, encode } }, 'standalone').emission
}

/** What the chosen readers of one file have against each other, also those that have a file of their own beside it. */
export function disagreementFindings(
  file: NamedFile,
  task: FileTask,
  spec: Spec,
  context: SharingContext,
  readers: readonly Reader[],
  { written, disagreements }: ReturnType<typeof joinReaders>,
): Diagnostic[] {
  const places = readers.flatMap((reader) => reader.places)
  const leftOut = othersOf(task, context)
    .filter((target) => isChosen(target, spec, context))
    .flatMap((target) => leftOutOf({ target, entries: wantedOf(spec, target, written), places }, written))
  return [...disagreements, ...leftOut].map((each) => disagreementFinding(file, each, spec))
}

/** The entries of the servers that a target does not leave out. */
function wantedOf(spec: Spec, target: Target, written: readonly WrittenEntry[]): WrittenEntry['entry'][] {
  const own = new Set(selectServers(spec, target, 'standalone').map(({ name }) => name))
  return written.map(({ entry }) => entry).filter(({ path }) => own.has(path.at(-1) ?? ''))
}

/**
 * What would be lost of these servers by readers of the file that were not chosen, and by those that were, where they
 * are started in a folder below and read it alone.
 */
export function lossFindings(
  file: NamedFile,
  task: FileTask,
  spec: Spec,
  context: SharingContext,
  servers: ReadonlySet<string>,
): Diagnostic[] {
  const writers = task.readers.map(({ target }) => target)
  const unchosen = othersOf(task, context).filter((target) => !isChosen(target, spec, context))
  const fromBelow = context.targets.filter(
    (target) => target.foundFromBelow.includes(task.stateName) && isChosen(target, spec, context),
  )
  const findings = (readers: readonly Target[], finding: typeof lossFinding) =>
    readers.flatMap((target) => {
      const losses = lossesOf(spec, target, writers, servers)
      return losses.length === 0 ? [] : [finding(file, target, losses, spec)]
    })
  return [...findings(unchosen, lossFinding), ...findings(fromBelow, lossFromBelowFinding)]
}

/** Whether a file has a reader besides the one target for which it is written, or is found from a folder below. */
export function hasSeveralReaders(task: FileTask, context: SharingContext): boolean {
  const isFoundFromBelow = context.targets.some(({ foundFromBelow }) =>
    foundFromBelow.includes(task.stateName),
  )
  return task.readers.length > 1 || isFoundFromBelow || othersOf(task, context).length > 0
}

function isChosen(target: Target, spec: Spec, { chosen }: SharingContext): boolean {
  return chosen.includes(target) || Object.hasOwn(spec.targets, target.id)
}

/** Those that read this file of a project, as their own or beside it, and for which it is not written. */
function othersOf({ file, stateName, readers }: FileTask, { scope, targets }: SharingContext): Target[] {
  if (scope.kind === 'user') return []
  const isReader = (target: Target) =>
    target.alsoReads.includes(stateName) || placesOf(target, scope).some((place) => place.file === file)
  return targets.filter((target) => !readers.some((place) => place.target === target) && isReader(target))
}

/** The names of the servers among what is written. */
export function serversOf(written: readonly { readonly path: readonly string[] }[]): ReadonlySet<string> {
  return new Set(written.map(({ path }) => path.at(-1) ?? ''))
}
