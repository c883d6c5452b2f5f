/**
 * Every code that Bridle can print, with its title. 1xx reading, 2xx the language, 3xx a target, 4xx installing,
 * 5xx secrets, 6xx the sandbox and the launch, 7xx the runtime. A code is never given a second meaning.
 * The page of each code stands in `pages/`.
 */
export const codes = {
  BRIDLE101: 'No spec was found',
  BRIDLE102: 'Two specs in one folder',
  BRIDLE103: 'The file cannot be read',
  BRIDLE104: 'The file is too large',
  BRIDLE105: 'The file is not UTF-8 text',
  BRIDLE106: 'Syntax error',
  BRIDLE107: 'Duplicate key',
  BRIDLE108: 'An alias has no end or expands too far',
  BRIDLE109: 'A YAML feature that the language does not use',
  BRIDLE110: 'The spec is empty or not a mapping',

  BRIDLE201: 'Wrong type',
  BRIDLE202: 'Unknown key',
  BRIDLE203: 'Unknown spec version',
  BRIDLE204: 'A server needs either a command or a url',
  BRIDLE205: 'Invalid name',
  BRIDLE206: 'Invalid value',
  BRIDLE207: 'A literal that looks like a variable reference',
  BRIDLE208: 'A character that no program can receive',
  BRIDLE209: 'Undeclared variable',
  BRIDLE210: 'Unused variable',
  BRIDLE211: 'Two settings exclude each other',
  BRIDLE212: 'Not yet part of the language',
  BRIDLE213: 'Unknown target',
  BRIDLE214: 'Unknown server',
  BRIDLE215: 'Only tuning can be omitted',
  BRIDLE216: 'The key belongs to the other kind of server',
  BRIDLE217: 'A required key is missing',
  BRIDLE218: 'Probably not what is meant',
  BRIDLE219: 'A secret in the open',

  BRIDLE301: 'The target cannot honor this',
  BRIDLE302: 'Only with bridle run',
  BRIDLE303: 'The target does not accept this name',
  BRIDLE304: 'Two names become one',
  BRIDLE305: 'The target would change this text',
  BRIDLE306: 'The target reads this variable as empty',
  BRIDLE307: 'The target honors this only in part',
  BRIDLE308: 'The emission does not match its schema',
  BRIDLE309: 'Only in files written by bridle build',

  BRIDLE401: 'The output cannot be written',
  BRIDLE402: 'A file of an earlier build',

  BRIDLE420: 'No known form of configuration',
  BRIDLE421: 'Not carried over',
  BRIDLE422: 'A server is left out',
  BRIDLE423: 'A secret was not copied',
  BRIDLE424: 'Taken from a variable from now on',
  BRIDLE425: 'The server has another name now',
  BRIDLE426: 'The nearer definition wins',
  BRIDLE427: 'Not what its program reads',
  BRIDLE428: 'The imported spec would not be valid',
  BRIDLE429: 'Carried over with a difference',

  BRIDLE501: 'Missing variable',
  BRIDLE502: 'The value cannot be delivered',

  BRIDLE601: 'No sandbox on this system',
  BRIDLE602: 'The sandbox cannot be started',
  BRIDLE603: 'The project folder cannot be opened to an agent',
  BRIDLE604: 'A command was not found',
  BRIDLE605: 'The harness was not found',
  BRIDLE606: 'The harness is too old',
  BRIDLE607: 'The harness is newer than the proved version',
  BRIDLE608: 'Arguments that a launch does not take',
  BRIDLE609: 'The harness has no account',
  BRIDLE611: 'The harness version is not known',
  BRIDLE612: 'The harness cannot be executed',
  BRIDLE613: 'A working directory cannot be used',
  BRIDLE614: 'A path is not visible in the sandbox',
  BRIDLE615: 'A package is not in the cache',
  BRIDLE616: 'Behind a closed network',
  BRIDLE617: 'The target cannot be launched',
  BRIDLE618: 'No Node.js for the harness',
  BRIDLE619: 'Another program of the same name',

  BRIDLE701: 'A server did not connect',
  BRIDLE702: 'A filter names a tool that the server does not offer',
  BRIDLE703: 'The call is refused',
  BRIDLE704: 'The call failed',
} as const

export type Code = keyof typeof codes

export function isCode(text: string): text is Code {
  return Object.hasOwn(codes, text)
}
