import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { runFailure } from './failure.ts'
import type { Terminal } from './terminal.ts'

/** Exit codes: 0 fine, 1 errors, 2 usage; of `bridle run` it is 125 in all cases. */
const usageError = 2

/** Runs the command line and gives the exit code. Each command's code is loaded when it is used. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0
  const done = (code: number) => {
    exitCode = code
  }
  const program = defineProgram(terminal, args[0], done)
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return 0
    return args[0] === 'run' ? runFailure : usageError
  }
}

/** Defines the named command alone, since defining all of them takes longer than most of them; all for `--help`. */
function defineProgram(
  terminal: Terminal,
  name: string | undefined,
  done: (exitCode: number) => void,
): Command {
  const program = new Command('bridle')
    .description(
      'One description of your MCP servers, compiled for every coding agent and launched in a sandbox.',
    )
    .version(packageJson.version, '-V, --version')
    .helpCommand(false)
    .showSuggestionAfterError()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .exitOverride()
  const command = (usage: string, description: string): Command =>
    program
      .command(usage)
      .description(description)
      .copyInheritedSettings(program)
      .showHelpAfterError(`(see \`bridle ${usage.split(' ')[0]} --help\`)`)

  const own = name !== undefined && Object.hasOwn(definitions, name) ? definitions[name] : undefined
  for (const define of own === undefined ? Object.values(definitions) : [own]) define(command, terminal, done)
  return program
}

type Definition = (
  command: (usage: string, description: string) => Command,
  terminal: Terminal,
  done: (exitCode: number) => void,
) => void

