import * as z from 'zod/mini'

const name = () => z.string().check(z.minLength(1))
const names = () => z.array(name()).check(z.minLength(1))
const milliseconds = () =>
  z.int().check(z.gte(1), z.lte(2_147_483_647), z.describe('Milliseconds; 60000 when absent.'))
const literals = () => z.record(name(), z.string())
const variables = () =>
  z
    .record(name(), name())
    .check(
      z.describe('From the name at the server to the name in the environment of the harness; never a value.'),
    )

const common = () => ({
  title: z.exactOptional(z.string()),
  tools: z.exactOptional(
    z.strictObject({ include: z.exactOptional(names()), exclude: z.exactOptional(names()) }),
  ),
  requiresConfirmation: z
    .union([z.boolean(), names()])
    .check(z.describe('Every tool, none, or these: a tool that requires confirmation never runs unasked.')),
  startupTimeoutMs: z.exactOptional(milliseconds()),
  toolTimeoutMs: z.exactOptional(milliseconds()),
  required: z.boolean(),
})

const stdioServer = () =>
  z.strictObject({
    transport: z.literal('stdio'),
    command: z.string().check(z.minLength(1)),
    arguments: z.array(z.string()),
    workingDirectory: z.exactOptional(z.string().check(z.regex(/^\//))),
    environment: literals(),
    variables: variables(),
    ...common(),
  })

const httpServer = () =>
  z.strictObject({
    transport: z.literal('http'),
    url: z.url({ protocol: /^https?$/ }),
    headers: literals(),
    headerVariables: variables(),
    bearerTokenVariable: z.exactOptional(name()),
    oauth: z.exactOptional(
      z.strictObject({
        clientId: z.string(),
        clientSecretVariable: name(),
        scopes: z.array(z.string()),
      }),
    ),
    ...common(),
  })

/** `builtin.json`: all that the built-in harness reads. Literals stand verbatim, secrets as names of variables. */
export const builtinConfig = z.lazy(() =>
  z
    .strictObject({
      version: z.literal(1),
      servers: z.record(name(), z.discriminatedUnion('transport', [stdioServer(), httpServer()])),
    })
    .check(z.meta({ title: "Configuration of Bridle's built-in harness" })),
)

export type BuiltinConfig = z.infer<typeof builtinConfig>
