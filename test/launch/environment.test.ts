import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  defaultEnvironment,
  findCertificates,
  fixedEnvironment,
  systemSearchPath,
} from '../../src/launch/environment.ts'

const file = path.join(import.meta.dirname, 'environment.test.ts')

describe('the environment that a spec may change', () => {
  const defaults = (launcher: Record<string, string>, network: 'none' | 'host') =>
    defaultEnvironment({ launcher, certificates: {}, network })

  it('is the same whatever the launcher holds beside the names that it takes over', () => {
    const launcher = { AWS_SECRET_ACCESS_KEY: 'canary', HOME: '/home/ada', PATH: '/canary', SHELL: '/canary' }
    expect(defaults(launcher, 'none')).toEqual(defaults({}, 'none'))
    expect(defaults({ ...launcher, LANG: 'de' }, 'none')).toEqual({ ...defaults({}, 'none'), LANG: 'de' })
  })

  it('names the proxies of an open network, unless there is a password in them', () => {
    const launcher = {
      HTTPS_PROXY: 'http://ada:canary@proxy.example',
      http_proxy: 'http://proxy.example:1',
      NO_PROXY: 'a,b',
    }
    expect(defaults(launcher, 'host')).toMatchObject({
      http_proxy: 'http://proxy.example:1',
      NO_PROXY: 'a,b',
    })
    expect(JSON.stringify(defaults(launcher, 'host'))).not.toContain('canary')
    expect(defaults(launcher, 'none')).not.toHaveProperty('NO_PROXY')
  })
})

describe('the environment that a launch keeps to itself', () => {
  const fixed = (network: 'none' | 'host') =>
    fixedEnvironment({ searchFolders: ['/a', '/b'], home: '/home/agent', network })

  it('has the folders of the sandbox', () => {
    expect(fixed('host')).toMatchObject({
      PATH: '/a:/b',
      HOME: '/home/agent',
      npm_config_cache: '/home/agent/.cache/npm',
    })
  })

  it('tells package runners and harnesses that there is no network', () => {
    const offline = { npm_config_offline: 'true', UV_OFFLINE: '1', https_proxy: 'http://127.0.0.1:9' }
    expect(fixed('none')).toMatchObject(offline)
    for (const name of Object.keys(offline)) expect(fixed('host')).not.toHaveProperty(name)
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
    expect(findCertificates(launcher, '/project')).toEqual(certificates)
  })

  it('are none that a link of the project leads to', () => {
    const project = path.dirname(file)
    expect(findCertificates({ SSL_CERT_FILE: file }, project)).toEqual({ SSL_CERT_FILE: file })
    const place = mkdtempSync(path.join(tmpdir(), 'bridle-certificates-'))
    const link = path.join(place, 'ca.pem')
    symlinkSync(file, link)
    expect(findCertificates({ SSL_CERT_FILE: link }, project)).toEqual({})
    rmSync(place, { recursive: true })
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
