/** How texts of unknown origin are shown on a terminal. */

const tabWidth = 4

/**
 * The text as it is shown: tabs as blanks, everything that would move the cursor, change colours or reorder the line
 * as a visible sign (https://trojansource.codes). Line feeds are signs too.
 */
export function shown(text: string): string {
  return text
    .replaceAll('\t', ' '.repeat(tabWidth))
    .replaceAll(/[\u0000-\u001F]/g, (control) => String.fromCodePoint(0x2400 + control.charCodeAt(0)))
    .replaceAll('\u007F', '\u2421')
    .replaceAll(/[\u0080-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]|\p{Surrogate}/gu, '\uFFFD')
}

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
