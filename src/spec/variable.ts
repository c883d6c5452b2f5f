import { unknownKey } from './keys.ts'
import { add, label, type Reader } from './report.ts'
import { variableSource } from './schema.ts'
import { validateFields } from './validate.ts'

/** Checks the declaration of a variable. With the value itself in it, it gets an answer of its own. */
export const readVariableSource: Reader = (node, path, report) => {
  if (node.kind !== 'scalar' || node.value === null) {
    return validateFields(variableSource, node, path, report, unknownKey)
  }
  add(
    report,
    'BRIDLE201',
    `${label(path)} is declared by name, without its value.`,
    report.source.at(node),
    path,
    {
      help:
        'Write {} to take it from the environment of the launch. If the secret itself stood here, remove it and ' +
        'replace it where it was issued.',
    },
  )
  return undefined
}
