import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packagesFirst, Workplace } from '../fixtures/workplace.ts'

let place: Workplace
beforeAll(() => {
  place = new Workplace()
})
afterAll(() => place.remove())

const mark = randomUUID()

/** Byte for byte what a server may get, and what a shell, a format or a limit could spoil. */
const values: { name: string; value: string }[] = [
  { name: 'plain', value: mark },
  { name: 'shell syntax', value: `${mark}"; $(id) \${HOME} \`id\` '\\'' \\n !! * ~ #` },
  { name: 'line breaks', value: `\n${mark}\r\n\n\tlast\n\n` },
  { name: 'UTF-8', value: `${mark} é 漢字 🔑 \u0301\ufeff` },
  { name: 'a leading dash', value: `-n ${mark}` },
  { name: 'blanks', value: `  ${mark}  ` },
  { name: '100 KiB', value: mark + 'é'.repeat(50 * 1024) },
]

const everything = { command: 'mcp-server-everything', variables: { TOKEN: 'SECRET' } }

/** The environment of the server, through a tool of it. */
async function environmentInside(
  spec: object,
  secrets: Record<string, string>,
  server = 'a',
  options: string[] = [],
) {
  place.writeSpec({ targets: { builtin: {} }, ...spec })
  const args = ['run', 'builtin', ...options, '--', 'call', server, 'get-env', '{}']
  const finished = await place.run(args, { environment: { PATH: packagesFirst, ...secrets } })
  return { ...finished, environment: finished.status === 0 ? JSON.parse(finished.stdout) : undefined }
}

describe('a secret', () => {
  it.each(values)('arrives byte for byte in a server of the built-in harness: $name', async ({ value }) => {
    const spec = { variables: { SECRET: {} }, servers: { a: everything } }
    const { environment, stderr } = await environmentInside(spec, { SECRET: value })
    expect(environment.TOKEN === value).toBe(true) // not toBe(value): a failure would show it
    expect(environment).not.toHaveProperty('SECRET')
    expect(stderr).not.toContain(mark)
  })

  it('arrives without a sandbox too, and is in no file then either', async () => {
    const spec = { variables: { SECRET: {} }, servers: { a: everything } }
    const options = ['--sandbox', 'none', '--network', 'host']
    const { environment, stderr } = await environmentInside(spec, { SECRET: mark }, 'a', options)
    expect(environment.TOKEN === mark).toBe(true)
    expect(stderr).toMatch(/^bridle: .* WITHOUT a sandbox \(it can do whatever you can\), network host\n/)
  })

  it.each(values)('arrives byte for byte in the harness as its account: $name', async ({ value }) => {
    place.writeSpec({
      variables: { ANTHROPIC_API_KEY: {} },
      targets: { claude: { account: { variables: ['ANTHROPIC_API_KEY'] } } },
    })
    const { stdout } = await place.launch(`printf %s "$ANTHROPIC_API_KEY"`, [], {
      environment: { ANTHROPIC_API_KEY: value },
    })
    expect(stdout === value).toBe(true)
  })

  it('is taken from the variable of the environment that the spec names', async () => {
    const spec = { variables: { SECRET: { env: 'ELSEWHERE' } }, servers: { a: everything } }
    const { environment } = await environmentInside(spec, { ELSEWHERE: 'right', SECRET: 'wrong' })
    expect(environment).toMatchObject({ TOKEN: 'right' })
  })

  it.each(['', '--dry-run'])('is in no file, no command line and no word of Bridle (%s)', async (option) => {
    place.writeSpec({
      variables: { SECRET: {}, ANTHROPIC_API_KEY: {} },
      servers: { a: { command: 'sh', variables: { TOKEN: 'SECRET' } } },
      targets: { claude: { account: { variables: ['ANTHROPIC_API_KEY'] } } },
    })
    const body =
      'sleep 0.3; : "$BRIDLE_V1 $ANTHROPIC_API_KEY"; cat "$CLAUDE_CONFIG_DIR"/*; cat /proc/1/cmdline /proc/$$/cmdline'
    const environment = { SECRET: `secret-${mark}`, ANTHROPIC_API_KEY: `key-${mark}` }
    const args = ['--no-require-servers', ...(option === '' ? [] : [option])]
    const { status, stdout, stderr } = await place.launch(body, args, { environment })
    expect(status).toBe(0)
    expect(stdout).not.toContain(mark)
    expect(stderr).not.toContain(mark)
  })

  it('is named with its users and its level in the report', async () => {
    place.writeSpec({
      variables: { SECRET: {}, ANTHROPIC_API_KEY: {} },
      servers: {
        a: { command: 'sh', variables: { TOKEN: 'SECRET' } },
        b: { command: 'sh', variables: ['SECRET'] },
      },
      targets: { claude: { account: { variables: ['ANTHROPIC_API_KEY'] } } },
    })
    const { stderr } = await place.launch('', [], { environment: { SECRET: mark, ANTHROPIC_API_KEY: mark } })
    expect(stderr).toContain(
      "secrets, level shared (the agent's shell can read them): SECRET → a, b; ANTHROPIC_API_KEY → the harness itself\n",
    )
  })

  it('of more than 128 KiB is refused, before anything starts', async () => {
    const name = 'ANTHROPIC_API_KEY'
    const variables = { [name]: {} }
    place.writeSpec({ variables, targets: { claude: { account: { variables: [name] } } } })
    // The kernel does not hand such a value to bridle either, unless the name is shorter than the one inside.
    const environment = { [name]: 'x'.repeat(131_072 - `${name}=`.length - 1) }
    const { status } = await place.launch('', [], { environment })
    expect(status).toBe(0)
    place.writeSpec({
      variables,
      servers: { a: { command: 'sh', variables: { A_NAME_THAT_IS_LONGER: name } } },
    })
    const refused = await place.launch('', [], { environment })
    expect(refused.status).toBe(125)
    expect(refused.stderr).toMatch(new RegExp(`BRIDLE502: .*\`${name}\` cannot be delivered: .*128 KiB`))
    expect(refused.stderr).not.toContain('xxx')
  })

  it('of a server is not in the environment of another one', async () => {
    const servers = {
      a: { ...everything, variables: { A_KEY: 'A_KEY' } },
      b: { ...everything, variables: { B_KEY: 'B_KEY' } },
    }
    const spec = { variables: { A_KEY: {}, B_KEY: {} }, servers }
    const secrets = { A_KEY: `a-${mark}`, B_KEY: `b-${mark}`, OTHER_KEY: `o-${mark}` }
    for (const [server, own, foreign] of [
      ['a', 'a-', 'b-'],
      ['b', 'b-', 'a-'],
    ] as const) {
      const { environment, stdout } = await environmentInside(spec, secrets, server)
      expect(Object.values(environment).filter((value) => String(value).includes(mark))).toEqual([
        `${own}${mark}`,
      ])
      expect(stdout).not.toContain(`${foreign}${mark}`)
      expect(stdout).not.toContain('OTHER_KEY')
    }
  })
})

