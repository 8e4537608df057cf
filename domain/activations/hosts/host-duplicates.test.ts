import { describe, expect, test } from 'vitest'
import type { Host, HostState } from '#domain/activations/hosts/host.ts'
import { chooseAddedHost, chooseRehostTarget, isSameHost } from '#domain/activations/hosts/host-duplicates.ts'

const known = (state: HostState): Host => ({
  serverName: 'lic-01',
  serverId: '3cecef4b7d10',
  serverIdType: 'ETHERNET',
  state,
})
const typed = (serverName: string, serverId = '3C:EC:EF:4B:7D:10') => ({ serverName, serverId, serverIdType: '2' })

const IN_USE = 'Host identifier lic-01 (3cecef4b7d10) is already in use.'
const ADVICE = 'If you want to rehost, please use the "Manage Activations" menu.'

describe('an added host', () => {
  test.each([
    ['Active', 'lic-01', IN_USE],
    ['Active', 'LIC-01', IN_USE],
    ['Active', 'lic-02', `${IN_USE} ${ADVICE}`],
    ['Unknown', 'lic-01', IN_USE],
    ['Unknown', 'lic-02', `${IN_USE} ${ADVICE}`],
  ] as const)('a duplicate of an %s host is refused as %s', (state, name, message) => {
    expect(chooseAddedHost(typed(name), [known(state)])).toEqual({ kind: 'refused', message })
  })

  test.each(['lic-01', 'lic-02'])('an inactive host is reused with its record, also as %s', (name) => {
    expect(chooseAddedHost(typed(name), [known('Inactive')])).toEqual({ kind: 'known', host: known('Inactive') })
  })

  test('a host with another id is new, whatever its name', () => {
    expect(chooseAddedHost(typed('lic-01', '3CECEF4B7D11'), [known('Active')])).toEqual({
      kind: 'new',
      host: { serverName: 'lic-01', serverId: '3cecef4b7d11', serverIdType: 'ETHERNET' },
    })
  })
})

describe('the target of a rehost', () => {
  test.each([
    ['Active', 'lic-01', { kind: 'refused', message: 'Host lic-01 (3cecef4b7d10) is active.' }],
    ['Active', 'lic-02', { kind: 'refused', message: IN_USE }],
    ['Unknown', 'lic-01', { kind: 'known', host: known('Unknown') }],
    ['Unknown', 'lic-02', { kind: 'refused', message: IN_USE }],
    ['Inactive', 'lic-01', { kind: 'known', host: known('Inactive') }],
    ['Inactive', 'lic-02', { kind: 'known', host: known('Inactive') }],
  ] as const)('an %s host is chosen or refused as target under the name %s', (state, name, choice) => {
    expect(chooseRehostTarget(typed(name), [known(state)])).toEqual(choice)
  })

  test('a new host is accepted as target', () => {
    expect(chooseRehostTarget(typed('lic-02', '3cecef4b7d11'), [known('Active')]).kind).toBe('new')
  })
})

describe('the same host', () => {
  const triad = { serverName: 'a,b,c', serverId: '1a2b3c4d,1a2b3c4e,1a2b3c4f', serverIdType: '1,1,1' }

  test('has the same triad in another order', () => {
    const reordered = { serverName: 'C,A,B', serverId: '1A2B3C4F,1a2b3c4d,1a2b3c4e', serverIdType: 'D,D,D' }
    expect(isSameHost(triad, reordered)).toBe(true)
    expect(chooseAddedHost(reordered, [{ ...triad, state: 'Active' }])).toEqual({
      kind: 'refused',
      message: 'Host identifier a,b,c (1a2b3c4d,1a2b3c4e,1a2b3c4f) is already in use.',
    })
  })

  test('is not one server of a triad, nor the same id of another type', () => {
    expect(isSameHost(triad, { serverName: 'a', serverId: '1a2b3c4d', serverIdType: '1' })).toBe(false)
    expect(isSameHost({ ...known('Active'), serverIdType: 'FLEXID' }, known('Active'))).toBe(false)
  })
})
