import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Environment } from '../host/environment.ts'
import { isBelow } from '../host/paths.ts'
import { networkEnvironment } from '../sandbox/network.ts'
import { mayShow } from './expose-program.ts'
import { systemFolders } from './paths.ts'

/** Taken over from the launcher as they are: how text and time are shown, nothing that tells who the user is. */
const inheritedNames = ['LANG', 'LC_ALL', 'LC_CTYPE', 'TERM', 'COLORTERM', 'NO_COLOR', 'TZ']

/** Certificate authorities of the user's network; each names a file that must be visible inside. */
const certificateNames = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE']

/** The way out of the user's network, for a sandbox that may use it. */
const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy']

/** What a harness starts with where the spec says nothing else: how things are shown, and the user's network. */
export function defaultEnvironment(request: {
  readonly launcher: Environment
  readonly certificates: Environment
  readonly network: 'none' | 'host'
}): Record<string, string> {
  const { launcher, certificates, network } = request
  return {
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    ...take(launcher, inheritedNames),
    ...take(certificates, certificateNames),
    ...(network === 'host' && proxies(launcher)),
  }
}

/**
 * What every harness has in a launch, whatever the launcher and the spec say. Package runners get a cache of their own
 * below `home`, and are told at once when there is no network, since they would wait for it for minutes.
 */
export function fixedEnvironment(request: {
  readonly searchFolders: readonly string[]
  readonly home: string
  readonly network: 'none' | 'host'
}): Record<string, string> {
  const { searchFolders, home, network } = request
  return {
    PATH: searchFolders.join(':'),
    HOME: home,
    SHELL: '/bin/sh',
    TMPDIR: '/tmp',
    npm_config_cache: path.join(home, '.cache/npm'),
    npm_config_update_notifier: 'false',
    npm_config_fund: 'false',
    npm_config_audit: 'false',
    ...(network === 'none' && { npm_config_offline: 'true', UV_OFFLINE: '1' }),
    ...networkEnvironment(network),
  }
}

/** The folders of `searchPath` that exist inside every sandbox, in their order. */
export function systemSearchPath(searchPath: string): string[] {
  const usual = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin']
  const own = searchPath.split(':').filter((folder) => isBelow(folder, systemFolders))
  return [...new Set([...own, ...usual])]
}

/** The variables of the launcher that name an existing file of certificates, which may be shown to an agent. */
export function findCertificates(launcher: Environment, project: string): Record<string, string> {
  const named = Object.entries(take(launcher, certificateNames))
  return Object.fromEntries(
    named.filter(([, file]) => path.isAbsolute(file) && existsSync(file) && mayShow(file, project)),
  )
}

/** Not one with a password in it: that would be a secret that the spec does not name. */
function proxies(launcher: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(take(launcher, proxyNames)).filter(([, url]) => !url.includes('@')),
  )
}

function take(variables: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (variables[name] ? [[name, variables[name]]] : [])))
}
