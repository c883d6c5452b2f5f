import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { Form } from './form.ts'
import { formIds, forms } from './forms/index.ts'
import { parseJson } from './parse.ts'

/**
 * The form of a file: by its name where that says it, by what stands in it where no other form has that. Several programs
 * read files that look alike and mean different things by them, so that what is not clear is asked for.
 */
export function recogniseForm(text: string, file: string): Form | Diagnostic {
  const name = file.replaceAll('\\', '/').toLowerCase()
  const byName = forms.filter(({ fileNames }) =>
    fileNames.some((each) => name === each || name.endsWith(`/${each}`)),
  )
  const [named] = byName.sort((a, b) => longest(b) - longest(a))
  if (named !== undefined && named.id !== 'registry') return named
  if (/\.toml$/.test(name)) return forms.find(({ syntax }) => syntax === 'toml') ?? unknownForm(file)
  const { root } = parseJson(text)
  const byContent =
    root === undefined ? [] : forms.filter((form) => form.syntax !== 'toml' && form.recognises(root))
  const [first, second] = byContent
  if (first !== undefined && second === undefined) return first
  return named ?? unknownForm(file)
}

function longest({ fileNames }: Form): number {
  return Math.max(0, ...fileNames.map(({ length }) => length))
}

function unknownForm(file: string): Diagnostic {
  return diagnostic('BRIDLE420', 'error', `it is not clear in which form \`${file}\` is`, {
    help: `Name the form with \`--from FORM\`; forms are ${formIds.join(', ')}.`,
  })
}
