import { describe, expect, test } from 'vitest'
import {
  type AccountAction,
  areActivationsAllowed,
  can,
  canOnPortal,
  EXPORT_DENIED,
  isExportApproved,
  isSelfServeAllowed,
  isSslPermitted,
  isViewOnly,
} from '#domain/access/can.ts'
import { ADMINISTRATOR, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import { actor, type Standing } from '#domain/access/standing.ts'

const nobody = actor('ned@nowhere.example', [])
const busops = actor('olivia@vendor.example', ['busops'])
const support = actor('sam@vendor.example', ['support'])
const sales = actor('sara@vendor.example', ['sales'])
const admin = actor('adam@vendor.example', ['admin'])

const account: Standing = {
  customerNumber: '1',
  contactRole: null,
  isSalesAccess: false,
  isFNPLicenseGenerator: false,
  isAccessDisabled: false,
  exportControlStatus: '',
  orgType: 'Direct',
  holdings: { elastic: 1, ssl: true, fsa: true, sharedWeb: false, namedUser: false },
}
const administrator = { ...account, contactRole: ADMINISTRATOR } as const
const coordinator = { ...account, contactRole: SUPPORT_COORDINATOR } as const
const viewer = { ...account, contactRole: VIEWER } as const
const generator = { ...account, isFNPLicenseGenerator: true }
const salesAccess = { ...account, isSalesAccess: true }
const disabled = (on: Standing): Standing => ({ ...on, isAccessDisabled: true })

describe('view-only access', () => {
  test.each([
    ['busops', busops, account, false],
    ['support', support, account, true],
    ['sales', sales, account, true],
    ['admin', admin, account, true],
    ['administrator', nobody, administrator, false],
    ['coordinator', nobody, coordinator, false],
    ['viewer', nobody, viewer, true],
    ['generator', nobody, generator, false],
    ['sales access', nobody, salesAccess, true],
    ['nobody', nobody, account, true],
    ['nobody without an account', nobody, undefined, true],
    ['busops without an account', busops, undefined, false],
  ])('view-only of %s is $3', (_, who, on, viewOnly) => expect(isViewOnly(who, on)).toBe(viewOnly))
})

describe('what an account permits', () => {
  test.each([
    ['administrator', nobody, administrator, true, true, true],
    ['administrator, access disabled', nobody, disabled(administrator), false, false, false],
    ['generator, access disabled', nobody, disabled(generator), true, true, true],
    ['sales access, access disabled', nobody, disabled(salesAccess), false, true, true],
    ['busops, access disabled', busops, disabled(account), false, true, true],
    ['support, access disabled', support, disabled(account), false, true, true],
    ['sales, access disabled', sales, disabled(account), false, true, true],
    ['admin, access disabled', admin, disabled(account), false, false, false],
    ['no account info', nobody, undefined, false, false, false],
    [
      'no SSL on the account',
      nobody,
      { ...administrator, holdings: { ...account.holdings, ssl: false } },
      true,
      true,
      false,
    ],
  ])('%s has SSL $3, self-serve $4, activations $5', (_, who, on, ssl, selfServe, activations) => {
    expect([isSslPermitted(on), isSelfServeAllowed(who, on), areActivationsAllowed(who, on)]).toEqual([
      ssl,
      selfServe,
      activations,
    ])
  })
})

test.each([
  ['', true],
  ['Approved', true],
  [' approved ', true],
  ['APPROVED', true],
  [null, true],
  ['Pending', false],
  ['Not approved', false],
  ['denied', false],
])('export status %j is acceptable: %s', (status, acceptable) => expect(isExportApproved(status)).toBe(acceptable))

/** Callers by a letter: o(livia) s(am) S(ara) A(dam), administrator, coordinator, viewer, generator, sales access. */
const WHO = [
  ['o', busops, account],
  ['s', support, account],
  ['S', sales, account],
  ['A', admin, account],
  ['a', nobody, administrator],
  ['c', nobody, coordinator],
  ['v', nobody, viewer],
  ['g', nobody, generator],
  ['x', nobody, salesAccess],
] as const
const EVERYONE = 'osSAacvgx'
const WRITERS = 'oacg'

/** Who may do each action on an ordinary account, and where access is disabled. */
const ALLOWED: Record<AccountAction, readonly [ordinary: string, whenDisabled: string]> = {
  'account.info': [EVERYONE, EVERYONE],
  'account.read': [EVERYONE, EVERYONE],
  'contacts.read': [EVERYONE, 'osSAg'],
  'contacts.write': ['oac', 'o'],
  'contacts.grant-coordinator': ['o', 'o'],
  'contacts.switches': ['o', 'o'],
  'contacts.view-as': ['osSA', 'osSA'],
  'emails.read': [EVERYONE, 'osSAg'],
  'emails.delete': [WRITERS, 'og'],
  'emails.resend': ['o', 'o'],
  'elastic.read': [EVERYONE, EVERYONE],
  'elastic.mail-statement': [EVERYONE, EVERYONE],
  'elastic.schedule-statements': [WRITERS, 'og'],
  'elastic.unlock-pin': ['osSA', 'osSA'],
  'credentials.read': ['osSAacvg', 'osSAg'],
  'credentials.write': [WRITERS, 'og'],
  'ip-rules.read': [EVERYONE, 'osSAg'],
  'ip-rules.write': [WRITERS, 'og'],
  'limits.read': [EVERYONE, 'osSAg'],
  'limits.write': [WRITERS, 'og'],
  'audit.read': ['osSAac', 'osSA'],
  'reminders.read': [EVERYONE, 'osSAg'],
  'reminders.write': [WRITERS, 'og'],
  // Only identity providers, who are no people.
  'provisioning.sync': ['', ''],
  'tokens.read': ['oac', 'o'],
  'tokens.create': ['ac', ''],
  'tokens.write': ['oac', 'o'],
  'requests.read': [EVERYONE, 'osSAg'],
  'requests.ask': [EVERYONE, 'osSAg'],
  'requests.decide': [WRITERS, 'og'],
  'requests.rules': ['oac', 'o'],
  'sign-in-provider.manage': ['oac', 'o'],
  'webhooks.manage': ['oac', 'o'],
  'access-review.manage': ['oac', 'o'],
  'provisioning.manage': ['oac', 'o'],
  'planner.write': [WRITERS, 'og'],
  'ssl.read': [EVERYONE, 'osSgx'],
  'activations.read': [EVERYONE, 'osSgx'],
  'activations.write': [WRITERS, 'og'],
  'activations.override-maintenance': ['o', 'o'],
  'activations.force-return': ['o', 'o'],
  'license-use.wait': ['acvgx', 'gx'],
  'fsa.read': [EVERYONE, 'osSgx'],
  'fsa.order': [WRITERS, 'og'],
  'fsa.manual-lines': ['o', 'o'],
  'web-licenses.read': [EVERYONE, EVERYONE],
  'web-licenses.write': [WRITERS, 'og'],
}
const ACTIONS = Object.keys(ALLOWED) as readonly AccountAction[]

test.each(ACTIONS.map((action) => [action, ...ALLOWED[action]] as const))(
  '%s is for %s on an ordinary account, and for %s where access is disabled',
  (action, ordinary, whenDisabled) => {
    const allowed = (change: (on: Standing) => Standing) =>
      WHO.filter(([, who, on]) => can(who, action, change(on)).allowed)
        .map(([letter]) => letter)
        .join('')
    expect(allowed((on) => on)).toBe(ordinary)
    expect(allowed(disabled)).toBe(whenDisabled)
  },
)

test('a caller who is bound to one account sees no other, whatever the rights there are', () => {
  const bound = { ...nobody, onlyOn: 'another' }
  for (const action of ACTIONS) {
    expect(can(bound, action, administrator)).toMatchObject({ allowed: false, hidden: true })
    expect(can({ ...nobody, onlyOn: account.customerNumber }, action, administrator)).toEqual(
      can(nobody, action, administrator),
    )
  }
})

test('an account that the caller does not see is hidden for every action', () => {
  for (const action of ACTIONS) {
    expect(can(nobody, action, account)).toMatchObject({ allowed: false, hidden: true })
    expect(can(busops, action, undefined)).toMatchObject({ allowed: false, hidden: true })
  }
})

test('an export denial refuses everything except the account info, also for staff', () => {
  for (const action of ACTIONS) {
    const decision = can(busops, action, { ...account, exportControlStatus: 'Pending' })
    expect(decision).toEqual(
      action === 'account.info' ? { allowed: true } : { allowed: false, hidden: false, reason: EXPORT_DENIED },
    )
  }
})

test('emails are for direct and channel customers only, whatever the role', () => {
  for (const orgType of ['Indirect', 'Undefined'] as const)
    for (const action of ['emails.read', 'emails.delete', 'emails.resend'] as const)
      expect(can(busops, action, { ...account, orgType })).toMatchObject({ allowed: false, hidden: false })
  expect(can(busops, 'emails.read', { ...account, orgType: 'Channel' }).allowed).toBe(true)
})

test('emails are sent again by staff who may write on the account', () => {
  expect(can(support, 'emails.resend', administrator).allowed).toBe(true)
  expect(can(support, 'emails.resend', viewer).allowed).toBe(false)
})

test.each(['alerts.write', 'staff.write', 'service-keys.write'] as const)('%s is for busops and admin', (action) => {
  expect([busops, admin].every((who) => canOnPortal(who, action).allowed)).toBe(true)
  expect([support, sales, nobody].some((who) => canOnPortal(who, action).allowed)).toBe(false)
})

test('accounts.overview is for all staff', () => {
  expect([busops, admin, support, sales].every((who) => canOnPortal(who, 'accounts.overview').allowed)).toBe(true)
  expect(canOnPortal(nobody, 'accounts.overview').allowed).toBe(false)
})

test('an unknown role gives nothing', () => {
  expect(can(actor('eve@nowhere.example', ['root', 'BUSOPS', 'superuser']), 'account.read', account).allowed).toBe(
    false,
  )
})
