import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../fixtures/processes.ts'
import { filesHolding, notations, planted, searchFor, watchArguments } from './canary.ts'

/** The other tests find no secret anywhere; these show that they would have. */
const secret = 'a"b\'\n canary-4c-02f1 ${HOME} é漢'
/** Without a token, the value itself is what is searched for. */
const bare = 'p"q\'\n\\ + / % ${HOME} é漢'
const search = searchFor([secret, bare])

/** Written out by hand or by another program, since `notations` is what is tested. */
const written: readonly [notation: string, ofSecret: string | Buffer, ofBare: string | Buffer][] = [
  ['as it is', secret, bare],
  ['as JSON', JSON.stringify({ secret }), String.raw`"p\"q'\n\\ + / % \${HOME} é漢"`.replace('\\$', '$')],
  ['as JSON in ASCII', '"canary-4c-02f1"', String.raw`"p\"q'\n\\ + / % ${'$'}{HOME} \u00e9\u6f22"`],
  ['as JSON in JSON', JSON.stringify(JSON.stringify(secret)), JSON.stringify(JSON.stringify(bare))],
  ['as TOML', "x = '''canary-4c-02f1'''", String.raw`x = "p\"q'\n\\ + / % ${'$'}{HOME} é漢"`],
  ['in a URL', '?x=canary-4c-02f1&', "p%22q'%0A%5C%20%2B%20%2F%20%25%20%24%7BHOME%7D%20%C3%A9%E6%BC%A2"],
  ['in a form', 'x=canary-4c-02f1', 'p%22q%27%0A%5C+%2B+%2F+%25+%24%7BHOME%7D+%C3%A9%E6%BC%A2'],
  ['in quotes of a shell', "'canary-4c-02f1'", `'p"q'\\''\n\\ + / % \${HOME} é漢'`],
  ['in hexadecimal', Buffer.from(secret).toString('hex'), Buffer.from(bare).toString('hex').toUpperCase()],
  ['in UTF-16', Buffer.from(`x${secret}`, 'utf16le'), Buffer.from(bare, 'utf16le')],
  ...['', 'u', 'us', 'user:'].map((before): [string, string, string] => [
    `in base64 after ${JSON.stringify(before)}`,
    Buffer.from(`${before}${secret}:more`).toString('base64'),
    Buffer.from(`${before}${bare}`).toString('base64url'),
  ]),
]

const toBuffer = (text: string | Buffer) => (typeof text === 'string' ? Buffer.from(text) : text)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bridle-canary-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the search for secrets', () => {
  it.each(written)('finds one that was written %s, among other bytes', (_, ofSecret, ofBare) => {
    const [before, after] = [Buffer.of(0, 255, 10), Buffer.of(200, 0)]
    for (const [name, text] of Object.entries({ ofSecret, ofBare })) {
      const content = Buffer.concat([before, toBuffer(text), after])
      expect(search.notationIn(content), name).toBeDefined()
    }
  })

  it('names the notation', () => {
    expect(search.notationIn(Buffer.from(`user:${bare}`).toString('base64'))).toBe('in base64')
    expect(Object.keys(notations)).toContain('in base64')
  })

  it('finds nothing where there is nothing', () => {
    expect(search.notationIn('canary-4c-02f and HOME, é漢, cGFzc3dvcmQ=')).toBeUndefined()
    expect(searchFor(['']).notationIn('any text')).toBeUndefined()
  })

  it('tells the values that hold a token', () => {
    expect(planted([secret, bare, undefined, '', 'canary-'])).toEqual([secret])
  })
})

describe('the search of folders', () => {
  it('finds a secret however deep, in a file, in a name and in the target of a link', () => {
    const deep = path.join(folder, 'a/.b')
    mkdirSync(deep, { recursive: true })
    writeFileSync(path.join(deep, 'log.sqlite'), Buffer.concat([Buffer.of(0, 255), Buffer.from(secret)]))
    writeFileSync(path.join(folder, 'clean'), 'canary')
    mkdirSync(path.join(folder, 'of-canary-4c-02f1'))
    symlinkSync('/nowhere/canary-4c-02f1', path.join(folder, 'link'))
    expect(filesHolding(search, [folder, deep, '/does/not/exist']).sort()).toEqual([
      `${path.join(deep, 'log.sqlite')} (as it is)`,
      `${path.join(folder, 'link')} (as it is)`,
      `${path.join(folder, 'of-canary-4c-02f1')} (as it is)`,
    ])
  })

  it('leaves out what it is told to', () => {
    const file = path.join(folder, 'known')
    writeFileSync(file, secret)
    expect(filesHolding(search, [folder], [file])).toEqual([])
  })
})

describe('the watch over arguments', () => {
  it.each([
    ['as it is', `--token=${secret}`],
    ['in base64', `--header=Basic ${Buffer.from(`u:${bare}`).toString('base64')}`],
  ])('finds a secret %s, and does not repeat it', async (notation, argument) => {
    const watch = watchArguments(search)
    const child = spawn('sh', ['-c', 'read _', 'sh', argument], { stdio: ['pipe', 'ignore', 'ignore'] })
    const ended = new Promise((resolve) => child.once('close', resolve))
    const isSeen = await eventually(() => watch.found.length > 0)
    child.stdin.end()
    await ended
    expect(isSeen).toBe(true)
    expect(watch.stop()).toEqual([`an argument of sh (${notation})`])
  })
})
