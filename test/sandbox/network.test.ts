import { describe, expect, test } from 'vitest'
import { networkEnvironment } from '../../src/sandbox/network.ts'

describe('the environment of a closed network', () => {
  test.each(['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'])(
    'leads %s to a port where nobody listens',
    (name) => {
      expect(networkEnvironment('none')[name]).toBe('http://127.0.0.1:9')
    },
  )

  test.each(['NO_PROXY', 'no_proxy'])('leaves loopback direct by %s', (name) => {
    expect(networkEnvironment('none')[name]?.split(',')).toEqual(['127.0.0.1', 'localhost', '::1'])
  })

  test('is nothing when the network is the host’s', () => {
    expect(networkEnvironment('host')).toEqual({})
  })
})
