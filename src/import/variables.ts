import { declaredVariable } from '../spec/values.ts'
import type { Reference } from './foreign.ts'

/** The declared variables of an import, as they come up. A name means one thing. */
export interface Variables {
  /** For a variable of the environment; undefined when a spec cannot hold its name. */
  environment(name: string): string | undefined
  /** For what a program asks its user for. */
  input(id: string): string
  /**
   * For a secret that stood in the file: the same one twice is one variable. It is called `name` where that is free, or
   * else after where it stood.
   */
  secret(value: string, place: string, name?: string): string
}

/** @param reserved names of variables that the files refer to: nothing else may be called so */
export function createVariables(reserved: Iterable<string>): Variables {
  const meanings = new Map<string, string>()
  for (const name of reserved) meanings.set(name, `environment ${name}`)
  const allocate = (meaning: string, wanted: readonly string[]): string => {
    for (const [name, owner] of meanings) if (owner === meaning) return name
    const name = free(wanted, (candidate) => meanings.has(candidate))
    meanings.set(name, meaning)
    return name
  }
  return {
    environment: (name) => (isVariableName(name) ? name : undefined),
    input: (id) => allocate(`input ${id}`, [upperCase(id)]),
    secret: (value, place, name) =>
      allocate(`secret ${value}`, [
        ...(name !== undefined && isVariableName(name) ? [name] : []),
        upperCase(place),
      ]),
  }
}

/** The names of variables that these references have in a spec too. */
export function namesOfEnvironment(references: readonly Reference[]): string[] {
  return references.filter(({ kind }) => kind === 'environment').map(({ name }) => name)
}

function isVariableName(name: string): boolean {
  return declaredVariable.safeParse(name).success
}

/** `github-pat` → `GITHUB_PAT`. */
function upperCase(text: string): string {
  const name = text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  const safe = /^\d/.test(name) ? `_${name}` : name
  return isVariableName(safe) ? safe : 'SECRET'
}

function free(wanted: readonly string[], isTaken: (name: string) => boolean): string {
  const found = wanted.find((name) => !isTaken(name))
  if (found !== undefined) return found
  const base = wanted.at(-1) ?? 'SECRET'
  for (let number = 2; ; number++) {
    const candidate = `${base}_${number}`
    if (!isTaken(candidate)) return candidate
  }
}
