import type { Json } from '../../compile/serialize.ts'

/**
 * A config file of the user's, parsed with the places of its parts. An edit touches the bytes of its own entry and no
 * other: comments, order, number forms, line ends, blanks and a byte order mark stay. Pure.
 */
export interface EditableDocument {
  /** The value at a path of keys; undefined when there is none. Of a key that stands twice, the last one. */
  valueAt(path: readonly string[]): Json | undefined
  /** Whether this stands at a path, and no key in it stands twice; the order of keys says nothing. */
  says(path: readonly string[], value: Json): boolean
  /** The keys of the table at a path; none when no table is there. Costs far less than the value of a large table. */
  keysAt(path: readonly string[]): readonly string[]
  /** The place of the key (of an array element: of the element) in the text, for diagnostics. */
  rangeAt(place: EntryPlace): TextRange | undefined
  /**
   * The text after all edits, or why it cannot be made (a table that is a number, a key on the way that stands twice).
   * Setting what is there already and removing what is not change nothing, so the same edits twice give the same bytes.
   * Of several edits of one place the last counts; entries are added before others are removed.
   *
   * @param origins of an earlier edit of this file: with them, removing everything gives back the bytes from before
   * @throws Error when one edit lies inside another, or the edited text does not say what it should: bugs of ours
   */
  edit(edits: readonly Edit[], origins: Origins): EditResult
}

/**
 * One entry: the value under a path of keys, or an element of the array at a path, known by its value. Of equal
 * elements it is the last: Bridle's own are added behind those of the user.
 */
export interface EntryPlace {
  readonly path: readonly string[]
  readonly element?: Json
}

export interface Edit extends EntryPlace {
  /** What to write; undefined removes the entry. Of an element, `value` is the element itself. */
  readonly value: Json | undefined
}

/**
 * What stood where Bridle put its first entry, by JSON pointer (RFC 6901) of the table or array: its text when it was
 * empty, null when it did not exist. The pointer `''` is the whole document; of a file without a value it is the blanks
 * of the file, null when there were none. Nothing stands here of a table with comments: they stay where they are, and
 * a comment may hold what nobody wants to find in a second file.
 *
 * It is kept between builds. The editor drops an origin when its table is empty or gone; whoever knows that nothing of
 * Bridle's is left in a file drops all of them.
 */
export type Origins = Readonly<Record<string, string | null>>

export type EditResult =
  | { readonly text: string; readonly origins: Origins }
  | { readonly refusal: DocumentFault }

export type ParseResult = { readonly document: EditableDocument } | { readonly fault: DocumentFault }

/** Why a file cannot be read or edited, and where. */
export interface DocumentFault {
  /** A full sentence about the file, without the file's name. */
  readonly message: string
  readonly range: TextRange
}

/** Offset and length in UTF-16 code units from the start of the text, a byte order mark included. */
export interface TextRange {
  readonly offset: number
  readonly length: number
}
