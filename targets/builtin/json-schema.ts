import * as z from 'zod/mini'
import { builtinConfig } from './emission.ts'

/** `builtin.json` as JSON Schema (draft 7, which editors know best). */
export function builtinJsonSchema(): object {
  return z.toJSONSchema(builtinConfig, { target: 'draft-7' })
}
