import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { explain, type Machine, whyUnavailable } from '../../src/sandbox/unavailable.ts'
import { Rig } from './rig/rig.ts'

const ordinary: Machine = {
  appArmorRestricts: false,
  userNamespaceLimit: 10_000,
  unprivilegedForbidden: false,
  inContainer: false,
  listsChildren: true,
}

const notPermitted = 'bwrap: No permissions to create new namespace'

/** What bubblewrap says, on which machine, and what the user must be told. */
const causes: readonly (readonly [string, string, Partial<Machine>, RegExp])[] = [
  ['an old bubblewrap', 'bwrap: Unknown option --disable-userns', {}, /version 0\.10/],
  [
    'user namespaces switched off',
    'bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)',
    { userNamespaceLimit: 0 },
    /sysctl user\.max_user_namespaces=/,
  ],
  [
    'the old setting of Debian',
    notPermitted,
    { unprivilegedForbidden: true },
    /kernel\.unprivileged_userns_clone=1/,
  ],
  ['a container', notPermitted, { inContainer: true }, /--security-opt seccomp=unconfined/],
  [
    'a container with a masked /proc',
    "bwrap: Can't mount proc on /newroot/proc",
    { inContainer: true },
    /systempaths/,
  ],
  [
    'Ubuntu’s AppArmor',
    'bwrap: setting up uid map: Permission denied',
    { appArmorRestricts: true },
    /apparmor\.d\/bwrap/,
  ],
  ['a kernel that was cut down', '', { listsChildren: false }, /CONFIG_PROC_CHILDREN/],
  ['something else', 'bwrap: Unexpected', {}, /unshare-user/],
]

describe('when the sandbox cannot be built', () => {
  test.each(causes)('because of %s, the user is told a way out', (_, complaint, machine, help) => {
    const { code, message, help: given } = explain(complaint, { ...ordinary, ...machine })
    expect(code).toBe('BRIDLE602')
    expect(message).toContain(complaint)
    expect(given).toMatch(help)
    expect(given).toContain('--sandbox none')
  })

  test('without a word of bubblewrap, none is made up', () => {
    expect(explain('', ordinary).message).not.toContain('It says')
  })
})

describe('on a machine without user namespaces', () => {
  const rig = new Rig()
  afterAll(() => rig.remove())
  const request = { argv: ['echo', 'STARTED'], project: rig.makeProject() }

  test('a launch is refused with the setting to change, and nothing is started or left behind', async () => {
    const switchedOff = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"'
    const through = ['unshare', '--user', '--map-root-user', 'sh', '-c', switchedOff, 'sh']
    const { status, stdout, stderr } = await rig.launch(request, { through })
    expect([status, stdout]).toEqual([125, ''])
    expect(stderr).toMatch(/^BRIDLE602: User namespaces are switched off/)
    expect(stderr).toContain('sysctl user.max_user_namespaces=')
  })

  test('as inside another sandbox of ours, a launch is refused, too', async () => {
    const launcher = join(rig.folder, 'launcher.mjs')
    const inner = join(rig.folder, 'inner.json')
    writeFileSync(inner, JSON.stringify(request))
    const { stderr } = await rig.launch({
      argv: [process.execPath, launcher, inner],
      project: rig.makeProject(),
      confinement: { readable: [rig.folder, dirname(dirname(process.execPath))] },
    })
    expect(stderr).toMatch(/^BRIDLE602: /)
  })
})

test('on this machine, which runs the tests of the sandbox, it can be built', async () => {
  expect(await whyUnavailable()).toBeUndefined()
})
