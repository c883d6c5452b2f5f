import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownInstallations } from '../../src/launch/own-installations.ts'

let project: string
beforeEach(() => {
  project = realpathSync(mkdtempSync(path.join(tmpdir(), 'bridle-project-')))
})
afterEach(() => rmSync(project, { recursive: true }))

const inProject = (...names: string[]) => names.map((name) => path.join(project, name)).sort()

describe('the installations of Bridle in a project', () => {
  it('are none when it is installed elsewhere', () => {
    expect(ownInstallations(project, [project], '/opt/bridle')).toEqual([])
  })

  it('are the package, the programs beside it, and what npx reads', () => {
    const ownPackage = path.join(project, 'node_modules/bridle')
    mkdirSync(ownPackage, { recursive: true })
    expect([...new Set(ownInstallations(project, [project], ownPackage))].sort()).toEqual(
      inProject('node_modules/bridle', 'node_modules/.bin', '.npmrc'),
    )
  })

  it('are found in the packages of a workspace', () => {
    const ownPackage = path.join(project, 'packages/app/node_modules/bridle')
    mkdirSync(ownPackage, { recursive: true })
    expect(ownInstallations(project, [project], ownPackage)).toEqual(
      expect.arrayContaining(inProject('packages/app/node_modules/.bin', 'packages/app/.npmrc')),
    )
  })

  it('are the whole folder of packages where the package is a link, since a link can be replaced', () => {
    mkdirSync(path.join(project, 'node_modules/.store/bridle'), { recursive: true })
    symlinkSync('.store/bridle', path.join(project, 'node_modules/bridle'))
    const real = path.join(project, 'node_modules/.store/bridle')
    for (const ownPackage of [real, '/opt/bridle']) {
      expect(ownInstallations(project, [path.join(project, 'src')], ownPackage)).toEqual(
        expect.arrayContaining(inProject('node_modules', '.npmrc')),
      )
    }
  })

  it('are not the project itself where it is that of Bridle', () => {
    expect(ownInstallations(project, [project], project)).toEqual([])
  })
})
