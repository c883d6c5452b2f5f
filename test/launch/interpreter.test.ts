import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFirstLine } from '../../src/launch/interpreter.ts'

const lines: [string, string | undefined][] = [
  ['#!/bin/sh\n', '/bin/sh'],
  ['#! /bin/sh -e\r\n', '/bin/sh'],
  ['#!/usr/bin/env node', 'node'],
  ['#!/usr/bin/env -S node --no-warnings\n', 'node'],
  ['#!/usr/bin/env -Snode --no-warnings\n', 'node'],
  ['#!/usr/bin/env -i A=1 python3\n', 'python3'],
  ['#!/usr/bin/env\n', undefined],
  ['#!\n', undefined],
  ['#!\n/bin/sh\n', undefined],
  ['\x7fELF', undefined],
  ['', undefined],
  ['echo\n#!/bin/sh\n', undefined],
]

describe('the first line of a script', () => {
  it.each(lines)('%j is for %s', (text, interpreter) => {
    expect(parseFirstLine(text)).toBe(interpreter)
  })

  it('may hold anything', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const interpreter = parseFirstLine(`#!${text}`)
        if (interpreter !== undefined) expect(interpreter).toMatch(/^[^\r\n]+$/)
      }),
    )
  })
})
