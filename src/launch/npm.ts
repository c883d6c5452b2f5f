import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Environment } from '../host/environment.ts'
import { mayShow } from './expose-program.ts'

/** What npm is told inside, where the user's own files are not seen: where packages come from, and no credential. */
export interface NpmSettings {
  /** The text of an npmrc; empty when there is nothing to say. */
  readonly text: string
  /** Files that it names, to be made visible. */
  readonly readable: readonly string[]
}

/** Reads the npmrc files of the machine and of the user, as npm would find them, without running npm. */
export function findNpmSettings(launcher: Environment, home: string, project: string): NpmSettings {
  const variable = (name: string) =>
    launcher[`npm_config_${name}`] ?? launcher[`NPM_CONFIG_${name.toUpperCase()}`]
  const globalFile = variable('globalconfig')
  const prefix = path.dirname(path.dirname(process.execPath))
  const files = [
    ...(globalFile === undefined ? ['/etc/npmrc', path.join(prefix, 'etc/npmrc')] : [globalFile]), // Debian, and npm itself
    variable('userconfig') ?? path.join(home, '.npmrc'),
  ]
  const variables = settingNames.flatMap((name) => {
    const value = variable(name.replaceAll('-', '_'))
    return value === undefined ? [] : [`${name}=${value}`]
  })
  const { cafile, ...settings } = npmSettings([...files.map(readOrEmpty), variables.join('\n')], home)
  const isShown =
    cafile !== undefined && path.isAbsolute(cafile) && existsSync(cafile) && mayShow(cafile, project)
  const certificates = isShown ? { cafile } : {}
  return { text: renderNpmrc({ ...settings, ...certificates }), readable: Object.values(certificates) }
}

const settingNames = [
  'registry',
  'replace-registry-host',
  'cafile',
  'strict-ssl',
  'proxy',
  'https-proxy',
  'noproxy',
]

/**
 * The settings of npmrc texts that say where packages come from; a later text wins. Left out is what could hold a
 * credential: every other key, an address with a user, a query or a token in it, and a value that npm would fill in from
 * the environment.
 */
export function npmSettings(texts: readonly string[], home: string): Readonly<Record<string, string>> {
  const settings: Record<string, string> = {}
  for (const line of texts.join('\n').split(/\r?\n/)) {
    const [, key, raw = ''] = /^\s*([^\s;#=][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (key === undefined || !isHarmless(key)) continue
    const value = unquote(raw)
    if (hasCredential(key, value)) delete settings[key]
    else settings[key] = key === 'cafile' ? value.replace(/^~(?=\/)/, home) : value
  }
  return settings
}

function isHarmless(key: string): boolean {
  return settingNames.includes(key) || /^@[^:/\s]+:registry$/.test(key)
}

function hasCredential(key: string, value: string): boolean {
  if (value.includes('${')) return true
  const folders = /\/\/[^/]*(\/.*)/.exec(value)?.[1] ?? ''
  return key !== 'cafile' && (/[@?#]/.test(value) || folders.split('/').some(isTokenLike))
}

/** Some registries are read with a token in the path, such as Cloudsmith's (16 letters and digits). */
function isTokenLike(folder: string): boolean {
  return folder.length >= 16 && /[a-z]/i.test(folder) && /\d/.test(folder)
}

function unquote(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text
}

/** The ini format of npm takes `;` and `#` for a comment unless the text is quoted as JSON is. */
function renderNpmrc(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([key, value]) => `${key}=${/[;#"']/.test(value) ? JSON.stringify(value) : value}\n`)
    .join('')
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
