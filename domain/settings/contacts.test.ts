import { describe, expect, test } from 'vitest'
import { ADMINISTRATOR, type ContactRole, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import { actor, type Standing } from '#domain/access/standing.ts'
import {
  type Contact,
  type ContactDraft,
  contactChanges,
  contactErrors,
  EMAIL_TWICE,
  isLocked,
  LAST_ADMINISTRATOR,
  NOT_BY_TOKEN,
  ONLY_BUSINESS_OPERATIONS,
  offeredRoles,
  ROLE_REQUIRED,
  readContacts,
  refusalOfChange,
  sameContacts,
} from '#domain/settings/contacts.ts'
import { EMAIL_FORMAT, EMAIL_REQUIRED, FREE_DOMAIN } from '#domain/settings/email-address.ts'

const freeDomains = new Set(['gmail.com'])
const ada = { email: 'ada@aerodyne.example', role: ADMINISTRATOR } as const
const bob = { email: 'bob@aerodyne.example', role: VIEWER } as const
const cora = { email: 'cora@aerodyne.example', role: SUPPORT_COORDINATOR } as const

test.each<[string, ContactDraft[], object[]]>([
  ['a good list', [ada, bob], [{}, {}]],
  ['nothing filled in', [{ email: '', role: '' }], [{ email: EMAIL_REQUIRED, role: ROLE_REQUIRED }]],
  ['half an address', [{ ...ada, email: 'ada@' }], [{ email: EMAIL_FORMAT }]],
  ['a free domain', [{ ...ada, email: 'ada@gmail.com' }], [{ email: FREE_DOMAIN }]],
  ['a role that is none', [{ ...ada, role: 'root' }], [{ role: ROLE_REQUIRED }]],
  ['somebody twice', [ada, { ...ada, email: 'ADA@aerodyne.example' }], [{}, { email: EMAIL_TWICE }]],
])('the contacts form reports the errors of %s', (_, contacts, errors) => {
  expect(contactErrors(contacts, freeDomains)).toEqual(errors)
})

test('a list is stored in lower case and sorted; an invalid one answers its first error', () => {
  expect(readContacts([bob, { ...ada, email: ' Ada@Aerodyne.example' }], freeDomains)).toEqual({ contacts: [ada, bob] })
  expect(readContacts([ada, { email: 'x', role: '' }], freeDomains)).toEqual({ error: EMAIL_FORMAT })
})

test.each([
  [[ada, bob], [bob, ada], true],
  [[ada], [{ ...ada, email: 'ADA@aerodyne.example' }], true],
  [[ada], [ada, bob], false],
  [[ada], [{ ...ada, role: VIEWER }], false],
  [[], [], true],
])('%j and %j are the same: %s', (one, other, same) => expect(sameContacts(one, other)).toBe(same))

test('lists added, removed and changed contacts separately', () => {
  const promoted = { ...bob, role: ADMINISTRATOR } as const
  expect(contactChanges([ada, bob], [promoted, cora])).toEqual({
    added: [cora],
    removed: [ada],
    changed: [{ before: bob, after: promoted }],
  })
})

describe('coordinators', () => {
  test('are locked and not offered, except to business operations', () => {
    expect([isLocked(cora, false), isLocked(cora, true), isLocked(ada, false)]).toEqual([true, false, false])
    expect(offeredRoles(false)).toEqual([ADMINISTRATOR, VIEWER])
    expect(offeredRoles(true)).toEqual([ADMINISTRATOR, VIEWER, SUPPORT_COORDINATOR])
  })
})

describe('the refusal of a change', () => {
  const standing: Standing = {
    customerNumber: '1',
    contactRole: null,
    isSalesAccess: false,
    isFNPLicenseGenerator: false,
    isAccessDisabled: false,
    exportControlStatus: '',
    orgType: 'Direct',
    holdings: { elastic: 0, ssl: true, fsa: false, sharedWeb: false, namedUser: false },
  }
  const nobody = actor('x@aerodyne.example', [])
  const WHO = {
    busops: [actor('olivia@vendor.example', ['busops']), standing],
    administrator: [nobody, { ...standing, contactRole: ADMINISTRATOR }],
    coordinator: [nobody, { ...standing, contactRole: SUPPORT_COORDINATOR }],
    token: [
      { ...nobody, onlyOn: '1', byToken: true },
      { ...standing, contactRole: ADMINISTRATOR },
    ],
  } as const

  const is = (name: string, role: ContactRole): Contact => ({ email: `${name}@aerodyne.example`, role })
  const ada = is('ada', ADMINISTRATOR)
  const cora = is('cora', SUPPORT_COORDINATOR)
  const vic = is('vic', VIEWER)

  test.each<[keyof typeof WHO, string, Contact[], Contact[], string | undefined]>([
    ['administrator', 'grants Viewer', [ada], [ada, vic], undefined],
    ['administrator', 'grants Administrator', [ada], [ada, is('bob', ADMINISTRATOR)], undefined],
    ['administrator', 'promotes a Viewer', [ada, vic], [ada, is('vic', ADMINISTRATOR)], undefined],
    ['administrator', 'grants Coordinator', [ada], [ada, cora], ONLY_BUSINESS_OPERATIONS],
    ['administrator', 'removes a Coordinator', [ada, cora], [ada], ONLY_BUSINESS_OPERATIONS],
    ['administrator', 'demotes a Coordinator', [ada, cora], [ada, is('cora', VIEWER)], ONLY_BUSINESS_OPERATIONS],
    [
      'administrator',
      'turns a Viewer into a Coordinator',
      [ada, vic],
      [ada, is('vic', SUPPORT_COORDINATOR)],
      ONLY_BUSINESS_OPERATIONS,
    ],
    ['coordinator', 'grants Coordinator', [cora], [cora, is('carl', SUPPORT_COORDINATOR)], ONLY_BUSINESS_OPERATIONS],
    ['coordinator', 'grants Administrator', [cora], [cora, ada], undefined],
    ['administrator', 'removes the last Administrator', [ada, vic], [vic], LAST_ADMINISTRATOR],
    ['administrator', 'demotes the last Administrator', [ada], [is('ada', VIEWER)], LAST_ADMINISTRATOR],
    ['administrator', 'removes everybody', [ada], [], LAST_ADMINISTRATOR],
    ['administrator', 'leaves a Coordinator in charge', [ada, cora], [cora], undefined],
    ['administrator', 'replaces the last Administrator', [ada], [is('bob', ADMINISTRATOR)], undefined],
    ['administrator', 'changes a list that nobody is in charge of', [vic], [], undefined],
    ['token', 'grants and removes Viewers', [ada, is('bob', VIEWER)], [ada, vic], undefined],
    ['token', 'grants Administrator', [ada], [ada, is('bob', ADMINISTRATOR)], NOT_BY_TOKEN],
    ['token', 'promotes a Viewer', [ada, vic], [ada, is('vic', ADMINISTRATOR)], NOT_BY_TOKEN],
    ['token', 'demotes an Administrator', [ada, cora], [is('ada', VIEWER), cora], NOT_BY_TOKEN],
    ['token', 'removes an Administrator', [ada, cora], [cora], NOT_BY_TOKEN],
    ['token', 'removes a Coordinator', [ada, cora], [ada], NOT_BY_TOKEN],
    ['busops', 'grants Coordinator', [ada], [ada, cora], undefined],
    ['busops', 'removes a Coordinator', [ada, cora], [ada], undefined],
    ['busops', 'removes everybody', [ada, cora], [], undefined],
  ])('a change is answered %s for someone who %s', (who, _, before, after, reason) => {
    const [person, on] = WHO[who]
    expect(refusalOfChange(person, on, before, after)?.reason).toBe(reason)
  })
})
