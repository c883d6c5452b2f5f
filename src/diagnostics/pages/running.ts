import { type Pages, words } from './page.ts'

/** Writing the output, and the files that harnesses read. */
export const installPages: Pages<'BRIDLE40' | 'BRIDLE41'> = {
  BRIDLE401: words(
    'The system does not let Bridle write there. Either all files of a build are written or none. Of a command that `bridle run` started, the file to which its output was led took no more.',
    'bridle build --out /etc/bridle, without the permission to write there',
    'bridle build --out ./out',
  ),
  BRIDLE402: words(
    'The folder of a target holds a file that this build did not write. It is left alone, but a harness that is given the folder would read it too: a rule that is no longer in the spec, say.',
    'bridle build claude --out ./out, after tools.exclude was taken out of the spec',
    'Remove the file, or build into an empty folder.',
  ),
  BRIDLE403: words(
    'The file is not what the harness reads: a syntax error, a comment where its reader takes none, a list where a table belongs. Bridle changes only its own entries in a file, and of one that it cannot read it touches nothing. The harness would not read it either, mostly without a word.',
    'bridle build claude, with a comment in .mcp.json',
    'Mend the named place. The other targets are written with --keep-going.',
  ),
  BRIDLE404: words(
    'The file has an entry of the same name that Bridle did not write, or one that was changed by hand after Bridle wrote it. It is never overwritten or taken out unasked. What Bridle wrote stands in .bridle/state.json, as fingerprints.',
    'bridle build codex, with a server "notes" in the spec and a hand-written [mcp_servers.notes]',
    'bridle build codex --adopt --diff shows the difference; bridle build codex --adopt takes the entry over. Or rename one of the two.',
  ),
  BRIDLE405: words(
    'There is no file that Bridle could write: a folder, a pipe or a link that leads nowhere is in its place, it is read-only or belongs to somebody else, or the system refuses. No file of this build was changed.',
    'bridle build claude, with a read-only .mcp.json',
    'chmod u+w .mcp.json',
  ),
  BRIDLE406: words(
    'A file or a folder of the project is a link that leads out of it, or to what git and Bridle act on. An agent can make such a link, and the next build would write into your own files. In your own files (--user) links are followed.',
    'bridle build claude, with a link from .mcp.json to a file of your home folder',
    'Remove the link. For entries in your own files: bridle build claude --user',
  ),
  BRIDLE407: words(
    'Several of the chosen harnesses read the same file, and what one of them needs in it is wrong for another: a key with two values, or a server that is left out for one of them.',
    'targets: { claude: { servers: { exclude: [crm] } }, copilot: {} }, where both read .mcp.json',
    "Leave the server out for both. Or take one of them out of targets: start it with bridle run TARGET --servers NAMES, which gives it files of its own. Or write its servers into your own spec ($XDG_CONFIG_HOME/bridle/bridle.yaml, by default in ~/.config; bridle init --user writes one), build them with bridle build TARGET --user, and do not let it use the project's: it reads those too in a folder that you trust in it.",
  ),
  BRIDLE408: words(
    'A harness that was not chosen reads the file too, and would not keep what an entry in it says: a secret would not arrive, or a filter or a confirmation would be lost. The same goes for one that was chosen and has the rest in another file: Claude Code and Kimi Code find .mcp.json from a folder below the project too, and there they read neither .claude/settings.json nor .kimi-code/mcp.json. So does one whose own files go while .mcp.json stays for others. Said when a build writes something new for those entries, or takes those files away.',
    'bridle build claude, with tools.exclude: Copilot CLI reads .mcp.json too, and not the rules of Claude Code',
    'Choose the other harness too, or do not start it in this project. Start Claude Code and Kimi Code in the folder of .mcp.json and in none below, or with bridle run.',
  ),
  BRIDLE409: words(
    'Some harnesses keep the servers of the user in a large file of their own state. Bridle changes it only through the command of the harness, which is missing or failed. What it had changed before was undone.',
    'bridle build claude --user, while Claude Code is not installed',
    'Install the harness so that its command is on PATH, or build for the project.',
  ),
  BRIDLE410: words(
    'A file changed between the time at which Bridle read it and the time at which it was to be written, or another Bridle is at work on the same files. Nothing was written.',
    'bridle build, while an editor saves .mcp.json',
    'Start the build again.',
  ),
  BRIDLE411: words(
    "The file in which Bridle keeps which entries are its own cannot be read, or speaks of files elsewhere. The build goes on without it and takes nothing out: an entry that equals what is built is Bridle's own in any case, every other one counts as written by hand.",
    'bridle build, after a merge has left conflict markers in .bridle/state.json',
    'Take the file from the history again, or build once: it is written anew. Entries of servers that the spec no longer has are yours to remove then.',
  ),
  BRIDLE412: words(
    'With --verify the installed harness is asked, in a folder of its own and before anything is written, what it reads. It says something else than Bridle has built, or fails, so that nothing is written. Of a harness that has no way to tell, a note says so.',
    'bridle build codex --verify, with a Codex CLI that no longer knows a key',
    'Compare the versions with bridle targets; install the one that it names, and report what was read.',
  ),
  BRIDLE413: words(
    'The config files of a project lie at the root of its git repository, and hold the servers of one spec: each build takes out what that spec does not have any more. .bridle/state.json says from which spec they were built. That one is still there, so a build from another one would take out its servers in silence. When it is gone (renamed, or written in another form), the build goes on.',
    'bridle build in the folder pkg/a with a bridle.yaml of its own, after bridle build at the root',
    'Move the servers into one spec, or name the one that is meant: bridle build --config ../../bridle.yaml. To build from the other one from now on: bridle build --remove, then bridle build.',
  ),
}