describe('the environment of a harness', () => {
  const canaries = {
    OTHER_KEY: mark,
    AWS_SECRET_ACCESS_KEY: mark,
    GITHUB_TOKEN: mark,
    NODE_OPTIONS: '--no-warnings',
    LD_PRELOAD: '',
    SSH_AUTH_SOCK: `/tmp/${mark}`,
    npm_config__authToken: mark,
    HTTPS_PROXY: `http://user:${mark}@proxy.example:1`,
    BASH_ENV: `/tmp/${mark}`,
    USER: mark,
  }

  it.each(['none', 'host'])(
    'holds nothing of the launcher that it does not need, with network %s',
    async (network) => {
      place.writeSpec()
      const { stdout } = await place.launch('env', ['--network', network], { environment: canaries })
      expect(stdout).not.toContain(mark)
      const names = stdout.split('\n').flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? [])
      const closed = [
        'HTTPS_PROXY',
        'HTTP_PROXY',
        'NO_PROXY',
        'UV_OFFLINE',
        'http_proxy',
        'https_proxy',
        'no_proxy',
        'npm_config_offline',
      ]
      const always = [
        'HOME',
        'LANG',
        'PATH',
        'PWD',
        'SHELL',
        'TERM',
        'TMPDIR',
        'ANTHROPIC_BASE_URL',
        'CLAUDE_CONFIG_DIR',
        'npm_config_audit',
        'npm_config_cache',
        'npm_config_fund',
        'npm_config_update_notifier',
      ]
      const own = names.filter((name) => !/^(CLAUDE_CODE|DISABLE)_/.test(name))
      expect(own.sort()).toEqual([...always, ...(network === 'none' ? closed : [])].sort())
    },
  )

  it('says how text and time are shown as the launcher does', async () => {
    const environment = {
      LANG: 'de_DE.UTF-8',
      LC_ALL: 'C.UTF-8',
      TERM: 'xterm-256color',
      TZ: 'Europe/Berlin',
      NO_COLOR: '1',
    }
    const { stdout } = await place.launch('env', [], { environment })
    for (const [name, value] of Object.entries(environment)) expect(stdout).toContain(`${name}=${value}\n`)
  })

  it('has a plain terminal and UTF-8 when the launcher says nothing', async () => {
    const { stdout } = await place.launch('env', [], { environment: { LANG: undefined } })
    expect(stdout).toContain('TERM=dumb\n')
    expect(stdout).toContain('LANG=C.UTF-8\n')
  })

  it('takes a proxy without a password along when the network is open', async () => {
    const environment = { HTTPS_PROXY: 'http://proxy.example:1', no_proxy: 'localhost' }
    const { stdout } = await place.launch('env', ['--network', 'host'], { environment })
    expect(stdout).toContain('HTTPS_PROXY=http://proxy.example:1\n')
    expect(stdout).toContain('no_proxy=localhost\n')
  })

  it('has literals that the spec gives to the harness', async () => {
    place.writeSpec({
      targets: { claude: { environment: { ANTHROPIC_BASE_URL: 'x', MODEL: `it's $5 & "x"\n` } } },
    })
    const { stdout } = await place.launch('printf "%s|" "$MODEL"')
    expect(stdout).toBe(`it's $5 & "x"\n|`)
  })
})
