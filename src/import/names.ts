import { serverName } from '../spec/values.ts'

const longest = 32

/** Whether the name can stand in a spec as it is. */
export function isServerName(name: string): boolean {
  return serverName.safeParse(name).success
}

/**
 * A name for each server of a spec: what can stand there as it is stays, everything else becomes a slug. They are unique.
 *
 * @param wanted as the servers are called elsewhere; each is a free text
 */
export function serverNames(wanted: readonly string[]): string[] {
  const taken = new Set<string>()
  const numbers = new Map<string, number>()
  const kept = wanted.map((name) => {
    const keeps = isServerName(name) && !taken.has(name)
    if (keeps) taken.add(name)
    return keeps
  })
  return wanted.map((name, index) => (kept[index] ? name : unique(slug(name), taken, numbers)))
}

/** `Café "Notes" (v2)` → `cafe-notes-v2`. */
function slug(name: string): string {
  if (isServerName(name)) return name
  const text = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
  const short = text.replace(/^-+/, '').slice(0, longest).replace(/-+$/, '')
  return isServerName(short) ? short : 'server'
}

/**
 * The name, or the next with a number behind it.
 *
 * @param numbers the next one by the beginning of a name that no number takes away: ten thousand names that all become
 * one are not tried again for each of them
 */
function unique(name: string, taken: Set<string>, numbers: Map<string, number>): string {
  const stem = name.slice(0, longest - '-9999999'.length)
  let candidate = name
  for (let number = numbers.get(stem) ?? 2; taken.has(candidate); number++) {
    const suffix = `-${number}`
    candidate = name.slice(0, longest - suffix.length) + suffix
    numbers.set(stem, number + 1)
  }
  taken.add(candidate)
  return candidate
}
