import { OAuthError, ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { shownPlainly } from '../text/shown.ts'
import { DeadlineError } from './deadline.ts'

const longestReason = 300

/**
 * Why something failed, as the rest of a sentence about the server.
 *
 * @param hide takes secret values out, before the text is cut
 */
export function describeFault(error: unknown, hide: (text: string) => string): string {
  return shownPlainly(hide(reasonOf(error))).slice(0, longestReason)
}

function reasonOf(error: unknown): string {
  if (error instanceof DeadlineError) return `it did not answer within ${error.limitMs} ms`
  if (error instanceof SdkHttpError) return httpReason(error)
  if (error instanceof SdkError) return sdkReason(error)
  if (error instanceof ProtocolError) return `it answered with the error ${error.code}: ${error.message}`
  if (error instanceof OAuthError) return `its authorization server answered ${error.code}: ${error.message}`
  if (error instanceof TypeError && error.cause instanceof Error) return networkReason(error.cause)
  return error instanceof Error ? error.message : String(error)
}

function httpReason({ status, statusText, message }: SdkHttpError): string {
  if (/redirect/i.test(message)) return message
  const hint = httpHints[status]
  return `it answered with HTTP status ${status} ${statusText ?? ''}`.trimEnd() + (hint ? ` (${hint})` : '')
}

const httpHints: Readonly<Record<number, string>> = {
  401: 'the credentials are missing or wrong',
  403: 'the credentials do not suffice',
  404: 'is this the address of its Streamable HTTP endpoint?',
  405: 'is this the address of its Streamable HTTP endpoint?',
}

function sdkReason(error: SdkError): string {
  if (error.code === SdkErrorCode.RequestTimeout) return 'it did not answer in time'
  return isClosed(error) ? 'it closed the connection' : error.message
}

/** The connection is over, so that the end of the server says more than the error. */
export function isClosed(error: unknown): boolean {
  const codes: readonly string[] = [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected]
  return error instanceof SdkError && codes.includes(error.code)
}

/** `fetch` hides the reason in its cause. */
function networkReason(cause: Error): string {
  const code = 'code' in cause ? String(cause.code) : ''
  return networkReasons[code] ?? `it cannot be reached: ${code || cause.message}`
}

const networkReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its address',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name cannot be looked up: there is no network',
  ENETUNREACH: 'it cannot be reached: there is no network',
}
