import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { copilotUnpacked } from './programs.ts'

/** Starts and ends of names where the program has several written together without anything between. */
const start =
  /(?=(?:GITHUB|COPILOT|OPENAI|ANTHROPIC|AZURE|CAPI|AIP|BLACKBIRD|GH|ACTIONS|RUNNER|NPM|AWS|GOOGLE|GEMINI|SECRET|AGENT|MCP|NODE|OTEL|SWE|HMAC)[A-Z0-9]*_)/g
const end =
  /(?<=TOKEN|KEY|URI|URL|NAME|NONCE|SECRET|HEADERS|COMMAND|OVERRIDE|ENDPOINT|ID|MODEL|PASSWORD|HOST|VERSION|TYPE|API|PATH)/g

/** Every text of capitals in the unpacked Copilot CLI that could be the name of a variable. */
export function capitalsIn(): string[] {
  const names = new Set<string>()
  for (const file of programFiles()) {
    for (const [run] of readFileSync(file, 'latin1').matchAll(/[A-Z][A-Z0-9_]{3,400}/g)) {
      if (run.includes('_')) for (const name of namesIn(run)) names.add(name)
    }
  }
  return [...names].sort()
}

function programFiles(): string[] {
  const files = readdirSync(copilotUnpacked, { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => /(\.node|copilot-runtime|\/(app|index|cli-main|sea-loader)\.js)$/.test(file))
    .map((file) => path.join(copilotUnpacked, file))
}

function namesIn(run: string): string[] {
  const starts = [...run.matchAll(start)].map(({ index }) => index)
  const ends = [...run.matchAll(end)].map(({ index }) => index)
  const [from, to] = [new Set([0, ...starts]), new Set([run.length, ...starts, ...ends])]
  return [...from].flatMap((first) =>
    [...to].filter((last) => last - first > 3 && last - first < 60).map((last) => run.slice(first, last)),
  )
}
