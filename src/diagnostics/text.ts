import type { Diagnostic } from './diagnostic.ts'

/** Measures and forms of the texts of diagnostics. */

/** The columns that a shown text takes on a terminal. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text)
    width += /\p{Mark}|\u200B|\u200D/u.test(character) ? 0 : isWide(character) ? 2 : 1
  return width
}

/** East Asian wide characters and emoji (Unicode Standard Annex 11, by its blocks). */
function isWide(character: string): boolean {
  return /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u.test(
    character,
  )
}

/** As a sentence: with a capital and a full stop, whoever wrote it. */
export function sentence(text: string): string {
  const capital = /^[a-z]+\b(?![./_-])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
  return /[\p{Letter}\p{Number}`")\]}]$/u.test(capital) ? `${capital}.` : capital
}

/** What a diagnostic is about: `server linear · target codex`. Empty where it names neither. */
export function aboutOf({ server, target }: Diagnostic): string {
  return [server && `server ${server}`, target && `target ${target}`].filter(Boolean).join(' · ')
}

/** All that a diagnostic says, for readers who see nothing but a text: what is wrong, the way out, what it is about. */
export function wholeText(diagnostic: Diagnostic): string {
  const about = aboutOf(diagnostic)
  const help = diagnostic.help === undefined ? [] : [sentence(diagnostic.help)]
  return [sentence(diagnostic.message), ...help, ...(about === '' ? [] : [`(${about})`])].join('\n')
}
