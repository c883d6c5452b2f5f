import type { Code } from '../diagnostics/codes.ts'
import { type Feature, type FeatureUse, featureTitles } from './feature.ts'
import type { Context, Refusal, Support, Target } from './target.ts'

/** How a target honors a feature in a context. */
export function supportOf(target: Target, feature: Feature, context: Context): Support {
  const cell = target.supports[feature]
  return 'kind' in cell ? cell : cell[context]
}

/** Why a target refuses this use of a feature; undefined when it honors it. `all` are the uses of every server. */
export function refusalOf(
  target: Target,
  use: FeatureUse,
  all: readonly FeatureUse[],
  context: Context,
): (Refusal & { readonly code: Code }) | undefined {
  const support = supportOf(target, use.feature, context)
  if (support.kind === 'unsupported') {
    const reason = `${target.title} cannot honor ${featureTitles[use.feature]}: ${support.reason}`
    return { code: 'BRIDLE301', reason, help: support.help }
  }
  const refusal = support.kind === 'conditional' ? support.refuse(use, all) : undefined
  return refusal && { code: 'BRIDLE307', ...refusal }
}
