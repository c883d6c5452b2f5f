import { closeSync, openSync, readSync } from 'node:fs'
import path from 'node:path'

/** The limit of the Linux kernel for the first line of a script (BINPRM_BUF_SIZE). */
const firstLineBytes = 256

/** The program that runs a script, by its first line; of `/usr/bin/env NAME` it is `NAME`. Undefined for a binary. */
export function interpreterOf(file: string): string | undefined {
  return parseFirstLine(firstBytes(file))
}

/** Whether Node.js runs it, be it named by its path (`#!/usr/bin/node`) or looked for on PATH. */
export function isNodeScript(file: string): boolean {
  return path.basename(interpreterOf(file) ?? '') === 'node'
}

/** The same from the beginning of the file (execve(2), env(1) with `-S` and assignments). */
export function parseFirstLine(text: string): string | undefined {
  const [, program, rest = ''] = /^#![ \t]*([^ \t\r\n]+)([^\r\n]*)/.exec(text) ?? []
  if (program === undefined || path.basename(program) !== 'env') return program
  const words = rest.split(/[ \t]+/).map((word) => word.replace(/^-S(?=.)/, ''))
  return words.find((word) => word !== '' && !word.startsWith('-') && !word.includes('='))
}

function firstBytes(file: string): string {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, 'r')
    const bytes = Buffer.alloc(firstLineBytes)
    return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, firstLineBytes, 0))
  } catch {
    return '' // executable and not readable: a binary
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
