import { isSecret, isSecretHeader, urlSecrets, withoutSecrets } from '../text/secrets.ts'
import { type Collected, described, notCopied, rotate, told, verbatimText } from './conversion.ts'
import { isUnfilled, lastOfEach, tellSecret, variableFor, wholeValue } from './convert-stdio.ts'
import type { ForeignServer, NamedText, Text } from './foreign.ts'
import type { ImportedServer } from './imported.ts'
import { literalOf, referencesIn } from './references.ts'

/**
 * The address, a literal. A user or a secret parameter in it is taken out: without it the server refuses, which is safe.
 */
export function convertUrl(text: Text, collected: Collected): string {
  const literal = literalOf(text.parts)
  if (literal === undefined) {
    collected.refuse(
      `its address refers to ${described(referencesIn(text.parts))}, and a spec has only literals there`,
      text.span,
    )
    return ''
  }
  if (literal.includes('${')) {
    collected.refuse('its address holds `${` as a text, which a spec cannot say there', text.span)
    return ''
  }
  const found = urlSecrets(literal)
  if (found.includes('path')) {
    notCopied('the path of its address', text.span, collected)
    return ''
  }
  if (found.length === 0) return literal
  const message = `a secret stands in its address (${found.map((kind) => parts[kind]).join(', ')}), and was not copied`
  const help = `${rotate} Then send it in a header: \`bearerTokenVariable\` or \`headerVariables\`, if the server takes it there.`
  told(collected, 'BRIDLE423', message, text, help)
  return withoutSecrets(literal)
}

const parts = { user: 'as the user', query: 'as a parameter', path: 'in the path' }

/** Literals into `headers`; references and secrets into `bearerTokenVariable` and `headerVariables`. */
export function convertHeaders(
  { headers: all = [] }: ForeignServer,
  name: string,
  collected: Collected,
): ImportedServer {
  const headers: [string, string | { verbatim: string }][] = []
  const headerVariables: [string, string][] = []
  let bearerTokenVariable: string | undefined
  for (const named of lastOfEach(all, collected, (each) => each.toLowerCase())) {
    const literal = literalOf(named.text.parts)
    const value =
      literal === undefined ? referring(named, collected) : secretValue(named, literal, name, collected)
    if (value?.kind === 'bearer') bearerTokenVariable = value.variable
    else if (value?.kind === 'whole') headerVariables.push([named.name, value.variable])
    else if (literal !== undefined) {
      headers.push([named.name, verbatimText(literal, `\`${named.name}\``, named.text.span, collected)])
    }
  }
  return {
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(headerVariables.length > 0 && { headerVariables: Object.fromEntries(headerVariables) }),
    ...(bearerTokenVariable !== undefined && { bearerTokenVariable }),
  }
}

interface FromVariable {
  readonly kind: 'bearer' | 'whole'
  readonly variable: string
}

/** A header that refers to something: as a bearer token, as its whole value, or not at all. */
function referring(named: NamedText, collected: Collected): FromVariable | undefined {
  const { name, text } = named
  const [first, second] = text.parts
  if (text.parts.length === 1) return asVariable('whole', variableFor(named, collected))
  const isBearer = isAuthorization(name) && typeof first === 'string' && /^Bearer $/i.test(first)
  if (isBearer && typeof second === 'object' && second.kind !== 'other' && text.parts.length === 2) {
    return asVariable('bearer', wholeValue(second, name, text, collected))
  }
  const references = described(referencesIn(text.parts))
  const help = `Write \`headerVariables: { ${name}: NAME }\`, with a variable that holds the whole value.`
  // Without a credential the server refuses, which is safe; another header could be a restriction.
  if (isSecret(name, 'a1B2'.repeat(8))) {
    told(
      collected,
      'BRIDLE421',
      `the header \`${name}\` is not carried over: ${references} is a part of it`,
      text,
      help,
    )
  } else {
    collected.refuse(
      `${references} is a part of the header \`${name}\`, for which a spec has no field`,
      text.span,
      help,
    )
  }
  return undefined
}

function asVariable(kind: FromVariable['kind'], variable: string | undefined): FromVariable | undefined {
  return variable === undefined ? undefined : { kind, variable }
}

/** A literal header that is a secret; whatever `Authorization` holds is one. */
function secretValue(
  { name, text }: NamedText,
  literal: string,
  server: string,
  collected: Collected,
): FromVariable | undefined {
  if (!isSecretHeader(name, literal) && !isUnfilled(name, literal)) return undefined
  const [, token] = (isAuthorization(name) && /^Bearer +(\S+)$/i.exec(literal)) || []
  const variable =
    token === undefined
      ? collected.variables.secret(literal, `${server}_${name}`)
      : collected.variables.secret(token, `${server}_token`)
  tellSecret(`the header \`${name}\``, literal, variable, text, collected)
  if (token === undefined && isAuthorization(name)) {
    told(
      collected,
      'BRIDLE424',
      `\`${variable}\` must hold the whole header, the word before the credential too`,
      text,
    )
  }
  return { kind: token === undefined ? 'whole' : 'bearer', variable }
}

function isAuthorization(name: string): boolean {
  return name.toLowerCase() === 'authorization'
}

/** At most one setting says how the server knows its user; a header does in every program. */
export function convertOauth(
  { oauth, span }: ForeignServer,
  name: string,
  { headers = {}, headerVariables = {}, bearerTokenVariable }: ImportedServer,
  collected: Collected,
): ImportedServer {
  if (oauth === undefined) return {}
  const names = [...Object.keys(headers), ...Object.keys(headerVariables)]
  if (bearerTokenVariable !== undefined || names.some(isAuthorization)) {
    told(collected, 'BRIDLE421', 'its login is not carried over: it has an Authorization header', { span })
    return {}
  }
  if (oauth === 'login') return { oauth }
  const clientSecretVariable = collected.variables.secret(`client secret of ${name}`, `${name}_client_secret`)
  const message = `${collected.foreign.program} keeps the client secret itself; it is the variable \`${clientSecretVariable}\` now`
  told(collected, 'BRIDLE424', message, { span })
  const { clientId, scopes } = oauth
  return { oauth: { clientId, clientSecretVariable, ...(scopes.length > 0 && { scopes: [...scopes] }) } }
}
