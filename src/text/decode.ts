/** The text of these bytes, with its byte order mark; or what it is, and where the first byte stands that tells so. */
export function decodeUtf8(
  bytes: Buffer,
): { readonly text: string } | { readonly fault: 'UTF-16' | 'not UTF-8'; readonly line: number } {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return { fault: 'UTF-16', line: 1 }
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { fault: 'not UTF-8', line: lineOfInvalidByte(bytes) }
  }
}

/** The first replacement character that is not in the file itself stands for the first invalid byte. */
function lineOfInvalidByte(bytes: Buffer): number {
  const text = bytes.toString('utf8')
  let line = 1
  let offset = 0
  for (const character of text) {
    if (character === '\uFFFD' && bytes.toString('latin1', offset, offset + 3) !== '\xEF\xBF\xBD') break
    if (character === '\n') line++
    offset += Buffer.byteLength(character)
  }
  return line
}
