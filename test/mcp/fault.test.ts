import { OAuthError, ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { DeadlineError } from '../../src/mcp/deadline.ts'
import { describeFault } from '../../src/mcp/fault.ts'
import { mask } from '../../src/mcp/mask.ts'

const http = (status: number, message = 'Error') =>
  new SdkHttpError(SdkErrorCode.ClientHttpFailedToOpenStream, message, { status, statusText: 'Text' })
const network = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('cause'), { code }) })

const faults: [unknown, string][] = [
  [new DeadlineError(1000), 'it did not answer within 1000 ms'],
  [new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'), 'it closed the connection'],
  [new ProtocolError(-32601, 'Method not found'), 'it answered with the error -32601: Method not found'],
  [new OAuthError('invalid_client', 'no'), 'its authorization server answered invalid_client: no'],
  [http(401), 'it answered with HTTP status 401 Text (the credentials are missing or wrong)'],
  [http(500), 'it answered with HTTP status 500 Text'],
  [http(307, 'Redirect to http://a/ not followed'), 'Redirect to http://a/ not followed'],
  [network('ECONNREFUSED'), 'nothing listens at its address'],
  [network('ENOTFOUND'), 'its host name is not known'],
  [network('DEPTH_ZERO_SELF_SIGNED_CERT'), 'it cannot be reached: DEPTH_ZERO_SELF_SIGNED_CERT'],
  [new Error('\x1b[31mred\x1b[0m\nand more'), 'red and more'],
  ['a text', 'a text'],
]

describe('the reason of a fault', () => {
  it.each(faults)('%s', (error, reason) => {
    expect(describeFault(error, (text) => text)).toBe(reason)
  })

  it('shows no part of a secret where it is cut', () => {
    for (let padding = 280; padding <= 300; padding += 1) {
      const error = new Error(`${'x'.repeat(padding)}canary-value`)
      expect(describeFault(error, (text) => mask(text, ['canary-value']))).not.toContain('can')
    }
  })
})
