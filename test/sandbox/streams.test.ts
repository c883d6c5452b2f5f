import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Rig } from './rig/rig.ts'

const rig = new Rig()
afterAll(() => rig.remove())

/** Runs a shell script inside, with the standard streams of the launcher led elsewhere by a shell outside. */
async function inside(script: string, redirections: string, without?: 'pipes before files') {
  const outside = ['sh', '-c', `exec "$0" "$@" ${redirections}`]
  return await rig.launch(
    { argv: ['sh', '-c', script], project: rig.makeProject(), without },
    { through: outside },
  )
}

function makeFile(text = ''): string {
  const file = join(rig.makeFolder('file'), 'file')
  writeFileSync(file, text)
  return file
}

const large = 'one line of many\n'.repeat(200_000)

/** The stream, how it is led to a file outside, and what the file holds when it was opened inside and written to. */
const streams = [
  ['input', 0, '<', 'text\n'],
  ['output', 1, '>>', 'text\nevil\n'],
  ['error', 2, '2>>', 'text\nevil\n'],
] as const

describe.each(streams)('a file that is standard %s', (_, descriptor, operator, left) => {
  const attack = (file: string, without?: 'pipes before files') =>
    inside(
      `perl -e 'open(F, ">", "/proc/self/fd/${descriptor}") and print F "evil\\n"'; :`,
      `${operator} ${file}`,
      without,
    )

  test('cannot be overwritten from inside', async () => {
    const file = makeFile('text\n')
    expect((await attack(file)).status).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(left)
  })

  test('can be where it is inherited', async () => {
    const file = makeFile('text\n')
    await attack(file, 'pipes before files')
    expect(readFileSync(file, 'utf8')).toBe('evil\n')
  })
})

test('from a folder that is standard input, no way leads to the host', async () => {
  const script = 'ls /proc/self/fd/0/.. 2> /dev/null | grep -q . && echo LEAKED; :'
  const folder = rig.makeFolder('folder')
  expect((await inside(script, `< ${folder}`)).stdout).toBe('')
  expect((await inside(script, `< ${folder}`, 'pipes before files')).stdout).toBe('LEAKED\n')
})

describe('through the pipe before a file', () => {
  test('input arrives whole, with its end', async () => {
    const { status, stdout } = await inside('cat | cksum', `< ${makeFile(large)}`)
    const expected = spawnSync('cksum', { input: large }).stdout.toString()
    expect([status, stdout]).toEqual([0, expected])
  })

  test('input goes on where somebody has read before', async () => {
    const file = makeFile('first\nsecond\n')
    const through = ['sh', '-c', `exec < ${file}; read line; exec "$0" "$@"`]
    const { stdout } = await rig.launch({ argv: ['cat'], project: rig.makeProject() }, { through })
    expect(stdout).toBe('second\n')
  })

  test('input may be left unread', async () => {
    expect(await inside('exit 7', `< ${makeFile(large)}`)).toEqual({ status: 7, stdout: '', stderr: '' })
  })

  test('output is written to its last byte, whatever the exit status', async () => {
    const file = makeFile()
    const { status } = await inside('cat; exit 7', `< ${makeFile(large)} > ${file}`)
    expect(status).toBe(7)
    expect(readFileSync(file, 'utf8') === large).toBe(true)
  })

  test('output is added to what is there, and errors are kept apart from it', async () => {
    const [output, error] = [makeFile('before\n'), makeFile('before\n')]
    await inside('echo out; echo err >&2', `>> ${output} 2>> ${error}`)
    expect([output, error].map((file) => readFileSync(file, 'utf8'))).toEqual([
      'before\nout\n',
      'before\nerr\n',
    ])
  })

  test.each([undefined, ...(process.getuid?.() === 0 ? [{ uid: 54321, gid: 54321 }] : [])])(
    'the streams can be opened by their names, in a project of %o',
    async (owner) => {
      const [input, output, error] = [makeFile('text\n'), makeFile(), makeFile()]
      const script = `sleep 0.1; cat /dev/stdin > /dev/stdout; echo out > /proc/self/fd/1; echo err > /dev/stderr; echo more >&2`
      const { status } = await rig.launch(
        { argv: ['sh', '-c', script], project: rig.makeProject(owner) },
        { through: ['sh', '-c', `exec "$0" "$@" < ${input} >> ${output} 2>> ${error}`] },
      )
      expect(status).toBe(0)
      expect([output, error].map((file) => readFileSync(file, 'utf8'))).toEqual([
        'text\nout\n',
        'err\nmore\n',
      ])
    },
  )

  test('input that the command leaves open does not keep it from ending', async () => {
    const script = 'sleep 0.1; head -n 1'
    expect((await inside(script, `< ${makeFile(large)}`)).stdout).toBe('one line of many\n')
  })

  test('both outputs into one file keep their order', async () => {
    const file = makeFile()
    const script = 'for n in 1 2 3 4 5 6 7 8; do echo $n; echo $n >&2; done'
    await inside(script, `> ${file} 2>&1`)
    expect(readFileSync(file, 'utf8')).toBe([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `${n}\n${n}\n`).join(''))
  })

  test('a command that goes on writing ends when the file takes no more', async () => {
    const script = 'trap "" PIPE; i=0; while [ $i -lt 2000 ]; do echo 0123456789 || exit 9; i=$((i+1)); done'
    const limited = ['sh', '-c', `ulimit -f 1; trap '' XFSZ; exec "$0" "$@" > ${makeFile()}`]
    const { status, stderr } = await rig.launch(
      { argv: ['sh', '-c', script], project: rig.makeProject() },
      { through: limited },
    )
    expect(status).toBe(125)
    expect(stderr).toMatch(/BRIDLE401: standard output was not written whole: .*too large/)
  })
})
