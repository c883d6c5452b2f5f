import type { UserProgram } from '../compile/installed-file.ts'
import type { Target } from '../compile/target.ts'
import { type Diagnostic, diagnostic, type Span } from '../diagnostics/diagnostic.ts'
import type { Spec } from '../spec/spec.ts'
import { lineStarts, positionAt } from '../text/lines.ts'
import type { DocumentFault, TextRange } from './edit/document.ts'
import type { Disagreement } from './joint.ts'
import type { Conflict } from './judge-entries.ts'
import type { Loss } from './other-readers.ts'
import type { FileProblem } from './snapshot.ts'

/** A file as findings name it. */
export interface NamedFile {
  readonly shown: string
  readonly text: string | undefined
  /** The ids of the targets that it is for. */
  readonly targets: readonly string[]
}

export function fileFinding({ shown, targets }: NamedFile, problem: FileProblem): Diagnostic {
  const { code, reason, help, line } = problem
  return diagnostic(code, 'error', `\`${shown}\` ${reason}; nothing was changed in it`, {
    span: line === undefined ? undefined : { file: shown, line, column: 1, length: 1 },
    target: targets[0],
    help,
  })
}

/** @param keepGoing whether the files of other targets are written all the same */
export function faultFinding(
  file: NamedFile,
  { message, range }: DocumentFault,
  keepGoing: boolean,
): Diagnostic {
  return diagnostic('BRIDLE403', 'error', `\`${file.shown}\` is left as it is: ${message}`, {
    span: spanOf(file, range),
    target: file.targets[0],
    help: `mend the named place${keepGoing ? '' : '; with `--keep-going` the other targets are written meanwhile'}`,
  })
}

/** Whose the entry is, with the place in the file and that of the server in the spec. */
export function conflictFinding(file: NamedFile, conflict: Conflict, spec: Spec | undefined): Diagnostic {
  const { path, name, range, kind, wanted } = conflict
  const server = spec?.servers.find((each) => each.name === name)
  const inSpec = server && spec?.source.span(['servers', name], 'key')
  const { reason, help } = conflictWords(conflict, spec === undefined)
  return diagnostic('BRIDLE404', 'error', `\`${path.join('.')}\` in \`${file.shown}\` ${reason}`, {
    span: spanOf(file, range),
    related: inSpec && [
      { message: kind === 'folded' ? 'this server' : 'the server in the spec', span: inSpec },
    ],
    target: file.targets[0],
    server: server?.name ?? (wanted ? undefined : name),
    help,
  })
}

function conflictWords(
  { kind, wanted, name }: Conflict,
  isRemoval: boolean,
): { reason: string; help: string } {
  if (kind === 'folded') {
    return {
      reason: `and \`${name}\` of the spec have one name for this harness, so only one of the two would work`,
      help: 'rename one of the two',
    }
  }
  const reason =
    kind === 'foreign' ? 'was not written by Bridle' : 'was changed by hand after Bridle had written it'
  if (wanted) {
    const help =
      'see the difference with `--adopt --diff`; take it over with `--adopt`, or rename one of the two'
    return { reason, help }
  }
  if (isRemoval) {
    const help =
      'see it with `--remove --adopt --diff`; take it out with `--remove --adopt`, or give it another name to keep it'
    return { reason: `${reason}, so it is not taken out unasked`, help }
  }
  return {
    reason: `${reason}, and the spec does not have it any more`,
    help: 'see it with `--adopt --diff`; take it out with `--adopt`, or give it another name to keep it as your own',
  }
}

