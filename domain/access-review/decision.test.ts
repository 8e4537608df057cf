import { expect, test } from 'vitest'
import { DECISIONS, isDecidable, OWN_ACCESS, progressText, refusalOfTaking } from '#domain/access-review/decision.ts'

const ada = 'ada@x.example'
const yes = { allowed: true } as const
const no = { allowed: false, hidden: false, reason: 'No' } as const

test.each([
  ['the own contact', 'contact', ada, yes, 'OWN_ACCESS'],
  ['the own web user', 'web-user', ada, yes, 'OWN_ACCESS'],
  ['the own grant', 'grant', ada, yes, 'OWN_ACCESS'],
  ['the own token', 'token', ada, no, undefined],
  ['the own calendar address', 'calendar', ada, no, undefined],
  ['the own webhook', 'webhook', ada, no, undefined],
  ['the contact of somebody else', 'contact', 'bob@x.example', no, undefined],
  ['a grant, as an administrator', 'grant', 'bob@x.example', no, 'NOT_ALLOWED'],
  ['a grant, as business operations', 'grant', 'bob@x.example', yes, undefined],
] as const)('taking away %s is refused with $4', (_, kind, holder, mayChangeGrants, code) => {
  expect(refusalOfTaking({ kind, holder }, { email: ada, mayChangeGrants, isManaged: false })?.code).toBe(code)
})

test('an access that the identity provider manages is not taken away here', () => {
  const by = { email: ada, mayChangeGrants: yes, isManaged: true }
  expect(refusalOfTaking({ kind: 'web-user', holder: 'bob@x.example' }, by)?.code).toBe('NOT_ALLOWED')
})

test('the refusal of the own access says what to do', () => {
  expect(
    refusalOfTaking({ kind: 'contact', holder: ada }, { email: ada, mayChangeGrants: no, isManaged: false })?.err,
  ).toBe(OWN_ACCESS)
})

test('only what is open or kept can be decided', () => {
  expect(DECISIONS.filter(isDecidable)).toEqual(['open', 'kept'])
})

test.each([
  [{ open: 2, kept: 3, 'taken-away': 1, gone: 0 }, '3 kept, 1 taken away, 2 not decided'],
  [{ open: 0, kept: 5000, 'taken-away': 0, gone: 1 }, '5,000 kept, 1 gone already'],
  [{ open: 0, kept: 0, 'taken-away': 0, gone: 0 }, 'nothing to decide'],
])('progress %o reads "%s"', (progress, text) => {
  expect(progressText(progress)).toBe(text)
})
