import { describe, expect, test } from 'vitest'
import { type AuditAction, wordsOf } from '#contract/audit-words.ts'
import { OPERATIONS } from '#contract/operations.ts'
import type { AuditedAct } from '#domain/audit/words.ts'

type Case = [action: string, act: Partial<AuditedAct>, text: string]
const textOf = (action: string, act: Partial<AuditedAct>) =>
  wordsOf({ action, target: null, before: null, after: null, outcome: 'done', reason: null, ...act })

test('an audit action is an operation or one of a few other acts; any other text does not compile', () => {
  const actions: AuditAction[] = ['fetchUsage/export', 'fetchEntitlementsActive/count', 'sign-in', 'staff.grant']
  // @ts-expect-error -- no operation and no command has this name
  const typo: AuditAction = 'sing-in'
  expect(actions).not.toContain(typo)
})

test('every download has words', () => {
  const downloads = OPERATIONS.filter(({ media }) => media !== undefined)
  expect(downloads.filter(({ audit }) => !audit).map(({ name }) => name)).toEqual([])
})

const line = (product: string, count: number) => ({ id: 'a', count, product })

describe('an act in words', () => {
  test.each<Case>([
    ['sign-in', {}, 'Signed in'],
    [
      'fulfillments/create',
      {
        target: 'aa',
        after: { action: 'EDIT', server: 'lic-berlin-01', activations: [line('Acoustics Response', 3)] },
      },
      'Activated 3 seats of Acoustics Response on lic-berlin-01',
    ],
    [
      'fulfillments/return',
      { target: 'aa', after: { server: 'lic-1', activations: [line('One', -1), line('Two', -2)] } },
      'Returned 3 seats of One, Two from lic-1',
    ],
    // Without product and name.
    [
      'fulfillments/create',
      { target: 'aa', after: { activations: [{ id: 'a', count: 1 }] } },
      'Activated 1 seat on aa',
    ],
    [
      'fulfillments/rehost',
      { target: 'old', after: { plan: 'p', target: 'new', changes: [{ count: -2 }, { count: 2 }] } },
      'Started to rehost old to new: 2 seats',
    ],
    [
      'fulfillments/rehost',
      {
        target: 'new',
        after: {
          plan: 'p',
          step: 'create',
          did: { action: 'REHOST', server: 'lic-2', activations: [line('One', 2)] },
        },
      },
      'Activated 2 seats of One on lic-2 (rehost)',
    ],
    [
      'fulfillments/save',
      { target: 'aa', after: { step: 'generate', did: { id: 'f', server: 'lic-1' } } },
      'Generated the license file of lic-1',
    ],
    ['fulfillments/download', { target: 'aa', after: { server: 'lic-1' } }, 'Downloaded the license file of lic-1'],
    ['sharedserver', { target: 'aa', after: ['1', '2'] }, 'Set who shares the license server aa: 1, 2'],
    ['sharedserver', { target: 'aa', after: [] }, 'Nobody shares the license server aa any more'],
    ['getpin', { target: 'cls-1' }, 'Read the PIN of cls-1'],
    ['getpin', { target: 'cls-1', after: { isPinCreated: true } }, 'Created and read the PIN of cls-1'],
    ['changepin', { target: 'cls-1' }, 'Changed the PIN of cls-1'],
    [
      'saveUsers',
      { target: 'cls-1', before: { users: ['anna', 'ben'] }, after: { users: ['anna', 'carl'] } },
      'Saved the allowed usernames of cls-1: added carl, removed ben',
    ],
    ['getPdf', { target: 'statement.pdf' }, 'Downloaded a statement: statement.pdf'],
    [
      'statements/email',
      { target: 's.pdf', after: { recipients: ['a@x', 'b@x', 'c@x', 'd@x'] } },
      'Emailed a statement (s.pdf) to a@x, b@x, c@x and 1 other',
    ],
    [
      'entitlements',
      { target: 'FSA-1', after: { lines: [{ product: 'One' }, { partNumber: 'P-2' }] } },
      'Ordered One, P-2 from the spending account FSA-1',
    ],
    [
      'web/assign',
      { before: [{ email: 'a@x' }], after: { assigned: [{ product: 'One', email: 'b@x' }] } },
      'Assigned One to b@x instead of a@x',
    ],
    [
      'setportalaccess',
      {
        before: [
          { email: 'a@x', role: 'Viewer' },
          { email: 'b@x', role: 'Viewer' },
        ],
        after: [
          { email: 'a@x', role: 'Administrator' },
          { email: 'c@x', role: 'Viewer' },
        ],
      },
      'Changed who has access: added c@x, removed b@x, changed the role of a@x',
    ],
    ['service/contacts', { target: '1:a@x', after: { role: 'Viewer' } }, 'Added the contact 1:a@x'],
    [
      'service/contacts',
      { target: '1:a@x', before: { role: 'Viewer' }, after: { role: 'Administrator' } },
      'Changed the contact 1:a@x: role',
    ],
    ['service/contacts/revoke', { target: '1:a@x', before: {} }, 'Revoked the contact 1:a@x'],
    ['home/hide', { target: 'LEASES_END', after: { until: null } }, 'Marked as done on Home: LEASES_END'],
    ['home/hide', { target: 'L', after: { until: '2026-12-01' } }, 'Snoozed until 2026-12-01 on Home: L'],
    [
      'tableviews/change',
      { before: { name: 'Old', tableName: 'emailList' }, after: { name: 'New', tableName: 'emailList' } },
      'Changed the view "New" (emailList)',
    ],
    [
      'tableviews/remove',
      { before: { name: 'All', tableName: 'emailList', owner: 'a@x', isShared: true } },
      'Deleted the shared view "All" of a@x (emailList)',
    ],
    [
      'requests/approve',
      {
        target: 'aa',
        after: { request: 'r', requested: '3 seats of One on lic-1', requestedBy: 'v@x', isAsAsked: true },
      },
      'Approved the request of v@x for 3 seats of One on lic-1',
    ],
    [
      'requests/approve',
      { after: { request: 'r', requested: '3 seats of One on lic-1', requestedBy: 'v@x', isAsAsked: false } },
      'Approved the request of v@x for 3 seats of One on lic-1, with changes',
    ],
    ['requests/ask', { after: { requested: '3 seats of One on lic-1' } }, 'Asked for 3 seats of One on lic-1'],
    [
      'requests/ask',
      { after: { requested: 'a seat of One on lic-1', requestedBy: 'v@x', approvedByRuleOf: 'a@x' } },
      'By a rule of a@x, approved the request of v@x for a seat of One on lic-1',
    ],
    ['staff.grant', { target: 'a@x', after: 'support' }, 'Granted support to a@x'],
    ['backup', { after: { rows: 7 } }, 'Made a backup with 7 rows'],
    [
      'audit.retention',
      { after: { sequence: 9, days: 30 } },
      'Removed the audit log up to sequence 9: older than 30 days',
    ],
    [
      'license-use.remove-old',
      { after: { removed: 2, days: 400 } },
      'Removed 2 events of license servers: older than 400 days',
    ],
    [
      'webhook.switch-off',
      { after: { url: 'https://hooks.example/x', reason: 'Nothing was delivered for five days' } },
      'Switched off the webhook https://hooks.example/x: Nothing was delivered for five days',
    ],
    ['no/such', { target: 'x' }, 'no/such (x)'],
    // Whatever is stored, there are words for it.
    ['fulfillments/create', { after: 'nonsense' }, 'Activated 0 seats on a license server'],
    ['web/users/save', { after: null }, 'Saved the web users'],
  ])('describes %s with %j', (action, act, text) => {
    expect(textOf(action, act)).toBe(text)
  })

  test('of a refusal says what was refused, and why', () => {
    const refused = { outcome: 'refused', reason: 'No rights.' } as const
    expect(textOf('changepin', { ...refused, target: 'cls-1' })).toBe('Refused to change the PIN (cls-1). No rights.')
    const target = 'ae1ccab8-e9a6-4f16-94f2-923757075e95'
    expect(textOf('tokens/roll', { ...refused, target })).toBe('Refused to roll a token. No rights.')
    expect(textOf('getemails', refused)).toBe('Refused: A page of the emails of an account. No rights.')
  })

  test('is never longer than 500 characters', () => {
    expect(textOf('changepin', { target: 'x'.repeat(1000) })).toHaveLength(500)
  })
})
