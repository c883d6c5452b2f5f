import { targetIds } from '../../targets/index.ts'
import type { SpecDefinition } from '../spec/definition.ts'
import { type ReadResult, readSpec as read } from '../spec/read.ts'

export interface ReadSpecOptions {
  /** What diagnostics call it. A text whose name ends with `.json` is read as JSON, with `.toml` as TOML, else as YAML. By
   * default bridle.yaml; of a definition bridle.json. */
  readonly file?: string
  /** Relative paths of the spec start here. By default the working directory. */
  readonly folder?: string
}

/**
 * Reads a spec: the text of a file, or what `defineSpec` gave. Of the latter, the places of diagnostics are those in its
 * JSON, indented by two blanks.
 *
 * @returns everything that is wrong, in order of place; the spec itself where there are no errors
 * @throws TypeError where there is neither, or where a value of the spec has no form in JSON, such as a function
 */
export async function readSpec(
  spec: string | SpecDefinition,
  options: ReadSpecOptions = {},
): Promise<ReadResult> {
  const { folder = process.cwd() } = options
  if (typeof spec === 'string') return read(spec, { file: 'bridle.yaml', ...options, folder, targetIds })
  if (typeof spec !== 'object' || spec === null)
    throw new TypeError('readSpec takes the text of a spec, or what defineSpec gave.')
  const text = JSON.stringify(spec, plainOnly, 2)
  return read(text, { file: 'bridle.json', ...options, folder, targetIds })
}

/** JSON would leave such a value out, or make an empty object of it, in silence. */
function plainOnly(key: string, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const isPlain = !isObject || [Object.prototype, null].includes(Object.getPrototypeOf(value))
  if (isPlain && !['function', 'symbol', 'bigint'].includes(typeof value)) return value
  throw new TypeError(`The value of ${JSON.stringify(key)} in the spec is no plain data.`)
}