/** Secrets at the launch. */
export const secretPages: Pages<'BRIDLE5'> = {
  BRIDLE501: words(
    'A variable that a chosen server uses has no value, or an empty one. All missing ones are named together, and nothing was started.',
    'bridle run builtin -- tools, while NOTES_TOKEN is not set',
    'NOTES_TOKEN=… bridle run builtin -- tools, or export it from your password manager.',
  ),
  BRIDLE502: words(
    'The value cannot reach the server unchanged, for a reason that the message names: a NUL, a line break in a header, or more than an environment can hold. The value itself is never shown.',
    'A token was read from a file together with the line feed at its end.',
    'export DOCS_TOKEN="$(cat token)", which drops the line feed.',
  ),
}

/** The sandbox and the launch. */
export const launchPages: Pages<'BRIDLE6'> = {
  BRIDLE601: words(
    'The program that builds the sandbox is missing, or there is none for this system. The agent is not started without one unless you say so.',
    'bridle run codex, on a Debian without bubblewrap',
    'apt-get install bubblewrap. To go without a sandbox knowingly: --sandbox none --network host',
  ),
  BRIDLE602: words(
    'The sandbox could not be built as asked, most often because the system forbids user namespaces: in a container, or by a rule of AppArmor. Nothing was started.',
    'bridle run codex, inside a Docker container with the default seccomp profile',
    'Start the container with --security-opt seccomp=unconfined, or take the way that the message names for your system.',
  ),
  BRIDLE603: words(
    'The agent may write in the project folder, so that must not be a folder with more in it than a project: your home folder, the root of the system, or a folder that cannot be protected.',
    'bridle run codex, with bridle.yaml in the home folder',
    'mkdir notes && mv bridle.yaml notes/ && cd notes && bridle run codex',
  ),
  BRIDLE604: words(
    'The command of a server is not found on the PATH that it would have inside the sandbox, nor among the programs of the project; or it is reached through a link in the project that leads out of it, which an agent could have changed.',
    'command: notes-mcp, which is not installed',
    'npm install notes-mcp in the project, or write the path of the program itself.',
  ),
  BRIDLE605: words(
    'The program of the harness is not on PATH, or only in a folder of the project, where an agent could have put it.',
    'bridle run codex, while Codex CLI is not installed',
    'Install it, or name it: bridle run codex --harness /opt/codex/bin/codex',
  ),
  BRIDLE606: words(
    'This version of the harness is older than the oldest with which Bridle was tried: it may read the configuration in another way, without a word.',
    'bridle run codex, with a release from last year on PATH',
    'Install the version that `bridle targets` names, or a newer one.',
  ),
  BRIDLE607: words(
    'Everything that Bridle says of a harness was proved with one version. A newer one mostly behaves the same, so that this is a warning; with --strict-versions it is an error.',
    'bridle run codex, the day after an update',
    'Go on, or install the version that `bridle targets` names.',
  ),
  BRIDLE608: words(
    'What stands after -- goes to the harness, but not everything: an argument that would take back what Bridle promises is refused (other servers, no questions asked, another folder for the configuration), and so is one whose effect is not known, and a way of running that is not yet possible.',
    'bridle run codex -- exec --dangerously-bypass-approvals-and-sandbox "tidy up"',
    'bridle run codex -- exec "tidy up"',
  ),
  BRIDLE609: words(
    'The harness starts with a fresh home folder, so it does not find your login. It needs a key or the address of a model.',
    'bridle run codex, with targets: { codex: {} }',
    'targets: { codex: { account: { variables: [OPENAI_API_KEY] } } }, with OPENAI_API_KEY declared under variables.',
  ),
  BRIDLE611: words(
    'Asked for its version, the harness gave no answer that holds one. It may not be the program that you think it is.',
    'bridle run codex --harness ./my-wrapper.sh, which prints nothing for --version',
    'Let the wrapper pass --version on.',
  ),
  BRIDLE612: words(
    'What was named as the harness is there, but it is a folder, or a file without the permission to execute it.',
    'bridle run codex --harness ./codex, after a download that lost the permission',
    'chmod +x codex',
  ),
  BRIDLE613: words(
    'A server is started in its `workingDirectory`, so that folder must exist, and in a sandbox it must lie in the project: nothing else of yours is visible there.',
    'workingDirectory: ../notes, with the spec at the top of the project',
    'workingDirectory: notes, after moving the folder into the project. Without it, a server starts where Bridle was started.',
  ),
  BRIDLE614: words(
    'An argument or a variable of a server names a file or a folder of this machine that the server will not find: a sandbox shows the project and installed programs. Only a warning, since a text may look like a path and be something else.',
    'command: mcp-server-filesystem, arguments: [/home/ada/documents]',
    'arguments: [documents], after a copy into the project; or run it without a sandbox: --sandbox none --network host',
  ),
  BRIDLE615: words(
    'Programs such as npx fetch a server when it is started. A launch has no network unless you say so, and the cache of the project, which is none of your own, is empty before the first fetch.',
    'command: npx, arguments: [-y, notes-mcp], at the first launch',
    'bridle run builtin --network host -- tools, once; or npm install notes-mcp in the project and command: notes-mcp',
  ),
  BRIDLE616: words(
    'A launch has no network unless you say so. A harness whose model is elsewhere, and a server with a url, cannot be reached then; most harnesses try for minutes and say nothing. The loopback address of the sandbox is its own, not that of the host.',
    'bridle run claude -- -p "Which issues are open?"',
    'bridle run claude --network host -- -p "Which issues are open?"',
  ),
  BRIDLE617: words(
    'Bridle writes the configuration of this harness, but does not know how to start it.',
    'bridle run antigravity',
    'Write its files with bridle build, and start the harness yourself. bridle targets shows what each one can do.',
  ),
  BRIDLE618: words(
    'The harness is a script for Node.js and needs a newer one than was found. Bridle looks beside the program and at every `node` on PATH. The servers keep the first `node` of your PATH.',
    'bridle run kimi, with Node.js 20 as the only one on PATH',
    'bridle run kimi --node /opt/node-24/bin/node, or install Kimi Code with the newer one.',
  ),
  BRIDLE619: words(
    'Two programs share the command of this harness, and the one that was found is the other: its answer to --version says so. It reads other files and takes other arguments.',
    'bridle run kimi, with the older kimi-cli, which is written in Python, first on PATH',
    'npm install -g @moonshot-ai/kimi-code, or name the program: bridle run kimi --harness /opt/kimi-code/bin/kimi',
  ),
  BRIDLE620: words(
    'The harness reads agents from files of the project without being told to trust it, and starts the servers that such a file brings as soon as the model calls the agent. No spec describes them, so neither filters nor confirmations hold for them.',
    'bridle run copilot, with .github/agents/reviewer.md that begins with mcp-servers: …',
    'State the servers in the spec, and take mcp-servers out of the file.',
  ),
  BRIDLE621: words(
    'The harness is one file that unpacks itself, and later runs what it has unpacked. Bridle has it do so in a folder of the cache that no project can write, and shows it read-only to a launch. That folder cannot be made.',
    'bridle run copilot, with an XDG_CACHE_HOME that you may not write to',
    'Set XDG_CACHE_HOME to a folder of yours, outside of the project.',
  ),
  BRIDLE622: words(
    'The harness told in its log that it could not use a server, and the launch needs it: because the server is `required`, or because a run without a person in front of it needs every server. The harness was ended, since it would have gone on without. The reason is in the words of the harness.',
    'bridle run claude -- -p "Which notes are new?", while the server of the notes ends at once',
    'Mend the server (`bridle tools NAME` starts it alone), or go on without it: bridle run claude --no-require-servers -- -p "…". Of a server that is `required`, take that out of the spec too.',
  ),
  BRIDLE623: words(
    'The harness ended well, but its log does not say that it ever used a server which the launch needs. Mostly the work was done before a slow server was ready; or the version of the harness is one with which Bridle was not proved, and words its log differently.',
    'bridle run claude -- -p "Say hello", with a server that needs longer to start than the answer takes',
    'Look at the server with `bridle tools NAME`, or go on without it: bridle run claude --no-require-servers -- -p "Say hello"',
  ),
  BRIDLE624: words(
    'The harness ends before it asks its model anything when one of the servers that it needs does not connect. Its log does not say which; its own message on standard error does.',
    'bridle run codex -- exec "Which notes are new?", with two servers of which one ends at once',
    'Mend the server that the message of the harness names (`bridle tools NAME` starts it alone).',
  ),
}

/** Talking to servers. */
export const runtimePages: Pages<'BRIDLE7'> = {
  BRIDLE701: words(
    'The server was started or reached, but did not answer as an MCP server in time. Its last words on standard error are shown. A warning, unless the server is `required`.',
    'command: [a program that prints its usage and ends]',
    'Start the command by hand to see what it lacks: an argument, a variable, the network (--network host).',
  ),
  BRIDLE702: words(
    'A tool that `tools` or `requiresConfirmation` names is not among those that the server offers. An exclusion that excludes nothing is nearly always a misspelt one.',
    'tools: { exclude: [deletenote] }, where the server calls it delete_note',
    'tools: { exclude: [delete_note] }. `bridle tools` lists what each server offers.',
  ),
  BRIDLE703: words(
    'The tool is filtered away, needs a confirmation that nobody can give here, or does not exist. The server did not see the call.',
    'bridle call notes delete_note {}, with tools: { exclude: [delete_note] }',
    'Take the name out of the filter, if the call is what you want.',
  ),
  BRIDLE704: words(
    'The server got the call, and it failed there or took longer than `toolTimeoutMs`.',
    'bridle call notes search {}, where the server wants a query',
    'bridle call notes search \'{"query": "milk"}\'',
  ),
}
