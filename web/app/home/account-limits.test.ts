import { expect, test } from 'vitest'
import { ADMINISTRATOR } from '#domain/access/roles.ts'
import { actor, type Standing } from '#domain/access/standing.ts'
import { accountLimits } from '#web/app/home/account-limits.ts'

const standing: Standing = {
  customerNumber: '100001',
  contactRole: ADMINISTRATOR,
  isSalesAccess: false,
  isFNPLicenseGenerator: false,
  isAccessDisabled: false,
  exportControlStatus: '',
  orgType: 'Direct',
  holdings: { elastic: 1, ssl: true, fsa: false, sharedWeb: false, namedUser: false },
}
const nothing = { elastic: 0, ssl: false, fsa: false, sharedWeb: false, namedUser: false }
const DISABLED = 'Access to this account is disabled. Please contact support to enable it.'
const NO_EMAILS = 'Emails are available for direct and channel customers only.'

test.each<[account: string, change: Partial<Standing>, roles: string[], limits: string[]]>([
  ['a direct customer with elastic licenses', {}, [], []],
  ['an account without access', { isAccessDisabled: true }, [], [DISABLED]],
  ['an account without access, to staff', { isAccessDisabled: true, contactRole: null }, ['support'], []],
  ['an indirect customer', { orgType: 'Indirect' }, [], [NO_EMAILS]],
  [
    'an account with leases only',
    { holdings: { ...nothing, ssl: true } },
    [],
    ['This account has no elastic licenses.'],
  ],
  ['an account without licenses', { holdings: nothing }, [], []],
])('Home says why screens are missing on %s', (_account, change, roles, limits) => {
  const who = actor('any@vendor.example', ['user', ...roles])
  expect(accountLimits(who, { ...standing, ...change })).toEqual(limits)
})
