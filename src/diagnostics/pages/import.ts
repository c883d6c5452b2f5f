import { type Pages, words } from './page.ts'

/** Turning an existing configuration into a spec. */
export const importPages: Pages<'BRIDLE42'> = {
  BRIDLE420: words(
    'The file is in none of the forms that can be imported, or in one that several programs use and read differently, so that its form must be named. Or none of the default files of a program was found.',
    'bridle import mcp.json, where Kimi Code and Cursor both have a file of this name and these keys',
    'bridle import mcp.json --from kimi',
  ),
  BRIDLE421: words(
    'A part of the file has no counterpart in a spec: a key that its program does not read or that only it understands, or a reference to a variable in the middle of a header. It is left out, and the place is named, so that nothing goes missing in silence.',
    '"alwaysLoad": true, in an entry of Claude Code',
    'Nothing, where you do not need it. A variable in the middle of a header becomes headerVariables, with a variable that holds the whole value.',
  ),
  BRIDLE422: words(
    'A server cannot be written in a spec without a change to what it does: its arguments or its address refer to a variable, it speaks a transport that Bridle does not, or a restriction on it would be lost. It is left out whole, since a server that runs with less than was meant can do more than was meant.',
    '"args": ["--token", "${TOKEN}"]',
    'Give the server its secret in an environment variable ("env"), if it takes one, and import again; or write the server into the spec by hand.',
  ),
  BRIDLE423: words(
    'A secret stood in the file as it is: its shape is that of a well-known credential, or it stands under a name such as API_KEY. It was not copied; a variable was declared in its place, or the part was left out. Who could read the file knows it.',
    '"env": { "GITHUB_TOKEN": "the token itself" }',
    'Replace the secret where it was issued, and keep the new one in the environment of the launch: GITHUB_TOKEN=… bridle run claude',
  ),
  BRIDLE424: words(
    'A value now comes from a declared variable, and not in quite the same way as before: there was a default value, text around the reference, a question to the user, a name that is taken, or a word such as <your-token> in the place of a secret. Bridle does not start without the variable.',
    '"env": { "LOG_LEVEL": "${LOG_LEVEL:-info}" }',
    'Set the variable before the launch, or write the value into environment, where it is no secret: environment: { LOG_LEVEL: info }',
  ),
  BRIDLE425: words(
    'A name of a server has letters, digits, _ and - only, at most 32 of them, and is unique. The original became the title.',
    '"Company Docs": { "url": "https://docs.example.com/mcp" }',
    'Nothing in the spec; rename the server as you like. Where you build into the same file, take the entry of the old name out by hand, or the harness has both.',
  ),
  BRIDLE426: words(
    'Two of the imported files, or two places of one, define a server of the same name. The nearer one counts, as it does in the program itself: the project before the user.',
    'bridle import claude, with a server "docs" in .mcp.json and another one in ~/.claude.json',
    'Nothing, if the nearer one is meant. Rename one of the two to have both.',
  ),
  BRIDLE427: words(
    'A value is not of the kind that its program takes, so that the program ignores it, the entry, or the whole file. The message says what the import made of it.',
    '"env": { "PORT": 8080 }, a number where a text is wanted',
    'Write what was meant: "env": { "PORT": "8080" }',
  ),
  BRIDLE428: words(
    'The spec that was made from the file has errors. It was not written. This is a fault of Bridle.',
    'bridle import codex, with a config.toml that nobody thought of',
    'Report it, with the file and without its secrets.',
  ),
  BRIDLE429: words(
    'A part of the file is in the spec, and means something slightly different there, or means what it did although it looks otherwise: a stricter confirmation, a reference that its program never replaced, a folder that was relative to another one.',
    'default_tools_approval_mode = "writes", which asks before each tool that is not read-only; a spec can ask before each tool',
    'Look at the server in the spec, and change it where the message says so.',
  ),
}
