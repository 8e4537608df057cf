import { expect, test } from 'vitest'
import type { WireContract } from '#contract/fsa/contracts.ts'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { ADMINISTRATOR, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import { actor, type Standing } from '#domain/access/standing.ts'
import {
  actionEntries,
  type Loaded,
  listAnswers,
  listQuestion,
  requestEntries,
  requestsIn,
  textAnswer,
} from '#web/app/palette/action-entries.ts'
import { ACTIONS } from '#web/app/palette/actions.ts'
import type { ScreenPath } from '#web/app/screens/screens.ts'
import type { Asker, ListQuestion, Opens } from '#web/lib/action.ts'
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
const ALL: ReadonlySet<ScreenPath> = new Set(ACTIONS.map(({ screen }) => screen))
const asker: Asker = { actor: actor('ada@a.example', []), standing: STANDING, today: '2026-11-16', pathname: '/home' }
const viewOnly: Asker = { ...asker, standing: { ...STANDING, contactRole: VIEWER } }

const action = (label: string) => ACTIONS.find((one) => one.label === label)!
const found = (typed: string, change: Partial<Asker & { screens: typeof ALL }> = {}) =>
  actionEntries(typed, { ...asker, screens: ALL, ...change }).map(({ label }) => label)
const addressIn = (opens: Opens | undefined) => opens && ('to' in opens ? opens.to : 'a dialog')

test.each<[typed: string, label: string]>([
  ['renew', 'Renew licenses'],
  ['extend licence', 'Renew licenses'],
  ['rehost', 'Rehost a license server'],
  ['move server', 'Rehost a license server'],
  ['move host', 'Rehost a license server'],
  ['return seats', 'Deactivate a license server'],
  ['activate', 'Activate products'],
  ['new license server', 'Activate products'],
  ['deactivate', 'Deactivate a license server'],
  ['remove contact', 'Remove a contact'],
  ['revoke access', 'Remove a contact'],
  ['buy', 'Order products'],
  ['add contact', 'Add a contact'],
  ['invite', 'Add a contact'],
  ['whitelist ip', 'Allow an IP address'],
  ['unblock', 'Allow an IP address'],
  ['username', 'Allow a username'],
  ['password', 'Change the PIN'],
  ['pin', 'Change the PIN'],
  ['reminder', 'New reminder'],
])('"%s" finds the action "%s" first', (typed, label) => {
  expect(found(typed)[0]).toBe(label)
})

test('an action is not found by the end of a word', () => {
  expect(found('activate')).toEqual(['Activate products'])
})

test.each<[typed: string, labels: string[]]>([
  ['198.18.0.7', ['Allow an IP address: 198.18.0.7']],
  ['IP address: 198.18.0.0/24', ['Allow an IP address: 198.18.0.0/24']],
  ['Ann Lee <ann@company.example>', ['Add a contact: ann@company.example']],
  ['30', []],
])('what is pasted as "%s" can be acted on at once', (typed, labels) => {
  expect(found(typed)).toEqual(labels)
  expect(found(typed, viewOnly)).toEqual([])
})

test('a text that means no action finds none, and no text finds all', () => {
  expect(found('structural')).toEqual([])
  expect(found('')).toEqual(ACTIONS.map(({ label }) => label))
})

test('an action is offered only where its screen is in the menu', () => {
  expect(found('', { screens: new Set(['whitelistips'] as const) })).toEqual(['Allow an IP address'])
})

test('view-only people see why they cannot act, once they look for it', () => {
  // They wait for seats as others do.
  expect(found('', viewOnly)).toEqual(['Wait for a seat of a license server'])
  expect(actionEntries('rehost', { ...viewOnly, screens: ALL })).toMatchObject([
    { label: 'Rehost a license server', reason: NOT_ENOUGH_PERMISSIONS, detail: NOT_ENOUGH_PERMISSIONS },
  ])
})

const host = (serverName: string, serverId: string, state: ServerHost['state'] = 'Active') =>
  ({ serverName, serverId, serverIdType: 'ETHERNET', state }) as ServerHost
const HOSTS = [
  host('lic-berlin-01', '3cecef4b7d10'),
  host('lic-paris-01', '00155d01ab02'),
  host('lic-old-01', '00155d01ab03', 'Inactive'),
]
const contract = (fsaID: string, EndDate: string, available: string, currency: string) =>
  ({
    fsaID,
    EndDate,
    available,
    'CA[ENT|ansyscurrency]': currency,
    fsaproducts: [{ ansysbpn: 'P-1', ansysproduct: 'Acoustics Response' }],
  }) as unknown as WireContract
const CONTRACTS = [
  contract('ENT-1', '2027-06-30', '1500.00', 'USD'),
  contract('ENT-2', '2026-01-31', '9.00', 'EUR'),
  contract('ENT-3', '2027-01-31', '0.00', 'CHF'),
]
const CONTACTS = [
  { email: 'ann@a.example', role: ADMINISTRATOR },
  { email: 'cor@a.example', role: SUPPORT_COORDINATOR },
]

const RENEW = 'Renew licenses'
const REHOST = 'Rehost a license server'
const ACTIVATE = 'Activate products'
const ORDER = 'Order products'
const REMOVE = 'Remove a contact'

test.each<[label: string, loaded: unknown, typed: string, answers: string[]]>([
  [REHOST, HOSTS, '', ['lic-berlin-01', 'lic-paris-01']],
  [REHOST, HOSTS, 'PARIS', ['lic-paris-01']],
  [REHOST, HOSTS, '3C:EC:EF:4B:7D:10', ['lic-berlin-01']],
  [REHOST, HOSTS, 'Host ID: 3cec.ef4b.7d10', ['lic-berlin-01']],
  [REHOST, HOSTS, 'old', []],
  [ACTIVATE, HOSTS, 'old', ['lic-old-01']],
  [ACTIVATE, HOSTS, 'new', ['New license server']],
  [RENEW, HOSTS, '', ['All license servers', 'lic-berlin-01', 'lic-paris-01']],
  [RENEW, HOSTS, 'all', ['All license servers']],
  [ORDER, CONTRACTS, '', ['ENT-1', 'ENT-3']],
  [ORDER, CONTRACTS, '2027-06', ['ENT-1']],
  [ORDER, CONTRACTS, 'usd', ['ENT-1']],
  [ORDER, CONTRACTS, 'ent-2', []],
  [REMOVE, CONTACTS, 'Ann <ann@a.example>', ['ann@a.example']],
  [REMOVE, CONTACTS, 'coordinator', ['cor@a.example']],
])('%s offers of %o for "%s" %j', (label, loaded, typed, answers) => {
  expect(listAnswers(action(label), loaded, typed, asker).map((entry) => entry.label)).toEqual(answers)
})

test('the license server whose page is open comes first', () => {
  const there = { ...asker, pathname: '/license-servers/00155d01ab02' }
  expect(listAnswers(action(REHOST), HOSTS, '', there)[0]?.label).toBe('lic-paris-01')
})

test('an order says why an empty spending account cannot be chosen', () => {
  const [full, empty] = listAnswers(action(ORDER), CONTRACTS, '', asker)
  expect(full?.reason).toBe(undefined)
  expect(empty).toMatchObject({
    detail: '0.00 CHF left, ends 2027-01-31. Nothing is left to order from.',
    reason: 'Nothing is left to order from.',
  })
})

test('only those who may change Support Coordinators can remove one', () => {
  const refusal = 'Only the account manager can change Support Coordinators.'
  const details = (who: Asker) => listAnswers(action(REMOVE), CONTACTS, '', who).map(({ reason }) => reason)
  expect(details(asker)).toEqual([undefined, refusal])
  expect(details({ ...asker, actor: actor('olivia@vendor.example', ['busops']) })).toEqual([undefined, undefined])
})

test.each<[label: string, typed: string, answer: string | undefined]>([
  ['Allow an IP address', '203.0.113.7', '203.0.113.7'],
  ['Allow an IP address', ' "203.0.113.0/24" ', '203.0.113.0/24'],
  ['Allow an IP address', '203.0.113', undefined],
  ['Allow an IP address', '', undefined],
  ['Add a contact', 'Ann Lee <ann@company.example>', 'ann@company.example'],
  ['Add a contact', 'ann', undefined],
  ['Allow a username', 'jdoe', 'jdoe'],
  ['Allow a username', 'j doe', undefined],
  ['New reminder', '30', '30'],
  ['New reminder', '0', undefined],
  ['New reminder', 'soon', undefined],
])('%s takes "%s" as %s', (label, typed, answer) => {
  const { entries, error } = textAnswer(action(label), typed)
  expect(entries.map((entry) => entry.label)).toEqual(answer === undefined ? [] : [`${label}: ${answer}`])
  expect(error === undefined).toBe(answer !== undefined || typed === '')
})

const queryOf = (label: string) => listQuestion(action(label))!.query
const loaded: Loaded = {
  lists: new Map<ListQuestion['query'], unknown>([
    [queryOf(REHOST), HOSTS],
    [queryOf(ORDER), CONTRACTS],
    [queryOf(REMOVE), CONTACTS],
  ]),
  products: ['Acoustics Response'],
}
const requested = (typed: string, change: Partial<Loaded> = {}, who = asker) =>
  requestEntries(requestsIn(typed, ALL), { ...loaded, ...change }, who)

test.each<[typed: string, labels: string[]]>([
  ['rehost lic-paris-01', ['Rehost a license server: lic-paris-01']],
  ['Move server LIC-PARIS-01', ['Rehost a license server: lic-paris-01']],
  ['rehost 00:15:5D:01:AB:02', ['Rehost a license server: lic-paris-01']],
  ['renew lic-berlin-01', ['Renew licenses: lic-berlin-01']],
  ['renew all', ['Renew licenses: All license servers']],
  ['deactivate lic-paris-01', ['Deactivate a license server: lic-paris-01']],
  ['activate lic-paris-01', ['Activate products: lic-paris-01']],
  ['activate 5 Acoustics Response', ['Activate products: 5 seats of Acoustics Response']],
  ['activate Acoustics', ['Activate products: Acoustics Response']],
  ['allow 203.0.113.9', ['Allow an IP address: 203.0.113.9']],
  ['allow ip 203.0.113.0/24', ['Allow an IP address: 203.0.113.0/24']],
  ['allow jdoe', ['Allow a username: jdoe']],
  ['add jane@example.com', ['Add a contact: jane@example.com']],
  ['invite Jane Doe <jane@example.com>', ['Add a contact: jane@example.com']],
  ['remove ann', ['Remove a contact: ann@a.example']],
  ['order ENT-1', ['Order products: ENT-1']],
  ['order 5 Acoustics Response', ['Order products: 5 seats of Acoustics Response']],
  ['remind 30', ['New reminder: 30']],
  ['new reminder 30', ['New reminder: 30']],
])('"%s" is an action with its answer', (typed, labels) => {
  expect(requested(typed).map(({ label }) => label)).toEqual(labels)
})

test.each<[typed: string, address: string]>([
  ['activate 5 Acoustics Response', '/activations?product=Acoustics+Response&seats=5'],
  ['activate Acoustics Response', '/activations?product=Acoustics+Response'],
  ['order 2 Acoustics Response', '/entitlementsFSA?tab=order&contract=ENT-1&product=P-1&count=2'],
  ['activate lic-paris-01', '/activations?id=00155d01ab02'],
  ['invite jane@example.com', '/portalaccess?add=jane%40example.com'],
  ['rehost lic-paris-01', 'a dialog'],
  ['remove ann', 'a dialog'],
  ['allow 203.0.113.9', 'a dialog'],
])('"%s" opens %s', (typed, address) => {
  expect(requested(typed).map(({ opens }) => addressIn(opens))).toEqual([address])
})

test.each<[typed: string, label: string, detail: string, question: string | undefined]>([
  ['rehost ws-999', REHOST, 'Nothing matches "ws-999". Choose from a list.', undefined],
  ['order nothing', ORDER, 'Nothing matches "nothing". Choose from a list.', undefined],
  ['remove nobody', REMOVE, 'Nothing matches "nobody". Choose from a list.', undefined],
  ['remind soon', 'New reminder', expect.stringMatching(/\w/), 'soon'],
])('"%s" asks for what is missing', (typed, label, detail, question) => {
  const entries = requested(typed, { products: [] })
  expect(entries).toMatchObject([{ label, detail }])
  expect([entries[0]?.opens, entries[0]?.typed]).toEqual([undefined, question])
})

test('nothing is offered while the license servers or products are still loading', () => {
  expect(requested('rehost lic-paris-01', { lists: new Map() })).toEqual([])
  expect(requested('activate 5 Acoustics Response', { products: undefined })).toEqual([])
})

test('view-only people see why they cannot act on what they named', () => {
  expect(requested('rehost lic-paris-01', {}, viewOnly)).toMatchObject([
    { label: REHOST, reason: NOT_ENOUGH_PERMISSIONS },
  ])
})

test.each<[typed: string, name: string | undefined]>([
  ['activate 5 Acoustics Response', 'Acoustics Response'],
  ['rehost ws-042', 'ws-042'],
  ['rehost', undefined],
  ['new license server', undefined],
  ['whitelist ip', undefined],
  ['structural mechanics', undefined],
])('"%s" searches for %s', (typed, name) => {
  expect(requestsIn(typed, ALL)[0]?.name).toBe(name)
})
