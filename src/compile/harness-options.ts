import type { Refusal } from './target.ts'

/** An option with its value where both are one argument: `--name=value`, `-nvalue`, `-n=value`. */
export function splitOption(argument: string): { readonly name: string; readonly joined?: string } {
  if (!argument.startsWith('--')) {
    const joined = argument.slice(2).replace(/^=/, '')
    return { name: argument.slice(0, 2), ...(argument.length > 2 && { joined }) }
  }
  const equals = argument.indexOf('=')
  return equals === -1
    ? { name: argument }
    : { name: argument.slice(0, equals), joined: argument.slice(equals + 1) }
}

/** Why known options are refused, and what to do in their place. */
export type RefusedOptions = Readonly<Record<string, readonly [reason: string, help: string]>>

/** @param harmless the names of the options that a launch takes */
export function refuseOption(name: string, refused: RefusedOptions, harmless: readonly string[]): Refusal {
  const [reason, help] = (Object.hasOwn(refused, name) ? refused[name] : undefined) ?? [
    'Bridle does not know that it leaves the promises of the spec alone',
    `remove it; possible: ${harmless.join(' ')}`,
  ]
  return { reason: `\`${name}\` is refused: ${reason}`, help }
}
