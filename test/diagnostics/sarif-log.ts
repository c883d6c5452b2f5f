import { z } from 'zod'

/**
 * What a SARIF log of ours looks like: the rules of the official schema (sarif-schema-2.1.0.json) for every property that
 * we write, closed against all others, and what GitHub asks for beyond them (a location of each result, with a region).
 */

const message = z.strictObject({ text: z.string().min(1) })
const level = z.enum(['none', 'note', 'warning', 'error'])
const position = z.int().min(1)
const index = z.int().min(0)

const artifactLocation = z.union([
  z.strictObject({
    uri: z.string().regex(/^(?!\/|[a-z]+:)[\w.!~*'()/%-]+$/),
    uriBaseId: z.literal('%SRCROOT%'),
  }),
  z.strictObject({ uri: z.string().regex(/^file:\/\/\//) }),
])

const region = z
  .strictObject({ startLine: position, startColumn: position, endLine: position, endColumn: position })
  .refine(({ startLine, startColumn, endLine, endColumn }) =>
    startLine === endLine ? startColumn <= endColumn : startLine < endLine,
  )

const physicalLocation = z.strictObject({ artifactLocation, region })
const properties = z.strictObject({ server: z.string().optional(), target: z.string().optional() })

const result = z.strictObject({
  ruleId: z.string(),
  ruleIndex: index,
  level,
  message,
  locations: z.tuple([z.strictObject({ physicalLocation })]),
  relatedLocations: z
    .array(z.strictObject({ id: index, physicalLocation, message }))
    .min(1)
    .optional(),
  partialFingerprints: z.strictObject({
    primaryLocationLineHash: z.string().regex(/^[0-9a-f]{16}:[1-9]\d*$/),
  }),
  properties,
})

const rule = z.strictObject({
  id: z.string().regex(/^BRIDLE\d{3}$/),
  shortDescription: message,
  fullDescription: message,
  help: message,
})

const run = z
  .strictObject({
    tool: z.strictObject({
      driver: z.strictObject({ name: z.literal('Bridle'), version: z.string(), rules: z.array(rule) }),
    }),
    columnKind: z.literal('utf16CodeUnits'),
    originalUriBaseIds: z.strictObject({ '%SRCROOT%': z.strictObject({ description: message }) }),
    invocations: z.tuple([
      z.strictObject({
        executionSuccessful: z.boolean(),
        toolExecutionNotifications: z.array(
          z.strictObject({
            associatedRule: z.strictObject({ id: z.string(), index }),
            level,
            message,
            properties,
          }),
        ),
      }),
    ]),
    results: z.array(result),
  })
  .refine(({ tool: { driver }, results, invocations: [{ toolExecutionNotifications }] }) => {
    const ids = driver.rules.map(({ id }) => id)
    const used = [
      ...results.map(({ ruleId: id, ruleIndex }) => ({ id, index: ruleIndex })),
      ...toolExecutionNotifications.map(({ associatedRule }) => associatedRule),
    ]
    return new Set(ids).size === ids.length && used.every(({ id, index }) => ids[index] === id)
  }, 'each rule stands once and is found at its index')
  .refine(({ results }) => {
    const prints = results.map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash)
    return new Set(prints).size === prints.length
  }, 'no two results have one fingerprint')

export const sarifLog = z.strictObject({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z.tuple([run]),
})
