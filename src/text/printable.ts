/** Text of a foreign program on one line, with nothing in it that could steer a terminal. */
export function printable(text: string): string {
  return text.replace(/\x1b\[[0-9;?]*[ -/]*[@-~]/g, '').replace(/\p{Cc}+/gu, ' ')
}
