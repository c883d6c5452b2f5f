import * as z from 'zod/mini'
import { specSchema } from './schema.ts'

/** The language as JSON Schema (draft 7, which editors know best), with these targets. */
export function specJsonSchema(targetIds: readonly string[]): object {
  const schema = z.toJSONSchema(specSchema, { target: 'draft-7', io: 'input', override: leaveRoomForExtras })
  const { properties = {}, ...rest } = schema
  const targets = { ...(properties['targets'] as object), propertyNames: { enum: targetIds } }
  return {
    ...rest,
    properties: {
      $schema: { type: 'string', description: 'Where editors find this schema.' },
      ...properties,
      targets,
    },
  }
}

/** Keys that begin with `x-` are free wherever keys are fixed. */
function leaveRoomForExtras({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: object }) {
  if (zodSchema._zod.def.type === 'object') Object.assign(jsonSchema, { patternProperties: { '^x-': {} } })
}
