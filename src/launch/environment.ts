import { existsSync } from 'node:fs'
import path from 'node:path'

/** Certificate authorities of the user's network; each names a file that must be visible inside. */
const certificateNames = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE']

/** Taken over from the launcher as they are: how text and time are shown, nothing that tells who the user is. */
const inheritedNames = ['LANG', 'LC_ALL', 'LC_CTYPE', 'TERM', 'COLORTERM', 'NO_COLOR', 'TZ']

export interface BaseEnvironment {
  readonly variables: Readonly<Record<string, string>>
  /** Files that the variables name, to be made visible. */
  readonly readable: readonly string[]
}

/**
 * The environment that every harness starts from, whatever the launcher's own holds. Package runners get a cache of
 * their own below `home`, and are told at once when there is no network, since they would wait for it for minutes.
 */
export function baseEnvironment(request: {
  readonly launcher: Readonly<Record<string, string | undefined>>
  readonly searchFolders: readonly string[]
  readonly home: string
  readonly network: 'none' | 'host'
}): BaseEnvironment {
  const { launcher, searchFolders, home, network } = request
  const take = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.flatMap((name) => (launcher[name] ? [[name, launcher[name]]] : [])))
  const certificates = Object.entries(take(certificateNames)).filter(
    ([, file]) => path.isAbsolute(file) && existsSync(file),
  )
  return {
    variables: {
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      ...take(inheritedNames),
      ...Object.fromEntries(certificates),
      PATH: searchFolders.join(':'),
      HOME: home,
      SHELL: '/bin/sh',
      TMPDIR: '/tmp',
      npm_config_cache: path.join(home, '.cache/npm'),
      npm_config_update_notifier: 'false',
      npm_config_fund: 'false',
      npm_config_audit: 'false',
      ...(network === 'none' && { npm_config_offline: 'true', UV_OFFLINE: '1' }),
    },
    readable: certificates.map(([, file]) => file),
  }
}
