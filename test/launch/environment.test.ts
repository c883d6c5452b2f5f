import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { baseEnvironment, findCertificates, systemSearchPath } from '../../src/launch/environment.ts'

const request = { launcher: {}, certificates: {}, searchFolders: ['/a', '/b'], home: '/home/agent' } as const
const file = path.join(import.meta.dirname, 'environment.test.ts')

describe('the base environment', () => {
  it('is the same whatever the launcher holds beside the names that it takes over', () => {
    const launcher = {
      AWS_SECRET_ACCESS_KEY: 'canary',
      HOME: '/home/ada',
      PATH: '/canary',
      npm_config_cache: '/canary',
      SHELL: '/canary',
    }
    const plain = baseEnvironment({ ...request, network: 'none' })
    expect(baseEnvironment({ ...request, launcher, network: 'none' })).toEqual(plain)
    expect(plain).toMatchObject({
      PATH: '/a:/b',
      HOME: '/home/agent',
      npm_config_cache: '/home/agent/.cache/npm',
    })
  })

  it('tells package runners that there is no network', () => {
    const offline = { npm_config_offline: 'true', UV_OFFLINE: '1' }
    expect(baseEnvironment({ ...request, network: 'none' })).toMatchObject(offline)
    expect(baseEnvironment({ ...request, network: 'host' })).not.toMatchObject(offline)
  })

  it('names the proxies of an open network, unless there is a password in them', () => {
    const launcher = {
      HTTPS_PROXY: 'http://ada:canary@proxy.example',
      http_proxy: 'http://proxy.example:1',
      NO_PROXY: 'a,b',
    }
    expect(baseEnvironment({ ...request, launcher, network: 'host' })).toMatchObject({
      http_proxy: 'http://proxy.example:1',
      NO_PROXY: 'a,b',
    })
    expect(JSON.stringify(baseEnvironment({ ...request, launcher, network: 'host' }))).not.toContain('canary')
    expect(baseEnvironment({ ...request, launcher, network: 'none' })).not.toHaveProperty('NO_PROXY')
  })
})

describe('the certificates of the launcher', () => {
  it.each([
    [{ NODE_EXTRA_CA_CERTS: file }, { NODE_EXTRA_CA_CERTS: file }],
    [{ SSL_CERT_FILE: file, OTHER: file }, { SSL_CERT_FILE: file }],
    [{ NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem' }, {}],
    [{ NODE_EXTRA_CA_CERTS: 'package.json' }, {}],
    [{ NODE_EXTRA_CA_CERTS: '' }, {}],
  ])('of %o are %o', (launcher, certificates) => {
    expect(findCertificates(launcher)).toEqual(certificates)
  })
})

describe('the search path inside', () => {
  it('keeps the folders of the system in the order of the user, and has all of them', () => {
    expect(systemSearchPath('/home/ada/bin:/sbin:/usr/local/games:.:/usr/bin')).toEqual([
      ...['/sbin', '/usr/local/games', '/usr/bin'],
      ...['/usr/local/bin', '/bin', '/usr/local/sbin', '/usr/sbin'],
    ])
  })
})
