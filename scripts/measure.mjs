import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const longestMs = 60_000

/**
 * Measures programs of Node. Every process reports its own CPU time and peak memory as it ends; what it starts is not
 * counted. NODE_EXTRA_CA_CERTS is left out: it adds tens of milliseconds to any start of Node.
 *
 * @param folder where the reports are written
 * @param node the program that runs them all
 * @returns what measures one run; it throws when the program fails, or takes longer than a minute
 */
export function createMeter(folder, node = process.execPath) {
  const report = path.join(folder, 'usage.json')
  const meter = path.join(folder, 'meter.cjs')
  writeFileSync(
    meter,
    `process.on('exit', () => {
      const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
      const usage = { cpuMs: (userCPUTime + systemCPUTime) / 1000, memoryMb: maxRSS / 1024 }
      require('node:fs').writeFileSync(${JSON.stringify(report)}, JSON.stringify(usage))
    })`,
  )
  return ({ name, args, cwd = folder, env }) => {
    const { NODE_EXTRA_CA_CERTS: _, ...own } = env ?? process.env
    const started = process.hrtime.bigint()
    const result = spawnSync(node, ['-r', meter, ...args], {
      cwd,
      env: own,
      encoding: 'utf8',
      timeout: longestMs,
    })
    const wallMs = Number(process.hrtime.bigint() - started) / 1e6
    if (result.signal !== null) throw new Error(`${name} took longer than ${longestMs / 1000} s`)
    if (result.status !== 0) {
      throw new Error(`${name} ended with ${result.status}: ${(result.stderr || result.stdout).slice(-500)}`)
    }
    return { wallMs, ...JSON.parse(readFileSync(report, 'utf8')) }
  }
}

/** Each figure's median over these runs. */
export function medians(runs) {
  const of = (key) => median(runs.map((run) => run[key]))
  return { cpuMs: of('cpuMs'), wallMs: of('wallMs'), memoryMb: of('memoryMb') }
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
