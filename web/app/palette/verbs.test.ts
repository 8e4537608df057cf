import { expect, test } from 'vitest'
import type { WireContract } from '#contract/fsa/contracts.ts'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { ADMINISTRATOR, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import { actor, type Standing } from '#domain/access/standing.ts'
import {
  contactAnswers,
  contractAnswers,
  hostAnswers,
  textAnswer,
  VERBS,
  type VerbName,
  verbEntries,
} from '#web/app/palette/verbs.ts'
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
const found = (typed: string, change: Partial<typeof viewer> = {}) =>
  verbEntries(typed, { ...viewer, ...change }).map(({ verb }) => verb.name)
const verbNamed = (name: VerbName) => VERBS.find((verb) => verb.name === name)!

test.each<[typed: string, verb: VerbName]>([
  ['renew', 'renew'],
  ['extend licence', 'renew'],
  ['rehost', 'rehost'],
  ['move server', 'rehost'],
  ['move host', 'rehost'],
  ['return seats', 'deactivate'],
  ['activate', 'activate'],
  ['new license server', 'activate'],
  ['deactivate', 'deactivate'],
  ['remove contact', 'remove contact'],
  ['revoke access', 'remove contact'],
  ['buy', 'order'],
  ['add contact', 'add contact'],
  ['invite', 'add contact'],
  ['whitelist ip', 'allow address'],
  ['unblock', 'allow address'],
  ['username', 'add username'],
  ['password', 'change PIN'],
  ['pin', 'change PIN'],
  ['reminder', 'new reminder'],
])('"%s" finds the verb %s first', (typed, verb) => {
  expect(found(typed)[0]).toBe(verb)
})

test('a verb is not found by the end of a word', () => {
  expect(found('activate')).toEqual(['activate'])
})

test.each<[typed: string, labels: string[]]>([
  ['198.18.0.7', ['Allow an IP address: 198.18.0.7']],
  ['IP address: 198.18.0.0/24', ['Allow an IP address: 198.18.0.0/24']],
  ['Ann Lee <ann@company.example>', ['Add a contact: ann@company.example']],
  ['30', []],
])('what is pasted as "%s" can be acted on at once', (typed, labels) => {
  expect(verbEntries(typed, viewer).map(({ label }) => label)).toEqual(labels)
  const standing: Standing = { ...STANDING, contactRole: VIEWER }
  expect(verbEntries(typed, { ...viewer, standing })).toEqual([])
})

test('a text that means none finds none, and no text finds all', () => {
  expect(found('structural')).toEqual([])
  expect(found('')).toEqual(VERBS.map(({ name }) => name))
})

test('a verb is offered only where its screen is in the menu', () => {
  expect(found('', { screens: new Set(['whitelistips'] as const) })).toEqual(['allow address'])
})

test('view-only people see why they cannot act, once they look for it', () => {
  const standing: Standing = { ...STANDING, contactRole: VIEWER }
  expect(found('', { standing })).toEqual([])
  expect(verbEntries('rehost', { ...viewer, standing })).toMatchObject([
    { verb: { name: 'rehost' }, reason: NOT_ENOUGH_PERMISSIONS, detail: NOT_ENOUGH_PERMISSIONS },
  ])
})

const host = (serverName: string, serverId: string, state: ServerHost['state'] = 'Active') =>
  ({ serverName, serverId, serverIdType: 'ETHERNET', state }) as ServerHost
const HOSTS = [
  host('lic-berlin-01', '3cecef4b7d10'),
  host('lic-paris-01', '00155d01ab02'),
  host('lic-old-01', '00155d01ab03', 'Inactive'),
]

test.each<[verb: VerbName, typed: string, labels: string[]]>([
  ['rehost', '', ['lic-berlin-01', 'lic-paris-01']],
  ['rehost', 'PARIS', ['lic-paris-01']],
  ['rehost', '3C:EC:EF:4B:7D:10', ['lic-berlin-01']],
  ['rehost', 'Host ID: 3cec.ef4b.7d10', ['lic-berlin-01']],
  ['rehost', 'old', []],
  ['activate', 'old', ['lic-old-01']],
  ['activate', 'new', ['New license server']],
  ['renew', '', ['All license servers', 'lic-berlin-01', 'lic-paris-01']],
  ['renew', 'all', ['All license servers']],
  ['allow address', '', []],
])('%s offers for "%s" the license servers %j', (verb, typed, labels) => {
  expect(hostAnswers(verbNamed(verb), HOSTS, typed, '/home').map(({ label }) => label)).toEqual(labels)
})

const CONTRACTS = [
  { fsaID: 'ENT-1', EndDate: '2027-06-30', available: '1500.00', 'CA[ENT|ansyscurrency]': 'USD' },
  { fsaID: 'ENT-2', EndDate: '2026-01-31', available: '9.00', 'CA[ENT|ansyscurrency]': 'EUR' },
  { fsaID: 'ENT-3', EndDate: '2027-01-31', available: '0.00', 'CA[ENT|ansyscurrency]': 'CHF' },
] as WireContract[]

test.each<[typed: string, labels: string[]]>([
  ['', ['ENT-1', 'ENT-3']],
  ['2027-06', ['ENT-1']],
  ['usd', ['ENT-1']],
  ['ent-2', []],
])('an order offers for "%s" the contracts %j', (typed, labels) => {
  const answers = contractAnswers(verbNamed('order'), CONTRACTS, typed, '2026-11-16')
  expect(answers.map(({ label }) => label)).toEqual(labels)
})

test('an order says why an empty contract cannot be chosen', () => {
  const [full, empty] = contractAnswers(verbNamed('order'), CONTRACTS, '', '2026-11-16')
  expect(full?.reason).toBe(undefined)
  expect(empty).toMatchObject({
    detail: '0.00 CHF left, ends 2027-01-31. Nothing is left to order from.',
    reason: 'Nothing is left to order from.',
  })
})

test.each<[typed: string, mayGrant: boolean, details: string[]]>([
  ['', true, [ADMINISTRATOR, SUPPORT_COORDINATOR]],
  ['', false, [ADMINISTRATOR, 'Only the account manager can change Support Coordinators.']],
  ['Ann <ann@a.example>', false, [ADMINISTRATOR]],
  ['coordinator', true, [SUPPORT_COORDINATOR]],
])('removing offers for "%s" the contacts that can be removed', (typed, mayGrant, details) => {
  const contacts = [
    { email: 'ann@a.example', role: ADMINISTRATOR },
    { email: 'cor@a.example', role: SUPPORT_COORDINATOR },
  ]
  const answers = contactAnswers(verbNamed('remove contact'), contacts, typed, mayGrant)
  expect(answers.map(({ detail }) => detail)).toEqual(details)
  expect(answers.map(({ reason }) => reason !== undefined)).toEqual(details.map((text) => text.startsWith('Only')))
})

test('the license server whose page is open comes first', () => {
  const [first] = hostAnswers(verbNamed('rehost'), HOSTS, '', '/license-servers/00155d01ab02')
  expect(first?.label).toBe('lic-paris-01')
})

test.each<[verb: VerbName, typed: string, answer: string | undefined]>([
  ['allow address', '203.0.113.7', '203.0.113.7'],
  ['allow address', ' "203.0.113.0/24" ', '203.0.113.0/24'],
  ['allow address', '203.0.113', undefined],
  ['allow address', '', undefined],
  ['add contact', 'Ann Lee <ann@company.example>', 'ann@company.example'],
  ['add contact', 'ann', undefined],
  ['add username', 'jdoe', 'jdoe'],
  ['add username', 'j doe', undefined],
  ['new reminder', '30', '30'],
  ['new reminder', '0', undefined],
  ['new reminder', 'soon', undefined],
])('%s takes "%s" as %s', (verb, typed, answer) => {
  const { entries, error } = textAnswer(verbNamed(verb), typed)
  expect(entries[0]?.answer).toBe(answer)
  expect(error === undefined).toBe(answer !== undefined || typed === '')
})
