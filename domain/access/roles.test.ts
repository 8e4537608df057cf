import { describe, expect, test } from 'vitest'
import { roleLabel } from '#domain/access/role-label.ts'
import { ADMINISTRATOR, type ContactRole, claimRolesState, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import { actor, type Standing } from '#domain/access/standing.ts'

const now = new Date('2026-03-01T12:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

test.each([
  [['busops'], ago(0), 'fresh'],
  [['busops'], ago(9.9), 'fresh'],
  [['busops'], ago(10), 'due'],
  [['busops'], ago(14.9), 'due'],
  [['busops'], ago(15), 'stale'],
  [['busops'], ago(700), 'stale'],
  [['busops'], null, 'fresh'],
  // Without roles, nothing can be stale.
  [[], ago(15), 'due'],
])('roles %j checked at %s are %s', (roles, checkedAt, state) => {
  expect(claimRolesState(roles, checkedAt, now)).toBe(state)
})

describe('the label of a role', () => {
  const on = (contactRole: ContactRole | null, flags: Partial<Standing> = {}): Standing => ({
    customerNumber: '1',
    contactRole,
    isSalesAccess: false,
    isFNPLicenseGenerator: false,
    isAccessDisabled: false,
    exportControlStatus: '',
    orgType: 'Direct',
    holdings: { elastic: 0, ssl: false, fsa: false, sharedWeb: false, namedUser: false },
    ...flags,
  })

  test.each([
    ['busops', ['busops'], undefined, 'Business Operations Role'],
    ['busops who is also a contact', ['busops'], on(VIEWER), 'Business Operations Role'],
    ['support', ['support'], on(null), 'Support Role'],
    [
      'support who generates licenses here',
      ['support'],
      on(null, { isFNPLicenseGenerator: true }),
      '(FNP License Generator)',
    ],
    ['coordinator', [], on(SUPPORT_COORDINATOR), '(Ansys Support Coordinator)'],
    ['administrator', [], on(ADMINISTRATOR), '(Portal Administrator Role)'],
    ['viewer', [], on(VIEWER), '(Portal Viewer Role)'],
    ['generator', [], on(null, { isFNPLicenseGenerator: true }), '(FNP License Generator)'],
    ['sales', ['sales'], on(null), '(Sales Role)'],
    ['sales access', [], on(null, { isSalesAccess: true }), '(Sales Access Role)'],
    ['admin', ['admin'], undefined, 'Administrator Role'],
    ['a contact without a selected account', [], undefined, ''],
  ])('%s has the label "$3"', (_, roles, standing, label) => {
    expect(roleLabel(actor('someone@vendor.example', roles), standing)).toBe(label)
  })
})
