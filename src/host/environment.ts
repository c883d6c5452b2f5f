/** The environment of a process: by name; what is not set is absent or undefined. */
export type Environment = Readonly<Record<string, string | undefined>>
