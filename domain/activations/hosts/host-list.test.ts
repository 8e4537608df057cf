import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOST_STATES, type Host, type HostState } from '#domain/activations/hosts/host.ts'
import {
  canDeleteHost,
  compareHosts,
  hostState,
  hostsAfterCancel,
  lastUsedHost,
  linkedHost,
  namedHost,
  sortedHosts,
} from '#domain/activations/hosts/host-list.ts'

const host = (state: HostState, serverName: string, serverId = '3cecef4b7d10', serverIdType = 'ETHERNET'): Host => ({
  state,
  serverName,
  serverId,
  serverIdType,
})

const ORDERED = [
  host('Active', 'LIC-a'),
  host('Active', 'lic-b', '3cecef4b7d10'),
  host('Active', 'lic-b', '3cecef4b7d11'),
  host('Active', 'lic-c', '1a2b3c4d', 'DISK_SERIAL_NUM'),
  host('Active', 'lic-c', '1a2b3c4d', 'FLEXID'),
  host('Inactive', 'aaa'),
  host('Unknown', 'aaa'),
]

test('active hosts come first, then inactive ones, then the unknown, each by name, id and type', () => {
  expect(sortedHosts([...ORDERED].reverse())).toEqual(ORDERED)
})

test('the order is the same whatever order the hosts arrive in', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(ORDERED, { minLength: ORDERED.length }), (shuffled) => {
      expect(sortedHosts(shuffled)).toEqual(ORDERED)
    }),
  )
  for (const state of HOST_STATES) expect(compareHosts(host(state, 'x'), host(state, 'x'))).toBe(0)
})

test.each([
  [{ now: 3, everActivated: true }, 'Active'],
  [{ now: 0, everActivated: true }, 'Inactive'],
  [{ now: 0, everActivated: false }, 'Unknown'],
] as const)('with seats %j a host is %s', (seats, state) => {
  expect(hostState(seats)).toBe(state)
})

test('a link opens the host that it names and no other, and without a name the first', () => {
  const hosts = ORDERED.map((one) => ({ ...one, generatedAt: null }))
  const link = { wanted: undefined, hasToActivate: false }
  expect(linkedHost(hosts, link)).toEqual(hosts[0])
  expect(linkedHost([...hosts].reverse(), { ...link, wanted: '3CECEF4B7D11' })).toEqual(hosts[2])
  expect(linkedHost(hosts, { ...link, wanted: 'ffffffffffff' })).toBe(undefined)
  expect(linkedHost(hosts, { wanted: 'ffffffffffff', hasToActivate: true })).toBe(undefined)
  expect(linkedHost([], link)).toBe(undefined)
})

const TRIAD = host('Active', 'a,b,c', '02a1b2c3d4e1,02a1b2c3d4e2,02a1b2c3d4e3', 'ETHERNET,ETHERNET,ETHERNET')
const SINGLE = host('Inactive', 'b', '02a1b2c3d4e2')
const DISK = host('Active', 'd', '5e0c71aa', 'DISK_SERIAL_NUM')

test.each([
  ['the ids of a triad in another order', '02a1b2c3d4e3,02a1b2c3d4e1,02a1b2c3d4e2', TRIAD],
  ['one id of a triad', '02a1b2c3d4e3', TRIAD],
  ['an id that is a license server of its own as well', '02A1B2C3D4E2', SINGLE],
  ['an id with separators', '02:a1:b2:c3:d4:e1', TRIAD],
  ['an id with its type', 'DISK_SERIAL_NUM=5E0C-71AA', DISK],
  ['two ids of a triad', '02a1b2c3d4e1,02a1b2c3d4e2', undefined],
  ['an unknown id', '02ffffffffff', undefined],
  ['nothing', '', undefined],
])('a link finds by %s', (_, serverId, expected) => {
  expect(namedHost([DISK, TRIAD, SINGLE], serverId)).toEqual(expected)
})

test.each([
  ['none of no hosts', [], undefined],
  ['the only one', [['Unknown', 'a', null]], 'a'],
  [
    'the only active one',
    [
      ['Inactive', 'a', '2026-11-02'],
      ['Active', 'b', null],
    ],
    'b',
  ],
  [
    'the one with the latest license file',
    [
      ['Active', 'a', '2026-11-01'],
      ['Active', 'b', '2026-11-02'],
    ],
    'b',
  ],
  [
    'one with a file before one without',
    [
      ['Active', 'a', null],
      ['Active', 'b', '2026-11-02'],
    ],
    'b',
  ],
  [
    'none without files',
    [
      ['Active', 'a', null],
      ['Active', 'b', null],
    ],
    undefined,
  ],
  [
    'none if two files are equally old',
    [
      ['Active', 'a', '2026-11-01'],
      ['Active', 'b', '2026-11-01'],
    ],
    undefined,
  ],
] as const)('products from a link are for %s', (_, hosts, expected) => {
  const found = lastUsedHost(hosts.map(([state, name, generatedAt]) => ({ ...host(state, name), generatedAt })))
  expect(found?.serverName).toBe(expected)
})

test('Cancel drops a new host and goes back to the one before it', () => {
  const draft = host('Unknown', 'new')
  const hosts = [...ORDERED, draft]
  expect(hostsAfterCancel(hosts, draft, ORDERED[2])).toEqual({ hosts: ORDERED, selected: ORDERED[2] })
  expect(hostsAfterCancel(hosts, draft, undefined).selected).toEqual(ORDERED[0])
  expect(hostsAfterCancel(ORDERED, undefined, ORDERED[1])).toEqual({ hosts: ORDERED, selected: ORDERED[1] })
  expect(hostsAfterCancel([draft], draft, undefined)).toEqual({ hosts: [], selected: undefined })
})

test('only an inactive host can be deleted', () => {
  expect(HOST_STATES.filter((state) => canDeleteHost({ state }))).toEqual(['Inactive'])
})
