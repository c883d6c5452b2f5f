import { checkDistinct, exclude, namesIn } from './exclusions.ts'
import { unknownKey } from './keys.ts'
import { add, label, type Reader } from './report.ts'
import { accountSchema, targetSettings } from './schema.ts'
import { entryAt, type Node } from './tree.ts'
import { validateFields } from './validate.ts'

/** Checks the settings of one target. */
export const readSettings: Reader = (node, path, report) => {
  const servers = valueAt(node, 'servers')
  const [include, exclusion] = [
    servers && entryAt(servers, 'include'),
    servers && entryAt(servers, 'exclude'),
  ]
  if (include !== undefined && exclusion !== undefined) {
    const message = `${label([...path, 'servers'])} has both \`include\` and \`exclude\`.`
    exclude('BRIDLE211', message, 'Keep the shorter one.', include, exclusion, path, report)
  }
  const account = valueAt(node, 'account')
  const given = [namesIn(node, 'environment'), account === undefined ? [] : namesIn(account, 'variables')]
  checkDistinct(given.flat(), 'variable', path, report)
  return validateFields(targetSettings, node, path, report, unknownKey)
}

function valueAt(node: Node, key: string): Node | undefined {
  return entryAt(node, key)?.value
}

/** Checks how a harness is logged in. */
export const readAccount: Reader = (node, path, report) => {
  if (node.kind !== 'scalar' || node.value !== 'host') {
    return validateFields(accountSchema, node, path, report, unknownKey)
  }
  add(report, 'BRIDLE212', '`account: host` is not yet part of the language.', report.source.at(node), path, {
    help: 'Give the harness a key: `account: { variables: [NAME] }`.',
  })
  return undefined
}
