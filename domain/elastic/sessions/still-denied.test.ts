import { expect, test } from 'vitest'
import type { SessionRefusal } from '#domain/elastic/sessions/session-refusal.ts'
import { isStillDenied, type StartRules } from '#domain/elastic/sessions/still-denied.ts'

const rules: StartRules = {
  ipRules: [{ name: 'Office', address: '192.0.2.0/24' }],
  usernames: ['Ada'],
  products: new Set(['Fluids']),
  hasWrongPins: true,
}

test.each<[what: string, reason: SessionRefusal, subject: string, change: Partial<StartRules>, isDenied: boolean]>([
  ['an address without a rule', 'ADDRESS_NOT_ALLOWED', '198.51.100.4', {}, true],
  ['an address that a rule allows by now', 'ADDRESS_NOT_ALLOWED', '192.0.2.4', {}, false],
  ['an address since all rules are gone', 'ADDRESS_NOT_ALLOWED', '198.51.100.4', { ipRules: [] }, false],
  ['a username that is not in the list', 'USER_NOT_ALLOWED', 'eve', {}, true],
  ['a username that was added in another case', 'USER_NOT_ALLOWED', 'ADA', {}, false],
  ['a username since everybody is allowed', 'USER_NOT_ALLOWED', 'eve', { usernames: [] }, false],
  ['a product without a rate', 'UNKNOWN_PRODUCT', 'Optics', {}, true],
  ['a product that has a rate by now', 'UNKNOWN_PRODUCT', 'Fluids', {}, false],
  ['a wrong PIN', 'WRONG_PIN', '', {}, true],
  ['a wrong PIN before the right one or a reset', 'WRONG_PIN', '', { hasWrongPins: false }, false],
  ['a lock, which has facts of its own', 'LOCKED', '', {}, false],
  ['missing units, which have facts of their own', 'NO_BALANCE', '', {}, false],
  ['a product that a rule does not allow', 'PRODUCT_NOT_ALLOWED', 'Fluids', {}, false],
  ['a limit, which has facts of its own', 'LIMIT', '', {}, false],
  ['export compliance on an account that is open again', 'EXPORT', '', {}, false],
])('a start that was denied for %s is still denied: $4', (_, reason, subject, change, isDenied) => {
  expect(isStillDenied({ reason, subject }, { ...rules, ...change })).toBe(isDenied)
})
