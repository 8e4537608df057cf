import { describe, expect, test } from 'vitest'
import { ADMINISTRATOR, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import {
  type ContactDraft,
  contactChanges,
  contactErrors,
  EMAIL_TWICE,
  isLocked,
  offeredRoles,
  ROLE_REQUIRED,
  readContacts,
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
])('errors of %s', (_, contacts, errors) => {
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
