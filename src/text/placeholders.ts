/** Texts that stand where a value will be: a reference in anybody's syntax, or a word for what to write there. */

/** `${X}`, `${env:X}`, `$X`, `$(command)`, `{env:X}`, `{{X}}`, `%X%`. One with a default value holds a value. */
const reference =
  /\$\{[A-Za-z_][\w.]*(?::[A-Za-z_][\w.-]*)?\}|\$[A-Z_][A-Z0-9_]+|\$\([^()]+\)|\{(?:env|file|input|secret):[^{}]+\}|\{\{ ?[\w.]+ ?\}\}|%[A-Za-z_]\w*%/

const scheme = '(?:(?:[Bb]earer|[Bb]asic|[Tt]oken)[ ]+)?'
const wholeReference = new RegExp(`^${scheme}(?:(?:${reference.source})[:@/]?)+$`)

/** Whether a text is nothing but references to values that stand elsewhere, be it behind a word such as `Bearer`. */
export function isReference(text: string): boolean {
  return text.length <= longest && wholeReference.test(text)
}

const words = [
  '<[^<>]+>', // <your-token>
  'your(?:[-_. ][a-z]+){1,8}', // YOUR_API_KEY_HERE
  '(?:insert|enter|paste|replace|put)[-_. ](?:me|with|your|the|here|token|key)(?:[-_. ][a-z]+){0,8}', // replace-me
  '(?:[a-z]{1,10}[-_]){0,3}x{3,}', // ghp_xxxxxxxx
  '[*•.…]{3,}',
]
const placeholder = new RegExp(`^${scheme}(?:${words.join('|')})$`, 'i')

/** Whether a text is a word for the value that belongs there. */
export function isPlaceholder(text: string): boolean {
  return text.length <= longest && placeholder.test(text)
}

/** Longer ones are something else, and a search through them is not worth its time. */
const longest = 200