/** By their names, in the order in which help lists them. */
const definitions: Readonly<Record<string, Definition>> = {
  check(command, terminal, done) {
    withSpec(command('check [targets...]', 'find everything wrong with the spec, for every chosen target'))
      .addOption(new Option('--for <use>', 'judge one use strictly').choices(['build', 'run']))
      .addOption(format('terminal', 'json', 'sarif', 'github'))
      .action(async (targets: string[], options) => {
        const { check } = await import('./check.ts')
        done(await check(terminal, targets, options))
      })
  },

  build(command, terminal, done) {
    withSpec(
      command('build [targets...]', 'write the configuration of each chosen target into your own files'),
      "the user's own spec, and the files of the user",
    )
      .option('--diff', 'show what would change, and write nothing')
      .option('--check', 'write nothing, and end with 3 when something would change')
      .option('--remove', 'take out everything that Bridle has written')
      .option('--adopt', 'take over entries that were written by hand, and show the difference')
      .option('--verify', 'ask the installed harnesses what they read, before anything is written')
      .option('--out <dir>', 'write the tree DIR/<target>/… in place of your own files')
      .option('--print', 'print the files to stdout')
      .option('--keep-going', 'write the targets that are clean although others are not')
      .action(async (targets: string[], options) => {
        const { build } = await import('./build.ts')
        done(await build(terminal, targets, options))
      })
  },

  run(command, terminal, done) {
    withSpec(command('run <target> [arguments...]', 'launch a harness in a sandbox, with its secrets'))
      .usage('[options] <target> [-- <harness arguments>]')
      .showHelpAfterError(
        '(what is meant for the harness goes after `--`, as in `bridle run claude -- -p hi`; see `bridle run --help`)',
      )
      .addOption(
        new Option('--network <network>', 'what the sandbox can reach')
          .choices(['none', 'host'])
          .default('none'),
      )
      .addOption(
        new Option('--sandbox <backend>', 'where it runs')
          .choices(['bubblewrap', 'none'])
          .default('bubblewrap'),
      )
      .option('--harness <path>', 'the program of the harness, when it is not the one on PATH')
      .option('--node <path>', 'the Node.js for a harness that needs a newer one than is found')
      .option('--servers <names>', 'only these servers, separated by commas', commaList)
      .option('--require-servers', 'end the run when a server does not connect (the default)', true)
      .option('--no-require-servers', 'go on without servers that are not `required`')
      .option('--strict-versions', 'refuse a harness that is newer than the proved version')
      .option('--dry-run', 'print what would be started, with names in place of values')
      .action(async (target: string, args: string[], options) => {
        const { run } = await import('./run.ts')
        done(await run(terminal, target, args, options))
      })
  },

  targets(command, terminal, done) {
    command('targets', 'show what each target can do')
      .option('--evidence', 'show the test or the fact that each answer rests on')
      .addOption(format('table', 'json', 'markdown'))
      .action(async (options) => {
        const { showTargets } = await import('./targets.ts')
        done(showTargets(terminal, options))
      })
  },

  tools(command, terminal, done) {
    withSpec(command('tools [servers...]', 'list the tools of the servers, without a sandbox'))
      .addOption(format('table', 'json'))
      .addHelpText('after', runsUnprotected)
      .action(async (servers: string[], options) => {
        const { tools } = await import('./tools.ts')
        done(await tools(terminal, servers, options))
      })
  },

  call(command, terminal, done) {
    withSpec(
      command('call <server> <tool> [arguments]', 'call one tool, without a sandbox; arguments are JSON'),
    )
      .addOption(format('text', 'json'))
      .addHelpText('after', runsUnprotected)
      .action(async (server: string, tool: string, args: string | undefined, options) => {
        const { call } = await import('./call.ts')
        done(await call(terminal, server, tool, args ?? '{}', options))
      })
  },

  import(command, terminal, done) {
    command('import <sources...>', 'turn the configuration of another program into a spec')
      .option('--from <form>', 'the form of the file, when its name and content do not say it')
      .option('--out <file>', 'write a file, as YAML, JSON or TOML by its name, in place of stdout')
      .option('--force', 'replace the file if it is there')
      .addOption(new Option('--format <format>', 'of the spec').choices(['yaml', 'json', 'toml']))
      .addHelpText('after', importSources)
      .action(async (sources: string[], options) => {
        const { importCommand } = await import('./import.ts')
        done(await importCommand(terminal, sources, options))
      })
  },

  init(command, terminal, done) {
    command('init', 'write a commented starter spec')
      .addOption(new Option('--format <format>', 'of the spec').choices(['yaml', 'toml']).default('yaml'))
      .option('--user', "the user's own spec, in place of one in this folder")
      .action(async (options) => {
        const { init } = await import('./init.ts')
        done(await init(terminal, options))
      })
  },

  explain(command, terminal, done) {
    command('explain <code>', 'print the page of a diagnostic, such as BRIDLE209').action(
      async (code: string) => {
        const { explain } = await import('./explain.ts')
        done(explain(terminal, code))
      },
    )
  },
}

const importSources = `
A source is a file, or a program: claude, codex, kimi, copilot, vscode and cursor mean its default files, of the project and
of the user. Of several, the first one is the nearest. What is not carried over is told on stderr.
Forms: claude, codex, kimi, copilot, vscode, cursor; registry (server.json of the MCP registry); agent-tools (a .NET
appsettings file with AgentToolMcpServers); mentor (a JSON array of MentorMcpServer).`

const runsUnprotected = `
Runs the commands of the spec on this machine, without a sandbox: use it only in projects that you trust.
In a sandbox: \`bridle run builtin -- tools\`, \`bridle run builtin -- call SERVER TOOL JSON\`.`

function withSpec(command: Command, user = "the user's own spec"): Command {
  return command
    .option('--config <file>', 'the spec; otherwise bridle.yaml, .json or .toml, from here upward')
    .addOption(new Option('--user', user).conflicts('config'))
}

function format(first: string, ...others: string[]): Option {
  return new Option('--format <format>', 'how the result is shown').choices([first, ...others]).default(first)
}

function commaList(text: string): string[] {
  const names = text.split(',').map((each) => each.trim())
  if (names.includes(''))
    throw new InvalidArgumentError('Write names separated by commas, as in `notes,docs`.')
  return names
}
