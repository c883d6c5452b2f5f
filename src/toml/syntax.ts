/** A stretch of the text: offsets in UTF-16 code units, the end exclusive. */
export interface Place {
  readonly start: number
  readonly end: number
}

/** A line that says something: a table begins, or a key gets a value. */
export type Statement = Header | Pair

/** `[a.b]`, or `[[a.b]]` with which an element of an array of tables begins. The place is that of the brackets. */
export interface Header extends Place {
  readonly kind: 'header'
  readonly isElement: boolean
  readonly keys: readonly Key[]
}

/** `a.b = value`, on a line of its own or in an inline table. */
export interface Pair extends Place {
  readonly kind: 'pair'
  readonly keys: readonly Key[]
  readonly value: Value
}

/** One part of a dotted key, decoded; the place has its quotes. */
export interface Key extends Place {
  readonly name: string
}

export type Value = Scalar | ArrayValue | InlineTable

export interface Scalar extends Place {
  readonly kind: 'scalar'
  /** An integer beyond 2^53 is a bigint. */
  readonly value: string | number | bigint | boolean | Moment
}

/** A date, a time, or both, as it is written: JavaScript has no type for most of them. */
export interface Moment {
  readonly moment: string
}

export interface ArrayValue extends Place {
  readonly kind: 'array'
  readonly items: readonly Value[]
}

export interface InlineTable extends Place {
  readonly kind: 'inline table'
  readonly pairs: readonly Pair[]
  /** The offset of the comma behind each pair; the last one needs none. */
  readonly commas: readonly number[]
}

/** What is wrong with a text, and where. */
export interface Fault extends Place {
  readonly kind: 'syntax' | 'nesting' | 'duplicate'
  readonly message: string
  readonly help?: string
  /** Of a duplicate: what stands there already. */
  readonly first?: Place
}
