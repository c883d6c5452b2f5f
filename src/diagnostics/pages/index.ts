import { type Code, codes } from '../codes.ts'
import { noColors, type Palette } from '../terminal.ts'
import { importPages } from './import.ts'
import { languagePages } from './language.ts'
import type { Page } from './page.ts'
import { readingPages } from './reading.ts'
import { installPages, launchPages, runtimePages, secretPages } from './running.ts'
import { targetPages } from './target.ts'

/** The page of every code. */
export const pages: Readonly<Record<Code, Page>> = {
  ...readingPages,
  ...languagePages,
  ...targetPages,
  ...installPages,
  ...importPages,
  ...secretPages,
  ...launchPages,
  ...runtimePages,
}

/** The page of a code as text for a terminal: what it means, an example, the mend. */
export function renderPage(code: Code, palette: Palette = noColors): string {
  const { meaning, example, mend } = pages[code]
  return [
    palette.bold(`${code}: ${codes[code]}`),
    wrap(meaning, 80),
    palette.bold('For example'),
    indent(example),
    palette.bold('The mend'),
    indent(mend),
  ]
    .join('\n\n')
    .concat('\n')
}

/** Lines of at most this many characters, broken at blanks. */
function wrap(text: string, width: number): string {
  return text.replaceAll(new RegExp(`(.{1,${width}})(?: +|$)`, 'g'), '$1\n').trimEnd()
}

function indent(text: string): string {
  const lines = text.trimEnd().split('\n')
  return (lines.length === 1 ? wrap(text, 76).split('\n') : lines).map((line) => `    ${line}`).join('\n')
}
