import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bubblewrap } from '../../src/sandbox/bubblewrap.ts'
import { noSandbox } from '../../src/sandbox/none.ts'
import { realProject, refuseProject } from '../../src/sandbox/project.ts'

const refused = ['/', '/home', '/home/ada']
const accepted = ['/home/ada/project', '/home/ada.old', '/home/adam', '/srv/project', '/homework']

describe('a project', () => {
  test.each(refused)('may not be %s when the home folder is /home/ada', (project) => {
    expect(refuseProject(project, '/home/ada')).toMatchObject({ code: 'BRIDLE603', severity: 'error' })
  })

  test.each(accepted)('may be %s when the home folder is /home/ada', (project) => {
    expect(refuseProject(project, '/home/ada')).toBeUndefined()
  })

  test.each([bubblewrap, noSandbox])(
    'that is the home folder is refused with the sandbox $name',
    async (sandbox) => {
      await expect(sandbox.open(homedir())).rejects.toMatchObject({ diagnostic: { code: 'BRIDLE603' } })
    },
  )

  test('is given without links', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bridle-project-'))
    expect(realProject(folder)).toBe(realpathSync(folder))
    rmSync(folder, { recursive: true })
  })
})
