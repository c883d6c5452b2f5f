import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MessageLines, NoiseError } from '../../src/mcp/message-lines.ts'

const message = fc
  .record({ id: fc.integer(), text: fc.string({ unit: 'grapheme' }) })
  .map(({ id, text }) => ({ jsonrpc: '2.0' as const, id, method: 'ping', params: { text } }))
const noise = fc.oneof(
  fc.constantFrom('', ' ', '{', '{}', '[]', 'null', '{"jsonrpc":"2.0"}', 'Listening on stdio'),
  fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, '')),
)

describe('MessageLines', () => {
  it('finds every message between other lines, wherever the chunks are cut', () => {
    const line = fc.oneof(message, noise)
    fc.assert(
      fc.property(
        fc.array(line),
        fc.array(fc.nat(50)),
        fc.constantFrom('\n', '\r\n'),
        (lines, sizes, end) => {
          const text = lines
            .map((each) => `${typeof each === 'string' ? each : JSON.stringify(each)}${end}`)
            .join('')
          const reader = new MessageLines()
          const found = cut(Buffer.from(text), sizes).flatMap((chunk) => reader.read(chunk))
          expect(found).toEqual(lines.filter((each) => typeof each !== 'string'))
        },
      ),
    )
  })

  it('gives up on other lines without end, but not when messages stand between them', () => {
    const greeting = Buffer.from('hello\n'.repeat(4000))
    const ping = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    const patient = new MessageLines()
    for (let round = 0; round < 5; round++)
      expect([...patient.read(greeting), ...patient.read(ping)]).toHaveLength(1)
    const flooded = new MessageLines()
    flooded.read(greeting)
    expect(() => flooded.read(greeting)).toThrow(NoiseError)
  })

  it('gives up on a line that is longer than any message may be', () => {
    const reader = new MessageLines()
    const megabyte = Buffer.alloc(1024 * 1024, 'x')
    for (let count = 0; count < 10; count++) reader.read(megabyte)
    expect(() => reader.read(megabyte)).toThrow('10 MiB')
  })
})

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = []
  let start = 0
  for (const size of sizes) {
    chunks.push(bytes.subarray(start, start + size))
    start += size
  }
  return [...chunks, bytes.subarray(start)]
}
