import { describe, expect, test } from 'vitest'
import {
  DAY,
  DEFAULT_POLICY,
  dueWarning,
  endOfOverlap,
  isTokenAddressAllowed,
  LIFE_OUT_OF_RANGE,
  NAME_REQUIRED,
  type NewToken,
  newTokenErrors,
  overlapProblem,
  SCOPE_REQUIRED,
  type TokenPolicy,
  tidiedAddresses,
  tokenState,
  WRITE_NOT_ALLOWED,
} from '#domain/tokens/token-rules.ts'

const TOKEN: NewToken = { name: 'ERP', scopes: ['usage:read'], days: 30, addresses: [] }
const READ_ONLY: TokenPolicy = { longestDays: 30, isWriteAllowed: false }

describe('a new token', () => {
  test.each<[what: string, token: Partial<NewToken>, policy: TokenPolicy, errors: object]>([
    ['one that is right', {}, DEFAULT_POLICY, {}],
    ['no name', { name: '  ' }, DEFAULT_POLICY, { name: NAME_REQUIRED }],
    ['no scope', { scopes: [] }, DEFAULT_POLICY, { scopes: SCOPE_REQUIRED }],
    ['1 day', { days: 1 }, DEFAULT_POLICY, {}],
    ['366 days', { days: 366 }, DEFAULT_POLICY, {}],
    ['0 days', { days: 0 }, DEFAULT_POLICY, { days: LIFE_OUT_OF_RANGE }],
    ['367 days', { days: 367 }, DEFAULT_POLICY, { days: LIFE_OUT_OF_RANGE }],
    ['half a day', { days: 1.5 }, DEFAULT_POLICY, { days: LIFE_OUT_OF_RANGE }],
    ['as long as the policy allows', { days: 30 }, READ_ONLY, {}],
    [
      'longer than the policy allows',
      { days: 31 },
      READ_ONLY,
      { days: 'The policy of this account allows at most 30 days.' },
    ],
    [
      'write where the policy forbids it',
      { scopes: ['usage:read', 'access:write'] },
      READ_ONLY,
      { scopes: WRITE_NOT_ALLOWED },
    ],
    ['an address and networks', { addresses: ['192.0.2.1', '198.51.100.0/24', '2001:db8::/32'] }, DEFAULT_POLICY, {}],
    [
      'no address',
      { addresses: ['192.0.2.1', 'office'] },
      DEFAULT_POLICY,
      { addresses: expect.stringContaining('office: ') },
    ],
  ])('is checked: %s', (_, token, policy, errors) => {
    expect(newTokenErrors({ ...TOKEN, ...token }, policy)).toEqual(errors)
  })

  test('keeps each network once, in canonical form', () => {
    expect(tidiedAddresses(['192.0.2.1', ' ::ffff:192.0.2.1', '192.0.2.77/24'])).toEqual(['192.0.2.1', '192.0.2.0/24'])
  })
})

test.each<[addresses: string[], address: string, allowed: boolean]>([
  [[], '203.0.113.9', true],
  [['192.0.2.0/24'], '192.0.2.9', true],
  [['192.0.2.0/24'], '::ffff:192.0.2.9', true],
  [['192.0.2.0/24'], '192.0.3.9', false],
  [['192.0.2.0/24'], '2001:db8::1', false],
  [['192.0.2.0/24', '2001:db8::/32'], '2001:db8::1', true],
])('the list %j and the address %s: %s', (addresses, address, allowed) => {
  expect(isTokenAddressAllowed(addresses, address)).toBe(allowed)
})

test.each<[hours: number, isRight: boolean]>([
  [0, true],
  [168, true],
  [169, false],
  [-1, false],
  [0.5, false],
  [Number.NaN, false],
])('an overlap of %s hours is allowed: %s', (hours, isRight) => {
  expect(overlapProblem(hours) === undefined).toBe(isRight)
})

const NOW = new Date('2026-11-18T12:00:00Z')
const inDays = (days: number) => new Date(NOW.getTime() + days * DAY)

test.each<[expires: number, revoked: Date | null, isReplaced: boolean, state: string]>([
  [1, null, false, 'Active'],
  [1, null, true, 'Replaced'],
  [0, null, false, 'Expired'],
  [-1, null, true, 'Expired'],
  [1, NOW, false, 'Revoked'],
  [-1, NOW, false, 'Revoked'],
])('a token that expires in %s days, revoked %s, replaced %s is %s', (expires, revoked, isReplaced, state) => {
  expect(tokenState({ expires: inDays(expires), revoked, isReplaced }, NOW)).toBe(state)
})

test.each([
  [10, 24, 1],
  [10, 0, 0],
  [0.5, 24, 0.5],
])('a token with %s days left and an overlap of %s hours ends in %s days', (left, hours, days) => {
  expect(endOfOverlap(inDays(left), NOW, hours)).toEqual(inDays(days))
})

test.each<[age: number, left: number, warned: number | null, due: number | undefined]>([
  [80, 8, null, undefined],
  [80, 7, null, 7],
  [80, 6.5, null, 7],
  [80, 6.5, 7, undefined],
  [80, 1, 7, 1],
  [80, 0.5, null, 1],
  [80, 0.5, 1, undefined],
  [80, 0, null, undefined],
  [80, -1, 7, undefined],
  // Lives 7 days: told one day before its end only.
  [0, 7, null, undefined],
  [6, 1, null, 1],
  // Lives one day: not told.
  [0, 1, null, undefined],
])('a token of age %s with %s days left, warned of %s: the warning %s is due', (age, left, warnedDays, due) => {
  expect(dueWarning({ created: inDays(-age), expires: inDays(left), warnedDays }, NOW)).toBe(due)
})
