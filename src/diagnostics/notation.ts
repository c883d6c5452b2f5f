/**
 * A help for a spec in TOML: helps are written in the notation of YAML, and what they show between backticks or braces
 * (`omit: [toolTimeoutMs]`, { verbatim: "…" }) is put into that of TOML.
 */
export function inToml(help: string): string {
  return help.replace(/`[^`]*`|\{[^{}]*\}/g, (shown) =>
    shown
      .replace(/([\w$-]+|…): /g, '$1 = ')
      .replace(/(?<= = )(?!true\b|false\b)[A-Za-z_][\w-]*/g, '"$&"')
      .replace(/(?<= = )\[[\w-]+(?:, [\w-]+)*\]/g, (list) => list.replace(/[\w-]+/g, '"$&"')),
  )
}
