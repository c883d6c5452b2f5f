/**
 * What runs first inside: a shell that reads a script from a descriptor and becomes the command. The script holds the
 * environment, so that it stands in no argv; after `exec` no process of ours is left that could be read.
 *
 * @param descriptor where the script arrives; one digit, more than that is not a redirection to dash
 */
export function initCommand(descriptor: number, argv: readonly string[]): string[] {
  return ['/bin/sh', '-c', `eval "$(cat <&${descriptor})"`, 'sh', ...argv]
}

/**
 * The script of the init, one compound command: a shell carries it out only when it has read the end. So nothing is
 * started when the launcher dies before it sent the whole.
 *
 * @param environment names are identifiers, values hold no NUL
 */
export function initScript(descriptor: number, environment: Readonly<Record<string, string>>): string {
  const exports = Object.entries(environment).map(([name, value]) => `export ${name}=${quote(value)}\n`)
  return `{\n${exports.join('')}exec ${descriptor}<&-\nulimit -c 0\nexec "$@"\n}\n`
}

/** The text as one word of a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
