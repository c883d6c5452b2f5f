import type { Code } from '../codes.ts'

/** What `bridle explain CODE` says beside the title: short, concrete, and true as it stands. */
export interface Page {
  readonly meaning: string
  /**
   * `spec`: the example and the mend are whole specs; the first gives the code, the second does not.
   * `words`: a situation in words, since more than a spec is at work.
   */
  readonly kind: 'spec' | 'words'
  /** The target on which the example gives the code, when reading alone does not. */
  readonly target?: string
  readonly example: string
  readonly mend: string
}

/** A page for every code of one family: a new code does not type-check until it has one. */
export type Pages<Family extends string> = { readonly [Key in Extract<Code, `${Family}${string}`>]: Page }

export function spec(meaning: string, example: string, mend: string): Page {
  return { meaning, kind: 'spec', example, mend }
}

export function specFor(target: string, meaning: string, example: string, mend: string): Page {
  return { meaning, kind: 'spec', target, example, mend }
}

export function words(meaning: string, example: string, mend: string): Page {
  return { meaning, kind: 'words', example, mend }
}
