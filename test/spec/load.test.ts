import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LoadOptions, loadSpec } from '../../src/spec/load.ts'

const good = 'version: 1\nservers: {}\n'
const forms: Readonly<Record<string, string>> = {
  'bridle.yaml': good,
  'bridle.json': '{ "version": 1, "servers": {} }',
  'bridle.toml': '\uFEFFversion = 1\r\n[servers]\r\n',
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bridle-load-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function load(options: Partial<LoadOptions> = {}) {
  return loadSpec({ cwd: folder, home: folder, targetIds: ['builtin'], ...options })
}

function write(name: string, content: string | Uint8Array = good) {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  writeFileSync(path.join(folder, name), content)
}

describe('Loading gives the spec', () => {
  it('with the folder of the file, and the file as seen from the working directory', async () => {
    write('a/bridle.yaml')
    mkdirSync(path.join(folder, 'a/b'))
    const { spec } = await load({ cwd: path.join(folder, 'a/b') })
    expect(spec?.source).toMatchObject({ file: '../bridle.yaml', folder: path.join(folder, 'a') })
  })

  it('that was named, whatever its name', async () => {
    write('specs/mine.yml')
    write('bridle.yaml', 'not: this')
    const { spec } = await load({ config: 'specs/mine.yml' })
    expect(spec?.source.file).toBe('specs/mine.yml')
  })

  it('of the user', async () => {
    write('.config/bridle/bridle.json', '{ "version": 1, "servers": {} }')
    expect((await load({ user: true })).spec).toBeDefined()
    write('elsewhere/bridle/bridle.yaml')
    const { spec } = await load({ user: true, configHome: path.join(folder, 'elsewhere') })
    expect(spec?.source.file).toBe('elsewhere/bridle/bridle.yaml')
  })

  it('through a link', async () => {
    write('real.yaml')
    symlinkSync('real.yaml', path.join(folder, 'bridle.yaml'))
    expect((await load()).spec).toBeDefined()
  })

  it('from a file with a byte order mark and carriage returns', async () => {
    write('bridle.yaml', `\uFEFF${good.replaceAll('\n', '\r\n')}`)
    expect((await load()).diagnostics).toEqual([])
  })

  it.each(['bridle.yaml', 'bridle.json', 'bridle.toml'])(
    'in the form that the name %s says',
    async (name) => {
      write(name, forms[name])
      const { spec, diagnostics } = await load()
      expect(diagnostics).toEqual([])
      expect(spec?.source.file).toBe(name)
    },
  )

  it('from a file of nearly 8 MiB', async () => {
    write(
      'bridle.json',
      `{ "version": 1, "servers": {}, "x-padding": "${'x'.repeat(8 * 1024 * 1024 - 60)}" }`,
    )
    expect((await load()).diagnostics).toEqual([])
  })
})

/** What stands in the folder → the code, and a part of the message. */
const refusals: Record<
  string,
  readonly [set: () => void, code: string, message: RegExp, options?: Partial<LoadOptions>]
> = {
  'nothing there': [() => {}, 'BRIDLE101', /No spec was found/],
  'a named file that is not there': [
    () => {},
    'BRIDLE101',
    /gone.yaml` does not exist/,
    { config: 'gone.yaml' },
  ],
  'a file as a folder': [
    () => write('a'),
    'BRIDLE103',
    /a part of its path is a file/,
    { config: 'a/b.yaml' },
  ],
  'two of them': [
    () => {
      write('bridle.yaml')
      write('bridle.json')
    },
    'BRIDLE102',
    /has bridle.yaml and bridle.json\.$/,
  ],
  'a folder': [() => mkdirSync(path.join(folder, 'bridle.yaml')), 'BRIDLE103', /is a folder/],
  'a pipe': [() => execFileSync('mkfifo', [path.join(folder, 'bridle.yaml')]), 'BRIDLE103', /is a pipe/],
  'a device': [() => {}, 'BRIDLE103', /is a device/, { config: '/dev/zero' }],
  'a link to itself': [
    () => symlinkSync('bridle.yaml', path.join(folder, 'bridle.yaml')),
    'BRIDLE103',
    /leads back to itself/,
  ],
  'a link to nowhere': [
    () => symlinkSync('gone', path.join(folder, 'bridle.yaml')),
    'BRIDLE101',
    /does not exist/,
  ],
  'more than 8 MiB': [() => write('bridle.yaml', 'x'.repeat(10_000_000)), 'BRIDLE104', /9.5 MiB/],
  'UTF-16': [() => write('bridle.yaml', Buffer.from(`\uFEFF${good}`, 'utf16le')), 'BRIDLE105', /UTF-16/],
  'a binary file': [() => write('bridle.yaml', Buffer.from([0x7f, 0x45, 0, 1])), 'BRIDLE105', /NUL/],
  'another encoding': [
    () => write('bridle.yaml', Buffer.from('version: 1\n# \u00e9\uFFFD', 'latin1')),
    'BRIDLE105',
    /line 2/,
  ],
  'an empty file': [() => write('bridle.yaml', ''), 'BRIDLE110', /is empty/],
  'three of them': [
    () => {
      write('bridle.yaml')
      write('bridle.json')
      write('bridle.toml')
    },
    'BRIDLE102',
    /bridle.yaml and bridle.json and bridle.toml/,
  ],
}

describe('Loading refuses', () => {
  it.each(Object.entries(refusals))('%s', async (_, [set, code, message, options]) => {
    set()
    const { spec, diagnostics } = await load(options)
    expect(spec).toBeUndefined()
    expect(diagnostics).toHaveLength(1)
    expect(diagnostics[0]).toMatchObject({
      code,
      message: expect.stringMatching(message),
      help: expect.any(String),
    })
  })

  it('a socket', async () => {
    const file = path.join(folder, 'bridle.yaml')
    const server = createServer().listen(file)
    await new Promise((resolve) => server.once('listening', resolve))
    try {
      expect((await load()).diagnostics).toMatchObject([
        { code: 'BRIDLE103', message: expect.stringMatching(/socket/) },
      ])
    } finally {
      server.close()
    }
  })

  it('a file without permission', async () => {
    write('bridle.yaml')
    chmodSync(path.join(folder, 'bridle.yaml'), 0)
    const { diagnostics } = await asNobody(() => load())
    expect(diagnostics).toMatchObject([{ code: 'BRIDLE103', help: expect.stringMatching(/chmod/) }])
  })

  it('a folder without permission', async () => {
    write('closed/bridle.yaml')
    chmodSync(path.join(folder, 'closed'), 0)
    const cwd = path.join(folder, 'closed')
    expect((await asNobody(() => load({ cwd }))).diagnostics).toMatchObject([{ code: 'BRIDLE101' }])
    expect((await asNobody(() => load({ cwd, config: 'bridle.yaml' }))).diagnostics).toMatchObject([
      { code: 'BRIDLE103' },
    ])
    chmodSync(cwd, 0o700)
  })

  it('the first line that is not UTF-8, not a replacement character in the file', async () => {
    write('bridle.yaml', Buffer.concat([Buffer.from('# \uFFFD\n# \uFFFD\n'), Buffer.from([0xe9, 0x0a])]))
    expect((await load()).diagnostics).toMatchObject([{ message: expect.stringMatching(/line 3/) }])
  })
})

/** Root may read everything, so the tests step down when they run as root. */
async function asNobody<Result>(act: () => Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0) return act()
  chmodSync(folder, 0o755)
  process.seteuid?.(65534)
  try {
    return await act()
  } finally {
    process.seteuid?.(0)
  }
}
