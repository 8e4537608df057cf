import { expect, test } from 'vitest'
import { ACCESS_KINDS, accessId, isOfPerson, isUnused, sourceOf } from '#domain/access-review/access.ts'

const now = new Date('2026-11-20T12:00:00Z')
const ago = (days: number) => new Date(now.getTime() - days * 86_400_000)

test.each<[string, Date | null, Date, boolean]>([
  ['used today', ago(0), ago(400), false],
  ['used 89.9 days ago', ago(89.9), ago(400), false],
  ['used 90 days ago', ago(90), ago(400), true],
  ['never used and given 400 days ago', null, ago(400), true],
  ['never used and given 90 days ago', null, ago(90), true],
  ['never used and given yesterday', null, ago(1), false],
])('an access %s is unused: $3', (_, lastUsed, since, expected) => {
  expect(isUnused({ lastUsed, since }, now)).toBe(expected)
})

test.each([
  ['by hand', { isManaged: false, by: 'ada@x.example', isByStaff: false }, 'hand'],
  ['by staff', { isManaged: false, by: 'olivia@vendor.example', isByStaff: true }, 'staff'],
  ['from outside', { isManaged: true, by: 'scim', isByStaff: false }, 'scim'],
  ['from outside, and before that by staff', { isManaged: true, by: 'olivia@vendor.example', isByStaff: true }, 'scim'],
  ['by nobody who is known', { isManaged: false, by: null, isByStaff: false }, 'unknown'],
] as const)('an access that was given %s has the source $2', (_, given, source) => {
  expect(sourceOf(given)).toBe(source)
})

test('contacts, web users and grants are accesses of persons, the others of programs', () => {
  expect(ACCESS_KINDS.filter(isOfPerson)).toEqual(['contact', 'web-user', 'grant'])
})

test('a person has one id for each kind of access', () => {
  expect(accessId({ kind: 'web-user', key: 'ann@x.example' })).toBe('web-user:ann@x.example')
})