export function disagreementFinding(file: NamedFile, disagreement: Disagreement, spec: Spec): Diagnostic {
  const { path } = disagreement
  const server = spec.servers.find(({ name }) => path.includes(name))
  const wayOut = (id: string) =>
    `take \`${id}\` out of \`targets\`, and start it with \`bridle run ${id} --servers NAMES\`; or write the servers that it shall have into your own spec (\`~/.config/bridle/bridle.yaml\`, as \`bridle init --user\` writes one), build them with \`bridle build ${id} --user\`, and have it use none of this project`
  const [message, help] =
    disagreement.kind === 'value'
      ? [
          `${titles(disagreement.readers)} both read \`${file.shown}\`, and need different values at \`${path.join('.')}\``,
          wayOut(disagreement.readers[1].id),
        ]
      : [
          `\`${path.at(-1)}\` is left out for ${disagreement.reader.title}, which reads it all the same: ${disagreement.writer.title} needs it in \`${file.shown}\``,
          `leave it out for both; or ${wayOut(disagreement.reader.id)}`,
        ]
  return diagnostic('BRIDLE407', 'error', message, {
    span: server && spec.source.span(['servers', server.name], 'key'),
    server: server?.name,
    target: disagreement.kind === 'value' ? disagreement.readers[1].id : disagreement.reader.id,
    help,
  })
}

function titles(targets: readonly Target[]): string {
  return targets.map(({ title }) => title).join(' and ')
}

const mostNames = 3

export function lossFinding(
  file: NamedFile,
  reader: Target,
  losses: readonly Loss[],
  spec: Spec,
): Diagnostic {
  return lossWarning(reader, losses, spec, {
    reads: `${reader.title} reads \`${file.shown}\` too`,
    help: `choose ${reader.id} too, or do not start it in this project`,
  })
}

/** A harness that was chosen: in a folder below it finds the servers, and not what goes with them. */
export function lossFromBelowFinding(
  file: NamedFile,
  reader: Target,
  losses: readonly Loss[],
  spec: Spec,
): Diagnostic {
  const beside = reader.files.flatMap(({ project }) =>
    project === undefined || reader.foundFromBelow.includes(project.path) ? [] : [`\`${project.path}\``],
  )
  return lossWarning(reader, losses, spec, {
    reads: `${reader.title} in a folder below reads \`${file.shown}\` and not ${beside.join(', ')}`,
    help: `start it in the folder of that file and in none below, or with \`bridle run ${reader.id}\``,
  })
}

function lossWarning(
  reader: Target,
  losses: readonly Loss[],
  spec: Spec,
  { reads, help }: { readonly reads: string; readonly help: string },
): Diagnostic {
  const kinds = (['secret', 'restriction'] as const).flatMap((stake) => {
    const servers = losses.filter((loss) => loss.stake === stake).map(({ server }) => `\`${server}\``)
    const rest = servers.length - mostNames
    const names = [...servers.slice(0, mostNames), ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
    return servers.length === 0 ? [] : [`the ${stake}s of ${names}`]
  })
  const [first] = losses
  return diagnostic('BRIDLE408', 'warning', `${reads}, and would lose ${kinds.join(' and ')}`, {
    span: first && spec.source.span(['servers', first.server], 'key'),
    target: reader.id,
    help,
  })
}

export function noProgramFinding({ shown, targets }: NamedFile, { executable }: UserProgram): Diagnostic {
  return diagnostic(
    'BRIDLE409',
    'error',
    `\`${executable}\` was not found on PATH, and only it changes \`${shown}\``,
    {
      target: targets[0],
      help: 'install it so that it is on PATH, outside of the project; or build for a project, without `--user`',
    },
  )
}

/** A target that writes something for which there is no place. */
export function noPlaceFinding(target: Target, scope: 'project' | 'user'): Diagnostic {
  const [here, there] =
    scope === 'project'
      ? ['a project', 'the files of the user: `--user`']
      : ['the files of the user', 'a project: leave out `--user`']
  return diagnostic('BRIDLE405', 'error', `${target.title} has no place in ${here} for all that it needs`, {
    target: target.id,
    help: `build for ${there}; or write the files into a folder with \`--out DIR\``,
  })
}

function spanOf({ shown, text }: NamedFile, range: TextRange | undefined): Span | undefined {
  if (text === undefined || range === undefined) return undefined
  return { file: shown, ...positionAt(lineStarts(text), range.offset), length: range.length }
}
