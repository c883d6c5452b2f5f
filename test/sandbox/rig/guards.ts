import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import type { Row } from '../../../src/sandbox/arguments.ts'
import { verdicts } from '../../../src/sandbox/seccomp.ts'
import type { Plan } from '../../../src/sandbox/start.ts'

/** How the launcher under test is made without one of its guards. */
export interface Weakening {
  readonly plan?: (plan: Plan) => Plan
  readonly spawn?: (program: string, args: readonly string[], options: SpawnOptions) => ChildProcess
  readonly keepsInheritedDescriptors?: true
}

/** By name of the guard. Masks of a path are taken away by `mask PATH`, see `weakeningFor`. */
const weakenings = {
  'empty environment of bubblewrap': {
    spawn: (program, args, options) => spawn(program, args, { ...options, env: process.env }),
  },
  'arguments over a descriptor': {
    spawn: (program, args, options) =>
      spawn('/usr/bin/perl', ['-e', readWordsThenExec, program, ...args.slice(args.indexOf('--'))], options),
  },
  'inherited descriptors closed': { keepsInheritedDescriptors: true },
  'own process ids': changeRows((row) =>
    row.flags[0] === '--unshare-pid' ? [] : [row.flags[0] === '--proc' ? bind('--bind', '/proc') : row],
  ),
  'own network': withoutFlags('--unshare-net'),
  'own System V memory': withoutFlags('--unshare-ipc'),
  'system call filter': changeRows(allowAllCalls),
  'no nested user namespaces, system call filter': changeRows((row) =>
    row.flags[0] === '--disable-userns' ? [] : allowAllCalls(row),
  ),
  'read-only system': replaceFlag('--ro-bind', '--bind', '/usr'),
  'read-only /proc/sys': changeRows((row) => (row.flags[1] === '/proc/sys' ? [] : [row])),
  'read-only files': replaceFlag('--ro-bind-fd', '--bind-fd'),
  'mounts by descriptor': changeRows((row) => {
    const [flag, , destination] = row.flags
    return [flag === '--ro-bind-fd' && typeof destination === 'string' ? bind('--ro-bind', destination) : row]
  }),
  'pipes before files': {
    spawn: (program, args, options) =>
      spawn(program, args, {
        ...options,
        stdio: [...inherited, ...(Array.isArray(options.stdio) ? options.stdio.slice(inherited.length) : [])],
      }),
  },
  'dies with its parent': withoutFlags('--die-with-parent'),
  'session of its own': {
    ...withoutFlags('--new-session'),
    spawn: (program, args, options) => spawn(program, args, { ...options, detached: false }),
  },
} satisfies Record<string, Weakening>

export type Guard = keyof typeof weakenings | `mask ${string}`

export function weakeningFor(guard: Guard): Weakening {
  if (guard in weakenings) return weakenings[guard as keyof typeof weakenings]
  const path = guard.slice('mask '.length)
  return changeRows((row) => (String(row.flags.at(-1)).endsWith(`/${path}`) ? [] : [row]))
}

const inherited = ['inherit', 'inherit', 'inherit'] as const

/** The words come on descriptor 3; the rest of the command line is given. */
const readWordsThenExec = `
  my $program = shift; open(my $words, '<&=', 3); local $/; my @words = split /\\0/, <$words>; close $words;
  exec $program, @words, @ARGV`

/** Some filter there must be: a launch starts the command when it sees one. */
function allowAllCalls(row: Row): Row[] {
  if (row.flags[0] !== '--seccomp') return [row]
  const program = Buffer.alloc(8)
  program.writeUInt16LE(0x06, 0) // BPF_RET | BPF_K
  program.writeUInt32LE(verdicts.allow, 4)
  return [{ ...row, flags: ['--seccomp', { content: program }] }]
}

function changeRows(change: (row: Row) => readonly Row[]): Weakening {
  return { plan: (plan) => ({ ...plan, rows: plan.rows.flatMap(change) }) }
}

function withoutFlags(...flags: readonly string[]): Weakening {
  return changeRows((row) => (flags.includes(String(row.flags[0])) ? [] : [row]))
}

function replaceFlag(flag: string, by: string, operand?: string): Weakening {
  return changeRows((row) =>
    row.flags[0] === flag && (operand === undefined || row.flags[1] === operand)
      ? [{ ...row, flags: [by, ...row.flags.slice(1)] }]
      : [row],
  )
}

function bind(flag: string, path: string): Row {
  return { flags: [flag, path, path], reason: 'the guard is taken away' }
}
