import { expect, test } from 'vitest'
import { ADMINISTRATOR } from '#domain/access/roles.ts'
import { actor, type Standing } from '#domain/access/standing.ts'
import { type HomeParts, homeParts } from '#domain/home/home-parts.ts'

const everything: Standing = {
  customerNumber: '1',
  contactRole: ADMINISTRATOR,
  isSalesAccess: false,
  isFNPLicenseGenerator: false,
  isAccessDisabled: false,
  exportControlStatus: '',
  orgType: 'Direct',
  holdings: { elastic: 2, ssl: true, fsa: true, sharedWeb: true, namedUser: false },
}
const nothing = { elastic: 0, ssl: false, fsa: false, sharedWeb: false, namedUser: false }
const contact = actor('ada@customer.example', [])
const admin = actor('adam@vendor.example', ['admin'])
const support = actor('sam@vendor.example', ['support'])

const ALL: HomeParts = {
  leases: true,
  elastic: true,
  contracts: true,
  hosts: true,
  webLicenses: true,
  emails: true,
}
const NONE: HomeParts = {
  leases: false,
  elastic: false,
  contracts: false,
  hosts: false,
  webLicenses: false,
  emails: false,
}

test.each<[situation: string, who: typeof contact, on: Standing, parts: HomeParts]>([
  ['an administrator', contact, everything, ALL],
  ['an account without licenses', contact, { ...everything, holdings: nothing }, { ...NONE, emails: true }],
  [
    'an account with elastic only',
    contact,
    { ...everything, holdings: { ...nothing, elastic: 1 } },
    { ...NONE, elastic: true, emails: true },
  ],
  [
    'a contact whose account has access disabled',
    contact,
    { ...everything, isAccessDisabled: true },
    { ...NONE, elastic: true, webLicenses: true },
  ],
  [
    'the staff role admin with access disabled',
    admin,
    { ...everything, isAccessDisabled: true },
    { ...NONE, elastic: true, webLicenses: true, emails: true },
  ],
  ['support with access disabled', support, { ...everything, isAccessDisabled: true }, ALL],
  ['an indirect customer', contact, { ...everything, orgType: 'Indirect' }, { ...ALL, emails: false }],
  ['staff on an account with an export denial', support, { ...everything, exportControlStatus: 'Pending' }, NONE],
  ['somebody who does not see the account', contact, { ...everything, contactRole: null }, NONE],
])('Home shows %s the right parts', (_, who, on, parts) => {
  expect(homeParts(who, on)).toEqual(parts)
})
