import type { McpStdioServer } from '../spec/spec.ts'

/**
 * Names that a POSIX shell treats itself, measured on dash and on bash as `sh`: read-only, computed, or reset at its
 * start. A server behind the wrapper would not receive them as written.
 */
const shellNames = new Set(
  (
    'PPID UID EUID GROUPS SHELLOPTS BASHOPTS RANDOM SRANDOM SECONDS LINENO OPTIND OPTERR _ SHLVL IFS PWD OLDPWD ' +
    'PS1 PS2 PS4 BASH BASHPID BASH_VERSION BASH_VERSINFO BASH_ARGV0 BASH_ARGC BASH_COMMAND BASH_SUBSHELL DIRSTACK ' +
    'EPOCHSECONDS EPOCHREALTIME FUNCNAME HISTCMD POSIXLY_CORRECT COMP_WORDBREAKS'
  ).split(' '),
)

export function isShellName(name: string): boolean {
  return shellNames.has(name)
}

/**
 * The stdio server behind the wrapper: `sh` changes to its folder, gives its variables their names, takes every other
 * name in `foreignNames` out of its environment and becomes the server. The text holds names only, never values.
 *
 * `server.variables` maps the name in the server to the name in the harness's environment; in the result the map is
 * the identity, since the harness only has to pass the latter on.
 *
 * @param isTaken whether the harness hands a text on verbatim as an argument, whatever its encoding
 */
export function wrapServer(
  server: McpStdioServer,
  foreignNames: readonly string[],
  isTaken: (text: string) => boolean = () => true,
): McpStdioServer {
  const own = new Set([...Object.keys(server.environment), ...Object.keys(server.variables)])
  const assignments = Object.entries(server.variables).map(([name, injected]) => `${name}="$${injected}"`)
  const unwanted = foreignNames.filter((name) => !own.has(name))
  const folder = server.workingDirectory
  const text = [
    folder === undefined ? [] : ['cd -- "$0" || exit 126'],
    assignments.length === 0 ? [] : [`export ${assignments.join(' ')}`],
    unwanted.length === 0 ? [] : [`unset ${unwanted.join(' ')}`],
    folder === undefined ? ['exec "$0" "$@"'] : ['exec "$@"'],
  ]
  const { workingDirectory: _, ...rest } = server
  return {
    ...rest,
    // Absolute, since the server may have a PATH of its own, and some harnesses look the command up there.
    command: '/bin/sh',
    arguments: [
      '-c',
      lengthened(text.flat().join('; '), isTaken),
      ...(folder === undefined ? [] : [folder]),
      server.command,
      ...server.arguments,
    ],
    variables: Object.fromEntries(Object.values(server.variables).map((injected) => [injected, injected])),
  }
}

/** Copilot takes texts up to a length and from a length on. Blanks at the end mean nothing to a shell. */
function lengthened(text: string, isTaken: (text: string) => boolean): string {
  const longer = Array.from({ length: 32 }, (_, count) => text + ' '.repeat(count))
  return longer.find(isTaken) ?? text
}
