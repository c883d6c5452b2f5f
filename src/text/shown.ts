/** How texts of unknown origin are shown, so that nothing in them steers a terminal or deceives its reader. */

const tabWidth = 4

/**
 * The text on one line: tabs as blanks, everything that would move the cursor, change colours or reorder the line as a
 * visible sign (https://trojansource.codes). Line feeds are signs too.
 */
export function shown(text: string): string {
  return withSigns(text.replaceAll('\t', ' '.repeat(tabWidth)))
}

/** The text with its lines and tabs, everything else as in `shown`. */
export function shownLines(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : withSigns(part)))
    .join('')
}

/** What a program said, on one line, without the colours that it meant for a terminal. */
export function shownPlainly(text: string): string {
  return withSigns(text.replaceAll(/\u001B\[[0-9;?]*[ -/]*[@-~]/g, '').replaceAll(/\p{Cc}+/gu, ' '))
}

/** JSON that means the same, with escapes in place of what JSON lets stand in a string and `shown` does not. */
export function shownJson(json: string): string {
  return json.replaceAll(deceiving, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** C1 controls and DEL, which some terminals obey, marks and overrides of direction, separators of lines, half pairs. */
const deceiving = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]|\p{Surrogate}/gu

function withSigns(text: string): string {
  return text
    .replaceAll(/[\u0000-\u001F]/g, (control) => String.fromCodePoint(0x2400 + control.charCodeAt(0)))
    .replaceAll('\u007F', '\u2421')
    .replaceAll(deceiving, '\uFFFD')
}
