/** The shapes of well-known credentials: GitHub, GitLab, Slack, AWS, Google, npm, Stripe, model providers, JWT. */
const shape =
  /\b(?:gh[opsur]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|npm_[A-Za-z0-9]{30,}|sk_(?:live|test)_\w{16,}|sk-[\w-]{16,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,})/

/** Whether the text holds something that looks like a credential. */
export function looksSecret(text: string): boolean {
  return shape.test(text)
}

/** The text with every such part covered but for its first four characters; as long as before. */
export function coverSecrets(text: string): string {
  return text.replace(new RegExp(shape, 'g'), (secret) => secret.slice(0, 4) + '•'.repeat(secret.length - 4))
}
