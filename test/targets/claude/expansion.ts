/**
 * What Claude Code 2.1.332 does to a text once: `${NAME}` gives the value or stays as it is, `${NAME:-default}` gives the
 * value or the default, which is not looked at again.
 */
export function expandOnce(text: string, environment: Readonly<Record<string, string>>): string {
  return text.replace(
    /\$\{([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}/g,
    (reference, name: string, fallback?: string) =>
      Object.hasOwn(environment, name) ? (environment[name] ?? '') : (fallback?.slice(2) ?? reference),
  )
}
