import { codes, isCode } from '../diagnostics/codes.ts'
import { renderPage } from '../diagnostics/pages/index.ts'
import { mostLike } from '../spec/suggest.ts'
import type { Terminal } from './terminal.ts'

/** `bridle explain CODE`: the page of a diagnostic. Also takes `209` and `bridle209`. */
export function explain(terminal: Terminal, name: string): number {
  const code = name.toUpperCase().replace(/^(?=\d)/, 'BRIDLE')
  if (isCode(code)) {
    terminal.out(renderPage(code))
    return 0
  }
  const suggestion = mostLike(code, Object.keys(codes))
  const hint = suggestion === undefined ? 'codes look like BRIDLE209' : `did you mean ${suggestion}?`
  terminal.err(`bridle explain: there is no code \`${name}\`; ${hint}\n`)
  return 2
}
