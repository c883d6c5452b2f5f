import type { JsonObject } from './serialize.ts'

/** Where one document of a target goes when it is installed, and which parts of that file are entries of Bridle's own. */
export interface InstalledFile {
  /** The `path` of the standalone document. */
  readonly document: string
  /** Everything that Bridle writes lies in one of these places; all else in the file is the user's. */
  readonly entries: readonly EntryPlaces[]
  readonly project?: ProjectFile
  readonly user?: UserFile | UserProgram
  /** How the harness is asked what it reads; absent: it has no way to tell. */
  readonly readBack?: ReadBack
}

/** The harness is started in a new folder, which stands for its home, and told of the entries there. */
export interface ReadBack {
  /** The program on PATH. */
  readonly executable: string
  /** The variable of the environment that names the folder of its state. */
  readonly folderVariable: string
  /** The file of that folder in which it reads the entries, all below one key; absent: the questions hold them. */
  readonly document?: { readonly path: string; readonly format: 'json' | 'toml'; readonly table: string }
  /** The commands, by the names and values of the entries. */
  questions(
    entries: JsonObject,
  ): readonly { readonly arguments: readonly string[]; readonly input?: string }[]
  /** The file of that folder with the answer; absent: what the commands print. */
  readonly answerFile?: string
  /** Whether it tells of every key that it has read; else one that is missing says nothing. */
  readonly tellsAll: boolean
  /** What it tells of each entry, under the keys of the entry. Throws when the answer is not as expected. */
  entries(answers: readonly string[]): Readonly<Record<string, JsonObject>>
}

/** What the harness's own reader takes, which can differ between its files; what it does not take, Bridle refuses in place of writing beside it. */
export interface FileSyntax {
  readonly format: 'json' | 'toml'
  /** JSON only: comments. */
  readonly comments: boolean
  /** JSON only: a comma after the last member. */
  readonly trailingCommas: boolean
  /** A byte order mark at the start. */
  readonly byteOrderMark: boolean
}

/** As Codex 0.171.0 takes it. */
export const toml: FileSyntax = {
  format: 'toml',
  comments: true,
  trailingCommas: false,
  byteOrderMark: true,
}
export const strictJson: FileSyntax = {
  format: 'json',
  comments: false,
  trailingCommas: false,
  byteOrderMark: false,
}

/**
 * Which parts of a document are entries: each key of the table at `path`, each element of the array at `path`, or the
 * one value at `path`.
 */
export interface EntryPlaces {
  readonly kind: 'keys' | 'elements' | 'value'
  readonly path: readonly string[]
}

export interface ProjectFile {
  /** Relative to the project. */
  readonly path: string
  readonly syntax: FileSyntax
  /** When the harness reads it, as one sentence to the user. */
  readonly readWhen: string
}

export interface UserFile {
  /** The variable of the environment that names the folder. */
  readonly variable?: string
  /** The folder where that variable is not set, relative to the home. */
  readonly folder: string
  /** Relative to the folder. */
  readonly path: string
  readonly syntax: FileSyntax
  readonly readWhen: string
}

/** A harness that keeps the user's servers in a large file of its own state, and has commands that change it. */
export interface UserProgram {
  /** The program on PATH. */
  readonly executable: string
  /** The file in which it keeps them; only read. */
  readonly reads: UserFile
  /** The arguments that add an entry; its text goes over standard input, never into the arguments. */
  add(name: string): readonly string[]
  remove(name: string): readonly string[]
  readonly readWhen: string
}
