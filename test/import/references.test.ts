import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Part } from '../../src/import/foreign.ts'
import {
  bracedVariables,
  editorVariables,
  literalOf,
  noReferences,
  partsOf,
  type ReferenceSyntax,
  shellVariables,
} from '../../src/import/references.ts'
import { encodeLiteral as encodeForClaude } from '../../targets/claude/literals.ts'
import { encodeLiteral as encodeForCopilot } from '../../targets/copilot/literals.ts'

const claude: ReferenceSyntax = { ...bracedVariables, headersTwice: true }
const editor = editorVariables(['workspaceFolder', '/'], ['input', 'config'])
const variable = (name: string, fallback?: string): Part => ({
  kind: 'environment',
  name,
  ...(fallback !== undefined && { fallback }),
})

/** By what each program replaces; `docs/targets` has the facts. */
const cases: readonly (readonly [syntax: string, text: string, parts: readonly Part[]])[] = [
  ['claude', '${A}', [variable('A')]],
  ['claude', 'x ${A} y ${B:-b c}', ['x ', variable('A'), ' y ', variable('B', 'b c')]],
  ['claude', '${A:-}', [variable('A', '')]],
  [
    'claude',
    '$A $$ ${} ${1X} ${A-b} ${ A } %A% {env:A} ${env:A}',
    ['$A $$ ${} ${1X} ${A-b} ${ A } %A% {env:A} ${env:A}'],
  ],
  ['claude', '$${A}', ['$', variable('A')]],
  ['claude', '${BRIDLE_U:-$}{A}', ['${A}']],
  ['claude', '', ['']],
  ['copilot', '$A/${B}', [variable('A'), '/', variable('B')]],
  ['copilot', '$A_b9c', [variable('A_b9c')]],
  ['copilot', '$1 $$ ${input:x} ${A:?e}', ['$1 $$ ${input:x} ${A:?e}']],
  ['copilot', '${BRIDLE_U:-$}A', ['$A']],
  ['editor', '${env:A} ${input:my key}', [variable('A'), ' ', { kind: 'input', name: 'my key' }]],
  [
    'editor',
    '${workspaceFolder}${/}x',
    [{ kind: 'other', name: 'workspaceFolder' }, { kind: 'other', name: '/' }, 'x'],
  ],
  ['editor', '${config:a.b}', [{ kind: 'other', name: 'config:a.b' }]],
  ['editor', '${A} $A ${env:} ${workspaceFolderX}', ['${A} $A ${env:} ${workspaceFolderX}']],
  ['none', '${A} $A ${env:A}', ['${A} $A ${env:A}']],
]

const syntaxes: Readonly<Record<string, ReferenceSyntax>> = {
  claude,
  copilot: shellVariables,
  editor,
  none: noReferences,
}

describe('A text of a foreign file', () => {
  it.each(cases)('as %s reads it: %s', (syntax, text, parts) => {
    expect(partsOf(text, syntaxes[syntax] ?? noReferences, 'plain')).toEqual(parts)
  })

  it('in a header of Claude Code is taken apart twice, as it is replaced twice', () => {
    expect(partsOf('${BRIDLE_U:-$}{BRIDLE_U:-$}{A}', claude, 'header')).toEqual(['${A}'])
    expect(partsOf('Bearer ${A}', claude, 'header')).toEqual(['Bearer ', variable('A')])
    // A reference that the first pass makes is one for the second.
    expect(partsOf('${BRIDLE_U:-$}{A}', claude, 'header')).toEqual([variable('A')])
  })

  it('is looked through in time, however many references in it have no end', () => {
    for (const [syntax, opening] of [
      [bracedVariables, '${A:-'],
      [shellVariables, '${A:-'],
      [editor, '${env:'],
    ] as const) {
      const text = opening.repeat(400_000)
      expect(partsOf(text, syntax, 'plain')).toEqual([text])
    }
    const parts = partsOf('${A:-} $B ${C:- $D', shellVariables, 'plain')
    expect(parts).toEqual([variable('A', ''), ' ', variable('B'), ' ${C:- ', variable('D')])
  })

  it('that a target has encoded is the literal that was meant', () => {
    const piece = fc.oneof(
      fc.constantFrom('$', '{', '}', 'A', '${A}', '${A:-b}', ':-', '${BRIDLE_V1}'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('')
        expect(literalOf(partsOf(encodeForClaude(text, 'argument'), claude, 'plain'))).toBe(text)
        expect(literalOf(partsOf(encodeForClaude(text, 'header'), claude, 'header'))).toBe(text)
        expect(literalOf(partsOf(encodeForCopilot(text, 'environment'), shellVariables, 'plain'))).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })
})
