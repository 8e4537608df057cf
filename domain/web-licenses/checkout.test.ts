import { describe, expect, test } from 'vitest'
import { type CheckoutEntitlement, chooseEntitlement } from '#domain/web-licenses/checkout.ts'

const TODAY = '2026-06-15'
const shared = (activationId: string, change: Partial<CheckoutEntitlement> = {}): CheckoutEntitlement => ({
  activationId,
  kind: 'CONCURRENT',
  quantity: 2,
  term: { startDate: '2026-01-01', endDate: '2026-12-31' },
  isAssigned: true,
  running: 0,
  ...change,
})
const named = (activationId: string, change: Partial<CheckoutEntitlement> = {}) =>
  shared(activationId, { kind: 'SUBSCRIPTION', quantity: 1, ...change })
const ended = { term: { startDate: '2025-01-01', endDate: '2026-06-14' } }
const upcoming = { term: { startDate: '2026-06-16', endDate: '2027-06-15' } }
const endsToday = { term: { startDate: '2025-06-16', endDate: TODAY } }
const stranger = { isAssigned: false }
const full = { running: 2 }

describe('the entitlement of a checkout', () => {
  test.each<[string, CheckoutEntitlement[], string]>([
    ['knows no product without entitlements', [], 'UNKNOWN_PRODUCT'],
    ['takes a free seat of a shared entitlement', [shared('A', { running: 1 })], 'A'],
    ['denies a checkout when all shared seats are in use', [shared('A', full)], 'NO_SEAT'],
    ['denies a checkout while more run than were bought', [shared('A', { running: 3 })], 'NO_SEAT'],
    ['denies a user who is not assigned', [shared('A', stranger)], 'USER_NOT_ASSIGNED'],
    [
      'denies an unassigned user also when no seat is free',
      [shared('A', { ...stranger, ...full })],
      'USER_NOT_ASSIGNED',
    ],
    ['denies an expired entitlement', [shared('A', ended)], 'ENTITLEMENT_EXPIRED'],
    ['takes an entitlement on its last day', [shared('A', endsToday)], 'A'],
    ['denies an entitlement before its first day', [named('A', upcoming)], 'NOT_STARTED'],
    ['prefers the hint at the upcoming entitlement', [shared('A', ended), shared('B', upcoming)], 'NOT_STARTED'],
    ['does not accept an assignment that has expired', [named('A', ended), shared('B', stranger)], 'USER_NOT_ASSIGNED'],
    ['uses the own seat first', [shared('A', endsToday), named('B')], 'B'],
    ['runs all checkouts of a user on the own seat', [named('A', { running: 1 })], 'A'],
    ['uses the shared entitlement that ends first', [shared('A'), shared('B', endsToday)], 'B'],
    ['goes on to the next shared entitlement', [shared('A'), shared('B', { ...endsToday, ...full })], 'A'],
    [
      'uses a permanent entitlement last',
      [shared('A', { term: { startDate: '2020-01-01', endDate: null } }), shared('B')],
      'B',
    ],
    ['chooses by activation id between equals', [shared('B'), shared('A')], 'A'],
  ])('the checkout %s', (_name, entitlements, expected) => {
    const choice = chooseEntitlement(entitlements, TODAY)
    expect('refusal' in choice ? choice.refusal : choice.entitlement.activationId).toBe(expected)
  })
})
