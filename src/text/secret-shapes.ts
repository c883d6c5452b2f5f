/**
 * The shapes of well-known credentials, each as its issuer documents it. A shape is long enough that a name in a sentence
 * does not have it.
 */
const shapes: readonly RegExp[] = [
  /gh[opsur]_[A-Za-z0-9]{20,}|github_pat_\w{20,}/, // GitHub
  /gl(?:pat|ptt|rt|soat|cbt|dt)-[\w-]{16,}/, // GitLab
  /xox[abeprs]-[\w-]{10,}|xapp-[\w-]{10,}/, // Slack
  /(?:AKIA|ASIA)[0-9A-Z]{16}/, // AWS, the name of a key pair
  /AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}/, // Google
  /npm_[A-Za-z0-9]{30,}|pypi-[\w-]{50,}|dckr_pat_[\w-]{20,}/, // npm, PyPI, Docker Hub
  /[rs]k_(?:live|test)_\w{16,}|whsec_\w{20,}/, // Stripe
  /sk-[\w-]{16,}/, // OpenAI, Anthropic, OpenRouter, DeepSeek and others
  /hf_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{30,}|xai-[A-Za-z0-9]{30,}|nvapi-[\w-]{30,}|pplx-[A-Za-z0-9]{30,}|r8_\w{30,}/, // models
  /tvly-[\w-]{20,}|fc-[0-9a-f]{32}|ctx7sk-[\w-]{20,}/, // Tavily, Firecrawl, Context7
  /lin_(?:api|oauth)_[A-Za-z0-9]{30,}|ntn_[A-Za-z0-9]{30,}|figd_[\w-]{30,}/, // Linear, Notion, Figma
  /ATATT3[\w=-]{30,}|ATCTT3[\w=-]{30,}/, // Atlassian
  /sntry[us]_[\w+/=-]{30,}|glsa_\w{30,}|phx_\w{30,}/, // Sentry, Grafana, PostHog
  /dop_v1_[0-9a-f]{60,}|hvs\.[\w-]{20,}|dapi[0-9a-f]{32}|sbp_[0-9a-f]{40}/, // DigitalOcean, Vault, Databricks, Supabase
  /shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}|SG\.[\w-]{16,}\.[\w-]{16,}|AGE-SECRET-KEY-1[0-9A-Z]{50,}/, // Shopify, SendGrid, age
  /eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}/, // JSON Web Token
]

const shape = new RegExp(`\\b(?:${shapes.map(({ source }) => source).join('|')})|${privateKey().source}`)

/** The text of a private key; all of it when it has its end. */
function privateKey(): RegExp {
  return /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[^-]*-----END [A-Z ]*PRIVATE KEY-----)?/
}

/** Whether the text holds something that looks like a credential. */
export function looksSecret(text: string): boolean {
  return shape.test(text)
}

/** The text with every such part covered but for its first four characters; as long as before. */
export function coverShapes(text: string): string {
  return text.replace(new RegExp(shape, 'g'), cover)
}

/** The same for private keys alone, which may stand on several lines: none of these tells what it is. */
export function coverPrivateKeys(text: string): string {
  return text.replace(new RegExp(privateKey(), 'g'), cover)
}

function cover(secret: string): string {
  return secret.slice(0, 4) + secret.slice(4).replaceAll(/[^\r\n]/g, '•')
}
