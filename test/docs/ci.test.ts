import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { Workplace } from '../fixtures/workplace.ts'

const guide = readFileSync('docs/ci.md', 'utf8')
const files = Array.from(guide.matchAll(/```yaml\n([\s\S]*?)```/g), ([, text = '']) => text)

const hook = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  language: z.enum(['node', 'system']),
  entry: z.string(),
  files: z
    .string()
    .refine((pattern) => new RegExp(pattern).test('a/bridle.yaml'))
    .optional(),
  always_run: z.boolean().optional(),
  pass_filenames: z.literal(false),
})
const hooks = z.array(hook)
const hookConfig = z.strictObject({
  repos: z.array(z.strictObject({ repo: z.literal('local'), hooks })),
})
const step = z.union([
  z.strictObject({ run: z.string() }),
  z.strictObject({
    uses: z.string().regex(/^[\w-]+\/[\w/-]+@v\d+$/),
    if: z.string().optional(),
    with: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  }),
])
const workflow = z.strictObject({
  name: z.string(),
  on: z.strictObject({ push: z.strictObject({ branches: z.array(z.string()) }), pull_request: z.null() }),
  permissions: z.record(z.string(), z.enum(['read', 'write'])),
  jobs: z.record(z.string(), z.strictObject({ 'runs-on': z.literal('ubuntu-latest'), steps: z.array(step) })),
})

const published = hooks.parse(parse(readFileSync('.pre-commit-hooks.yaml', 'utf8')))

/** Every command of Bridle that the files call, with its arguments. */
function commands(): string[][] {
  const runs = files.flatMap((text) =>
    Array.from(text.matchAll(/(?:run|entry): (.*)/g), ([, line = '']) => line),
  )
  const lines = [...runs, ...published.map(({ entry }) => entry)]
  return lines.flatMap((line) => {
    const [, args] = /^(?:npx )?bridle ([^>]*)/.exec(line) ?? []
    return args === undefined ? [] : [args.trim().split(' ')]
  })
}

describe('The guide to editors and CI', () => {
  it('has whole files of the forms that their readers take', () => {
    const whole = files.map((text) => parse(text)).filter((value) => value !== null)
    const taken = whole.map((value) => z.union([workflow, hookConfig]).safeParse(value).error)
    expect(taken).toEqual([undefined, undefined, undefined])
  })

  it('has the hooks that other repositories can name too', () => {
    const local = hookConfig.parse(parse(files.at(-1) ?? '')).repos.flatMap((repo) => repo.hooks)
    const inside = ({ id, entry }: { id: string; entry: string }) => ({
      id,
      entry: entry.replace('npx ', ''),
    })
    expect(local.map(inside)).toEqual(published.map(inside))
  })

  it('calls commands that there are', async () => {
    const place = new Workplace()
    try {
      place.writeSpec({ servers: { a: { command: 'a' } }, targets: { claude: {} } })
      const called = commands()
      expect(called.length).toBeGreaterThanOrEqual(7)
      for (const args of called) {
        const { status, stderr } = await place.run(args)
        expect({ args, status, stderr }).toEqual({ args, status: args.includes('build') ? 3 : 0, stderr })
      }
    } finally {
      place.remove()
    }
  })
})
