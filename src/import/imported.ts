import type { AnyServerInput, SpecInput } from '../spec/schema.ts'

/** A server as it is written into a spec. */
export type ImportedServer = Partial<AnyServerInput>

/** A spec as it is written: a plain value, to be shown as YAML or JSON. */
export type ImportedSpec = SpecInput
