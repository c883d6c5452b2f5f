import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { shownPath } from '../host/paths.ts'
import { findSpec, specNames, userSpecFolder } from '../spec/find.ts'
import { starterSpec, starterToml } from '../spec/starter.ts'
import { failureReason } from '../text/failure.ts'
import type { Terminal } from './terminal.ts'

const starters = { yaml: starterSpec, toml: starterToml }

export interface InitOptions {
  readonly format: keyof typeof starters
  /** The user's own spec, which `bridle build --user` reads. */
  readonly user?: boolean
}

/** `bridle init`: a commented starter spec in the working directory. An existing spec is never touched. */
export async function init(terminal: Terminal, options: InitOptions): Promise<number> {
  return options.user === true ? initOfUser(terminal, options.format) : initHere(terminal, options.format)
}

async function initOfUser(terminal: Terminal, format: InitOptions['format']): Promise<number> {
  const folder = userSpecFolder(terminal.environment['XDG_CONFIG_HOME'], terminal.home)
  const file = path.join(folder, `bridle.${format}`)
  const shown = shownPath(file, terminal.workingDirectory)
  if (!(await write(terminal, folder, file, shown, format))) return 1
  terminal.out(`${shown} is written. Next: \`bridle check --user\`, then \`bridle build --user --diff\`.\n`)
  return 0
}

async function initHere(terminal: Terminal, format: InitOptions['format']): Promise<number> {
  const folder = terminal.workingDirectory
  const above = findSpec(folder, terminal.home)
  const file = `bridle.${format}`
  if (!(await write(terminal, folder, path.join(folder, file), file, format))) return 1
  terminal.out(`${file} is written. Next: \`bridle check\`, then \`bridle build --print\`.\n`)
  if ('file' in above) {
    terminal.err(
      `In this folder and below it, ${file} is the spec now, and ${above.file} is not. The files of harnesses belong to the whole project: build them from one of the two.\n`,
    )
  }
  return 0
}

/** Whether it could be written: not where a spec is there, in any form. */
async function write(
  terminal: Terminal,
  folder: string,
  file: string,
  shown: string,
  format: InitOptions['format'],
): Promise<boolean> {
  const existing = specNames.find((name) => existsSync(path.join(folder, name)))
  if (existing !== undefined) {
    terminal.err(
      `bridle init: ${path.join(path.dirname(shown), existing)} is already here, and was left as it is\n`,
    )
    return false
  }
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(file, starters[format], { flag: 'wx' })
    return true
  } catch (error) {
    terminal.err(`bridle init: ${shown} cannot be written: ${failureReason(error)}\n`)
    return false
  }
}
