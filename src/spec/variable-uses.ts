import type { Path } from './spec.ts'

/** The kinds of place in which a secret reaches a server. */
export type SecretField = 'environment' | 'header' | 'clientSecret'

/** A place of a server that names a declared variable. */
export interface VariableUse {
  readonly variable: string
  readonly field: SecretField
  readonly path: Path
}

/** The fields of a server that name variables, in a spec as it was written and in one that was read. */
export interface VariableFields {
  readonly variables?: VariableNames | undefined
  readonly headerVariables?: VariableNames | undefined
  readonly bearerTokenVariable?: string | undefined
  readonly oauth?: string | { readonly clientSecretVariable?: string } | undefined
}

export type VariableNames = readonly string[] | Readonly<Record<string, string>>

/** Every place where a server uses a variable, as what. */
export function variableUses(server: VariableFields, name: string): VariableUse[] {
  const { variables, headerVariables, bearerTokenVariable, oauth } = server
  const clientSecret = typeof oauth === 'object' ? oauth.clientSecretVariable : undefined
  const from = (field: SecretField, names: VariableNames | undefined, ...steps: string[]) =>
    namesIn(names).map(([step, variable]) => ({ variable, field, path: ['servers', name, ...steps, step] }))
  return [
    ...from('environment', variables, 'variables'),
    ...from('header', headerVariables, 'headerVariables'),
    ...from('header', single('bearerTokenVariable', bearerTokenVariable)),
    ...from('clientSecret', single('clientSecretVariable', clientSecret), 'oauth'),
  ]
}

/** Each with its last step: the key of a map, and in a list the name itself. */
export function namesIn(names: VariableNames = []): (readonly [step: string, name: string])[] {
  return isList(names) ? names.map((name) => [name, name] as const) : Object.entries(names)
}

function isList(names: VariableNames): names is readonly string[] {
  return Array.isArray(names)
}

function single(key: string, variable: string | undefined): VariableNames {
  return variable === undefined ? [] : { [key]: variable }
}
