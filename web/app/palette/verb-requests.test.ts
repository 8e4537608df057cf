import { expect, test } from 'vitest'
import type { WireContract } from '#contract/fsa/contracts.ts'
import type { Hit } from '#contract/search/search.ts'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { ADMINISTRATOR, VIEWER } from '#domain/access/roles.ts'
import { actor, type Standing } from '#domain/access/standing.ts'
import { type Objects, requestEntries, requestsIn, searchedObject } from '#web/app/palette/verb-requests.ts'
import { VERBS } from '#web/app/palette/verbs.ts'
import type { ServerHost } from '#web/modules/activations/activations.api.ts'

const STANDING: Standing = {
  customerNumber: '1',
  orgType: 'Direct',
  exportControlStatus: 'Approved',
  isAccessDisabled: false,
  contactRole: ADMINISTRATOR,
  isSalesAccess: false,
  isFNPLicenseGenerator: false,
  holdings: { ssl: true, elastic: 1, fsa: true, sharedWeb: false, namedUser: false },
}
const viewer = {
  actor: actor('ada@a.example', []),
  standing: STANDING,
  screens: new Set(VERBS.map(({ screen }) => screen)),
}
const host = (serverName: string, serverId: string) =>
  ({ serverName, serverId, serverIdType: 'ETHERNET', state: 'Active' }) as ServerHost
const hit = (id: string, type: Hit['type'] = 'SSL') => ({ kind: 'product', id, title: id, type }) as Hit
const contract = (fsaID: string, available: string) =>
  ({
    fsaID,
    EndDate: '2027-06-30',
    available,
    'CA[ENT|ansyscurrency]': 'USD',
    fsaproducts: [{ ansysbpn: 'P-1', ansysproduct: 'Acoustics Response' }],
  }) as unknown as WireContract
const objects: Objects = {
  hosts: [host('ws-042', '00155d01ab02'), host('lic-berlin-01', '3cecef4b7d10')],
  contracts: [contract('ENT-1', '1500.00'), contract('ENT-0', '0.00')],
  contacts: [{ email: 'vic@a.example', role: VIEWER }],
  hits: [hit('Acoustics Response'), hit('Acoustics Response Elastic', 'ELASTIC')],
}
const where = { today: '2026-11-16', pathname: '/home' }
const entriesOf = (typed: string, change: Partial<Objects> = {}, who = viewer) =>
  requestEntries(requestsIn(typed, viewer), { ...objects, ...change }, who, where)

test.each<[typed: string, labels: string[]]>([
  ['rehost ws-042', ['Rehost a license server: ws-042']],
  ['Move server WS-042', ['Rehost a license server: ws-042']],
  ['rehost 00:15:5D:01:AB:02', ['Rehost a license server: ws-042']],
  ['renew lic-berlin-01', ['Renew licenses: lic-berlin-01']],
  ['renew licenses on lic-berlin-01', ['Renew licenses: lic-berlin-01']],
  ['renew all', ['Renew licenses: All license servers']],
  ['deactivate ws-042', ['Deactivate a license server: ws-042']],
  ['activate ws-042', ['Activate products: ws-042']],
  ['activate 5 Acoustics Response', ['Activate products: 5 seats of Acoustics Response']],
  ['activate 5 seats of Acoustics Response', ['Activate products: 5 seats of Acoustics Response']],
  ['activate Acoustics Response, 5 seats', ['Activate products: 5 seats of Acoustics Response']],
  ['order Acoustics Response 2 seats', ['Order products: 2 seats of Acoustics Response']],
  ['activate Acoustics', ['Activate products: Acoustics Response']],
  ['allow 203.0.113.9', ['Allow an IP address: 203.0.113.9']],
  ['allow ip 203.0.113.0/24', ['Allow an IP address: 203.0.113.0/24']],
  ['allow jdoe', ['Allow a username: jdoe']],
  ['add jane@example.com', ['Add a contact: jane@example.com']],
  ['invite Jane Doe <jane@example.com>', ['Add a contact: jane@example.com']],
  ['remove vic', ['Remove a contact: vic@a.example']],
  ['order ENT-1', ['Order products: ENT-1']],
  ['order 5 Acoustics Response', ['Order products: 5 seats of Acoustics Response']],
  ['grant access to jane@example.com', ['Add a contact: jane@example.com']],
  ['give jane@example.com view access', ['Add a contact: jane@example.com']],
  ['remind 30', ['New reminder: 30']],
  ['new reminder 30', ['New reminder: 30']],
  ['remind 30 days before', ['New reminder: 30']],
])('"%s" is a verb with its object', (typed, labels) => {
  expect(entriesOf(typed).map(({ label }) => label)).toEqual(labels)
})

test.each<[typed: string, address: string, detail: string]>([
  ['activate 5 Acoustics Response', '/activations?product=Acoustics+Response&seats=5', ''],
  [
    'activate 5 Acoustics Response on ws-042',
    '/activations?id=00155d01ab02&product=Acoustics+Response&seats=5',
    'On ws-042',
  ],
  ['activate Acoustics Response', '/activations?product=Acoustics+Response', ''],
  [
    'activate Acoustics Response, 5 seats on ws-042',
    '/activations?id=00155d01ab02&product=Acoustics+Response&seats=5',
    'On ws-042',
  ],
  [
    'order 2 Acoustics Response from ENT-1',
    '/entitlementsFSA?tab=order&contract=ENT-1&product=P-1&count=2',
    'From ENT-1',
  ],
])('"%s" opens %s', (typed, address, detail) => {
  expect(entriesOf(typed)).toMatchObject([{ address, detail }])
})

test.each<[typed: string, label: string, detail: string, question: string | undefined]>([
  ['rehost ws-999', 'Rehost a license server', 'Nothing matches "ws-999". Choose from a list.', undefined],
  ['order nothing', 'Order products', 'Nothing matches "nothing". Choose from a list.', undefined],
  ['remove nobody', 'Remove a contact', 'Nothing matches "nobody". Choose from a list.', undefined],
  ['remind soon', 'New reminder', expect.stringMatching(/\w/), 'soon'],
])('"%s" asks for what is missing', (typed, label, detail, question) => {
  const entries = entriesOf(typed, { hits: [] })
  expect(entries).toMatchObject([{ label, detail }])
  expect([entries[0]?.answer, entries[0]?.address, entries[0]?.typed]).toEqual([undefined, undefined, question])
})

test('a spending account with nothing left says so and cannot be chosen', () => {
  expect(entriesOf('order ENT-0')).toMatchObject([
    { label: 'Order products: ENT-0', reason: 'Nothing is left to order from.' },
  ])
})

test('nothing is offered while the license servers or products are still loading', () => {
  expect(entriesOf('rehost ws-042', { hosts: undefined })).toEqual([])
  expect(entriesOf('activate 5 Acoustics Response', { hits: undefined })).toEqual([])
})

test('view-only people see why they cannot act', () => {
  const standing: Standing = { ...STANDING, contactRole: VIEWER }
  expect(entriesOf('rehost ws-042', {}, { ...viewer, standing })).toMatchObject([
    { label: 'Rehost a license server', reason: NOT_ENOUGH_PERMISSIONS },
  ])
})

test.each<[typed: string, searched: string | undefined]>([
  ['activate 5 Acoustics Response on ws-042', 'Acoustics Response'],
  ['rehost ws-042', 'ws-042'],
  ['rehost', undefined],
  ['new license server', undefined],
  ['whitelist ip', undefined],
  ['structural mechanics', undefined],
])('"%s" searches for %s', (typed, searched) => {
  expect(searchedObject(requestsIn(typed, viewer))).toBe(searched)
})
