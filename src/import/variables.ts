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
  const names = new Map<string, string>()
  const taken = new Set<string>()
  const numbers = new Map<string, number>()
  for (const name of reserved) {
    names.set(`environment ${name}`, name)
    taken.add(name)
  }
  const allocate = (meaning: string, wanted: readonly string[]): string => {
    const name = names.get(meaning) ?? free(wanted, taken, numbers)
    names.set(meaning, name)
    taken.add(name)
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

/** @param numbers the next one by name, since the same name may be wanted a hundred thousand times */
function free(wanted: readonly string[], taken: ReadonlySet<string>, numbers: Map<string, number>): string {
  const found = wanted.find((name) => !taken.has(name))
  if (found !== undefined) return found
  const base = wanted.at(-1) ?? 'SECRET'
  for (let number = numbers.get(base) ?? 2; ; number++) {
    numbers.set(base, number + 1)
    const candidate = `${base}_${number}`
    if (!taken.has(candidate)) return candidate
  }
}
