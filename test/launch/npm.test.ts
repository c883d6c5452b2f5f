import { symlinkSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findNpmSettings, npmSettings } from '../../src/launch/npm.ts'
import { Workplace } from '../fixtures/workplace.ts'

const kept: [string, Record<string, string>][] = [
  ['registry=https://npm.example/a/', { registry: 'https://npm.example/a/' }],
  ['  registry = "https://npm.example/"  \r', { registry: 'https://npm.example/' }],
  ['@team:registry=https://npm.example/', { '@team:registry': 'https://npm.example/' }],
  ...[
    'https://npm.example/artifactory/api/npm/npm-virtual-2/',
    'https://npm.example/~company-wide-packages/',
    'https://team-111122223333.d.codeartifact.eu-central-1.amazonaws.example/npm/main/',
  ].map((registry): [string, Record<string, string>] => [`registry=${registry}`, { registry }]),
  ['cafile=/etc/ssl/company-root-2024-a1b2.pem', { cafile: '/etc/ssl/company-root-2024-a1b2.pem' }],
  ['cafile=~/ca.pem', { cafile: '/home/ada/ca.pem' }],
  [
    'strict-ssl=false\nhttps-proxy=http://proxy.example:3128\nnoproxy=localhost',
    { 'strict-ssl': 'false', 'https-proxy': 'http://proxy.example:3128', noproxy: 'localhost' },
  ],
]

const leftOut = [
  '//npm.example/:_authToken=canary',
  '//npm.example/:_auth=canary',
  '_authToken=canary',
  '_password = canary',
  'email=canary@example.com',
  'registry=https://user:canary@npm.example/',
  'https-proxy=http://canary@proxy.example',
  'https-proxy=user:canary@proxy.example:3128',
  'registry=https://npm.example/?token=canary',
  'registry=https://npm.example/#canary',
  'registry=https://npm.example/canary0123456789/team/',
  '@team:registry=https://npm.example/basic/canary-4f2a9c1e77/npm/',
  'registry=https://npm.example/${canary}/',
  '@team:_authToken=canary',
  '@team:registry:_authToken=canary',
  '; registry=canary',
  '# registry=canary',
  'registry',
  'prefix=/canary',
  'script-shell=/canary',
  'node-options=--require=/canary',
  'init.module=/canary',
  '[registry]',
]

describe('the settings of npm', () => {
  it.each(kept)('take over %j', (text, settings) => {
    expect(npmSettings([text], '/home/ada')).toEqual(settings)
  })

  it.each(leftOut)('leave out %j', (text) => {
    expect(npmSettings([text], '/home/ada')).toEqual({})
  })

  it('take the last text that says something', () => {
    expect(npmSettings(['registry=https://a.example\ncafile=/a', 'registry=https://b.example'], '/')).toEqual(
      {
        registry: 'https://b.example',
        cafile: '/a',
      },
    )
  })

  it('do not fall back to another registry when the last one cannot be taken over', () => {
    expect(npmSettings(['registry=https://a.example', 'registry=https://u:p@b.example'], '/')).toEqual({})
  })

  it('hold no user of any address, whatever the text is', () => {
    const address = fc
      .webUrl({ withQueryParameters: true })
      .map((url) => url.replace('://', '://ada:canary@'))
    const text = fc.array(
      fc.oneof(
        address.map((url) => `registry=${url}`),
        fc.string(),
      ),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(text, (lines) => {
        expect(JSON.stringify(npmSettings([lines.join('\n')], '/'))).not.toContain('canary')
      }),
    )
  })
})

describe('finding the settings of npm', () => {
  let place: Workplace
  beforeAll(() => {
    place = new Workplace()
    place.write(
      'home/.npmrc',
      'registry=https://user.example/\n//user.example/:_authToken=canary\ncafile=~/ca;1.pem\n',
    )
    place.write('home/ca;1.pem', '')
    place.write('global/npmrc', 'registry=https://global.example/\n@team:registry=https://team.example/\n')
  })
  afterAll(() => place.remove())
  const globalFile = () => ({ npm_config_globalconfig: path.join(place.folder, 'global/npmrc') })

  it('reads the files as npm finds them, and gives an npmrc that npm reads', () => {
    const { text, readable } = findNpmSettings(globalFile(), place.home, place.project)
    const cafile = path.join(place.home, 'ca;1.pem')
    expect(text.split('\n').sort()).toEqual(
      [
        '',
        '@team:registry=https://team.example/',
        `cafile=${JSON.stringify(cafile)}`,
        'registry=https://user.example/',
      ].sort(),
    )
    expect(readable).toEqual([cafile])
  })

  it('prefers the variables of the environment', () => {
    const variables = { ...globalFile(), NPM_CONFIG_REGISTRY: 'https://variable.example/' }
    expect(findNpmSettings(variables, place.home, place.project).text).toContain(
      'registry=https://variable.example/\n',
    )
  })

  it('takes the file of the user that a variable names', () => {
    const variables = {
      ...globalFile(),
      npm_config_userconfig: place.write('other', 'registry=https://other.example/'),
    }
    expect(findNpmSettings(variables, place.home, place.project).text).toContain(
      'registry=https://other.example/\n',
    )
  })

  it('leaves out a file of certificates that is not there', () => {
    const variables = { ...globalFile(), npm_config_cafile: '/nowhere/ca.pem' }
    expect(findNpmSettings(variables, place.home, place.project)).toMatchObject({
      readable: [],
      text: expect.not.stringContaining('cafile'),
    })
  })

  it('leaves out a file of certificates that a link of the project leads to', () => {
    symlinkSync('../home/ca;1.pem', path.join(place.project, 'ca.pem'))
    const cafile = path.join(place.folder, 'aliased.pem')
    symlinkSync('project/ca.pem', cafile)
    const variables = { ...globalFile(), npm_config_cafile: cafile }
    expect(findNpmSettings(variables, place.home, place.project).readable).toEqual([])
  })

  it('says nothing when there is nothing to say', () => {
    const variables = { npm_config_globalconfig: '/nowhere', npm_config_userconfig: '/nowhere' }
    expect(findNpmSettings(variables, place.home, place.project)).toEqual({ text: '', readable: [] })
  })
})
