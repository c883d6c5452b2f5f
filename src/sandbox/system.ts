import { lstatSync, readlinkSync } from 'node:fs'
import type { Row } from './arguments.ts'

/** What the inside sees of the host's own software, read-only. Looks at the root folder to learn its layout. */
export function systemRows(network: 'none' | 'host'): Row[] {
  return [
    { flags: ['--ro-bind', '/usr', '/usr'], reason: 'the programs of the system' },
    ...['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'].flatMap(topFolder),
    ...[...settings, ...(network === 'host' ? networkSettings : [])].map((path) => ({
      flags: ['--ro-bind-try', path, path],
      reason:
        'settings that programs need; the rest of /etc holds keys, accounts and the identity of the machine',
    })),
    ...(network === 'none' ? [ownHosts] : []),
  ]
}

/** A link into /usr on most systems, a folder on older ones. */
function topFolder(name: string): Row[] {
  const path = `/${name}`
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return []
  const reason = 'where programs and libraries are looked for'
  return [
    stat.isSymbolicLink()
      ? { flags: ['--symlink', readlinkSync(path), path], reason }
      : { flags: ['--ro-bind', path, path], reason },
  ]
}

/** Certificates without the private keys that lie beside them, in the places of Debian, Arch and Fedora. */
const settings = [
  '/etc/ssl/certs',
  '/etc/ssl/cert.pem',
  '/etc/ssl/openssl.cnf',
  '/etc/ca-certificates',
  '/etc/pki/ca-trust/extracted',
  '/etc/pki/tls/certs',
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/os-release',
  '/etc/nsswitch.conf',
  '/etc/mime.types',
]

const networkSettings = ['/etc/resolv.conf', '/etc/hosts', '/etc/services']

const ownHosts: Row = {
  flags: [
    '--perms',
    '0444',
    '--ro-bind-data',
    { content: '127.0.0.1 localhost\n::1 localhost\n' },
    '/etc/hosts',
  ],
  reason: 'the host’s file names its neighbours',
}
