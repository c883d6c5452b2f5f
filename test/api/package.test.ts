import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const guide = readFileSync(path.join(root, 'docs/api.md'), 'utf8')
const block = (language: string) =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? ''

/** Every mistake is on the line behind its comment; the compiler must find each. */
const mistakes = `import { check, compile, defineSpec, type Diagnostic, importConfig, install, readSpec, type Spec, targets } from 'bridle'

export const spec: Spec | undefined = (await readSpec('version: 1', { file: 'a.yaml' })).spec
export const ids: readonly ('claude' | 'codex' | 'builtin' | (string & {}))[] = targets.map(({ id }) => id)
export const found: readonly Diagnostic[] = spec === undefined ? [] : check(spec, { targets: ['codex'], for: 'run' })
export async function move(text: string): Promise<string[]> {
  const { spec: imported } = await importConfig(text, { file: '.mcp.json' })
  const { spec: read } = await readSpec(imported ?? '')
  const { files } = read ? await install(read, { preview: true, targets: ['codex'] }) : { files: [] }
  return files.map(({ shown, changes }) => shown + changes.length)
}
// @ts-expect-error a key that is not in the language
defineSpec({ version: 1, servers: { a: { command: 'a', args: [] } } })
// @ts-expect-error a variable that is not declared
defineSpec({ version: 1, servers: { a: { command: 'a', variables: ['KEY'] } } })
// @ts-expect-error a target that there is not
if (spec) compile(spec, 'codxe')
`

let folder: string
/** What the program prints on both streams, so that a failure shows what it said. */
function run(program: string, ...args: string[]): string {
  const { stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
  return stdout + stderr
}
const compileTypeScript = () =>
  run(process.execPath, path.join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')

/** The package as a user gets it, in a folder of its own with nothing else. */
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bridle-package-'))
  const packed = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
  execFileSync('npm', packed, { cwd: root })
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: 'user', private: true, type: 'module' }),
  )
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--silent', `./${archive}`)
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    types: [],
    lib: ['es2023', 'dom'],
  }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('The installed package', () => {
  it('brings no other packages', () => {
    expect(readdirSync(path.join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'bridle',
    ])
  })

  it('has types that hold without any other package, and find mistakes', () => {
    writeFileSync(path.join(folder, 'mistakes.ts'), mistakes)
    expect(compileTypeScript()).toBe('')
  })

  it('does what the guide says, from TypeScript', () => {
    writeFileSync(path.join(folder, 'example.ts'), block('ts'))
    expect(compileTypeScript()).toBe('')
    expect(run(process.execPath, 'example.js').trimEnd()).toBe(block('text').trimEnd())
  })

  it('works from JavaScript, where a wrong name is told', () => {
    const script = `
      import { compile, readSpec } from 'bridle'
      const { spec } = await readSpec('{ "version": 1, "servers": {} }', { file: 'bridle.json', folder: '/' })
      console.log(compile(spec, 'builtin').emission.files[0].path)
      try { compile(spec, 'codxe') } catch (error) { console.log(String(error)) }
      try { await readSpec({ version: 1, servers: new Map() }) } catch (error) { console.log(String(error)) }
    `
    writeFileSync(path.join(folder, 'script.js'), script)
    expect(run(process.execPath, 'script.js')).toMatch(
      /^builtin\.json\nRangeError: There is no target codxe; .*\nTypeError: The value of "servers" .*\n$/,
    )
  })

  it('has the command', () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
    expect(run('node_modules/.bin/bridle', '--version')).toBe(`${version}\n`)
  })
})
