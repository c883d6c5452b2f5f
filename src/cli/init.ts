import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { findSpec, specNames } from '../spec/find.ts'
import { starterSpec, starterToml } from '../spec/starter.ts'
import { failureReason } from '../text/failure.ts'
import type { Terminal } from './terminal.ts'

const starters = { yaml: starterSpec, toml: starterToml }

/** `bridle init`: a commented starter spec in the working directory. An existing spec is never touched. */
export async function init(
  terminal: Terminal,
  { format }: { readonly format: keyof typeof starters },
): Promise<number> {
  const folder = terminal.workingDirectory
  const existing = specNames.find((file) => existsSync(path.join(folder, file)))
  if (existing !== undefined) {
    terminal.err(`bridle init: ${existing} is already here, and was left as it is\n`)
    return 1
  }
  const above = findSpec(folder, terminal.home)
  const file = `bridle.${format}`
  try {
    await writeFile(path.join(folder, file), starters[format], { flag: 'wx' })
  } catch (error) {
    terminal.err(`bridle init: ${file} cannot be written: ${failureReason(error)}\n`)
    return 1
  }
  terminal.out(`${file} is written. Next: \`bridle check\`, then \`bridle build --print\`.\n`)
  if ('file' in above) {
    terminal.err(
      `In this folder and below it, ${file} is the spec now, and ${above.file} is not. Files of harnesses belong to the whole project: a build from here writes those at its root.\n`,
    )
  }
  return 0
}
