import * as z from 'zod/mini'
import { codes } from './codes.ts'

const count = z.int().check(z.gte(0))
const position = z.int().check(z.gte(1))

const span = z
  .strictObject({ file: z.string(), line: position, column: position, length: count })
  .check(z.describe('Lines and columns count from 1, columns and lengths in UTF-16 code units.'))

const diagnostic = z.strictObject({
  code: z.enum(Object.keys(codes)).check(z.describe('Stable. `bridle explain CODE` prints what it means.')),
  severity: z.enum(['error', 'warning', 'note']),
  message: z.string(),
  span: z.optional(span),
  related: z.optional(z.array(z.strictObject({ message: z.string(), span }))),
  target: z.optional(z.string()),
  server: z.optional(z.string()),
  help: z.optional(z.string().check(z.describe('The way out.'))),
})

/** What `--format json` prints (see `DiagnosticsDocument`). */
export const diagnosticsSchema = z
  .strictObject({
    version: z.literal(1),
    diagnostics: z.array(diagnostic),
    summary: z.strictObject({ errors: count, warnings: count, notes: count }),
  })
  .check(z.meta({ title: 'Diagnostics of Bridle' }))

export function diagnosticsJsonSchema(): object {
  return z.toJSONSchema(diagnosticsSchema, { target: 'draft-7' })
}
