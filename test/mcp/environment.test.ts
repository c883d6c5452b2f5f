import { describe, expect, it } from 'vitest'
import { serverEnvironment, variableNames } from '../../src/mcp/environment.ts'
import { httpServer, stdioServer } from '../fixtures/servers.ts'

describe('the environment of a server', () => {
  it('has the base names that are set, and no other', () => {
    const environment = {
      PATH: '/bin',
      TZ: undefined,
      HTTPS_PROXY: 'http://user:password@proxy',
      NPM_TOKEN: 'x',
    }
    expect(serverEnvironment(stdioServer('dump.mjs'), environment)).toEqual({ PATH: '/bin' })
  })

  it('has a literal in place of a base name', () => {
    const server = stdioServer('dump.mjs', [], { environment: { PATH: '/opt/bin' } })
    expect(serverEnvironment(server, { PATH: '/bin' })).toEqual({ PATH: '/opt/bin' })
  })

  it('has a variable under the name that the server knows', () => {
    const server = stdioServer('dump.mjs', [], { variables: { API_KEY: 'BRIDLE_V1' } })
    expect(serverEnvironment(server, { BRIDLE_V1: 'value' })).toEqual({ API_KEY: 'value' })
  })
})

describe('the variables of a server', () => {
  it('are all the names that it takes secrets from', () => {
    const oauth = { clientId: 'id', clientSecretVariable: 'SECRET', scopes: [] }
    expect(variableNames(stdioServer('dump.mjs', [], { variables: { A: 'V1', B: 'V2' } }))).toEqual([
      'V1',
      'V2',
    ])
    expect(
      variableNames(
        httpServer('http://a', { headerVariables: { X: 'V1' }, bearerTokenVariable: 'V2', oauth }),
      ),
    ).toEqual(['V1', 'V2', 'SECRET'])
  })
})
