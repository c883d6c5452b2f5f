import path from 'node:path'
import { contains } from '../host/paths.ts'
import { specNames } from '../spec/find.ts'
import { ancestors } from './paths.ts'
import type { LaunchRequest } from './request.ts'

/** Bridle's own files: what the next launch trusts. */
const ownFiles = [...specNames, 'bridle.lock.json', '.bridle']

/**
 * What editors and other agents act on when a person opens the project with them later: tasks and settings that run
 * programs, MCP servers, hooks, permissions. What is written in CLAUDE.md and AGENTS.md stays the agent's to edit,
 * since people ask for it: they are words, which start nothing by themselves.
 */
const otherPrograms = [
  ...['.vscode', '.idea', '.zed', '.cursor'],
  ...['.gemini', '.qwen', '.kimi', '.opencode', 'opencode.json', 'opencode.jsonc'],
]

/**
 * What a person wrote for other agents, read-only where it is. It is not held where it is not: a placeholder would stand
 * as a folder where programs expect a text.
 */
export const protectedIfPresent = ['.github/copilot-instructions.md']

/**
 * What the next launch trusts, or a person who opens the project. A spec that an agent wrote into the folder where
 * Bridle is started next would be nearer than the right one, so none can be made from there up to the project.
 *
 * @param targetFiles the project files of every target, relative to the project
 * @param installations of Bridle in the project, absolute
 * @returns relative to the project, distinct
 */
export function protectedPaths(
  { project, workingDirectory, specFile }: LaunchRequest,
  targetFiles: readonly string[],
  installations: readonly string[],
): string[] {
  const absolute = [
    ...inFolder(project, [...ownFiles, ...otherPrograms, ...targetFiles]),
    ...installations,
    ...ancestors(workingDirectory, project).flatMap((folder) => inFolder(folder, specNames)),
    ...inFolder(path.dirname(specFile), ownFiles),
    specFile,
  ]
  const inside = absolute.filter((file) => contains(project, file))
  return [...new Set(inside.map((file) => path.relative(project, file)))]
}

function inFolder(folder: string, names: readonly string[]): string[] {
  return names.map((name) => path.join(folder, name))
}
