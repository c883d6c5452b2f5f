import * as z from 'zod/mini'

/**
 * The schema of an entry of one of two kinds, told apart by a key that only the first has. Unlike a union it tries one of
 * them alone, which takes half the time of the largest emissions, and its issues say what is wrong.
 */
export function entryWith(key: string, one: z.ZodMiniType, other: z.ZodMiniType): z.ZodMiniType {
  return z.unknown().check((payload) => {
    const { value } = payload
    const isOne = typeof value === 'object' && value !== null && key in value
    const { error } = (isOne ? one : other).safeParse(value)
    for (const { path, message } of error?.issues ?? []) {
      payload.issues.push({ code: 'custom', path, message, input: value })
    }
  })
}
