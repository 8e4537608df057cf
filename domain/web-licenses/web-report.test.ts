import { describe, expect, test } from 'vitest'
import { createWebReport, type ReportedCheckout } from '#domain/web-licenses/web-report.ts'

const RANGE = { from: '2026-06-10', to: '2026-06-11' }
const TERM = { startDate: '2026-01-01', endDate: '2026-12-31' }
const checkout = (
  user: string,
  from: string,
  to: string,
  change: Partial<ReportedCheckout> = {},
): ReportedCheckout => ({
  activationId: 'A',
  kind: 'CONCURRENT',
  product: 'Optics',
  user,
  from: new Date(`2026-06-${from}:00Z`),
  to: new Date(`2026-06-${to}:00Z`),
  ...change,
})
const report = (input: Partial<Parameters<typeof createWebReport>[0]>) =>
  createWebReport({ range: RANGE, timeZone: 'UTC', entitlements: [], checkouts: [], denials: [], ...input })

describe('createWebReport', () => {
  test('states peak, limit, hours and denials per product and user', () => {
    const found = report({
      entitlements: [{ product: 'Optics', term: TERM, quantity: 2 }],
      checkouts: [
        checkout('ann', '10T08:00', '10T10:00'),
        checkout('bob', '10T09:00', '10T09:30'),
        checkout('ann', '11T08:00', '11T09:00'),
      ],
      denials: [
        { product: 'Optics', user: 'cid', reason: 'NO_SEAT', count: 3 },
        { product: 'Optics', user: 'ann', reason: 'EXPORT', count: 1 },
      ],
    })
    expect(found.products).toEqual([
      {
        product: 'Optics',
        limit: 2,
        peak: 2,
        peakDay: '2026-06-10',
        checkouts: 3,
        users: 2,
        hours: 3.5,
        denials: 4,
        days: [
          { day: '2026-06-10', peak: 2, limit: 2 },
          { day: '2026-06-11', peak: 1, limit: 2 },
        ],
      },
    ])
    expect(found.users).toEqual([
      { user: 'ann', checkouts: 2, products: 1, hours: 3, denials: 1 },
      { user: 'bob', checkouts: 1, products: 1, hours: 0.5, denials: 0 },
      { user: 'cid', checkouts: 0, products: 0, hours: 0, denials: 3 },
    ])
    expect(found.reasons).toEqual([
      { reason: 'NO_SEAT', count: 3 },
      { reason: 'EXPORT', count: 1 },
    ])
  })

  test('counts a named user once, however many checkouts run', () => {
    const both = ['1', '2'].map(() => checkout('ann', '10T08:00', '10T10:00', { kind: 'SUBSCRIPTION' }))
    expect(report({ checkouts: both }).products[0]).toMatchObject({ peak: 1, checkouts: 2, hours: 4 })
  })

  test('counts only the hours within the range', () => {
    expect(report({ checkouts: [checkout('ann', '09T12:00', '12T12:00')] }).products[0]).toMatchObject({ hours: 48 })
  })

  test('adds up the rounded hours of the checkouts, per product as well as per user', () => {
    // Each takes 100 seconds, 0.0277… hours, and one of them two seconds.
    const short = (user: string, product: string, seconds = 100): ReportedCheckout => {
      const from = new Date('2026-06-10T08:00:00Z')
      return { ...checkout(user, '10T08:00', '10T08:00'), product, from, to: new Date(from.getTime() + seconds * 1000) }
    }
    const found = report({
      checkouts: [
        short('ann', 'Optics'),
        short('ann', 'Circuits'),
        short('bob', 'Optics'),
        short('bob', 'Circuits', 2),
      ],
    })
    expect(found.products.map(({ product, hours }) => [product, hours])).toEqual([
      ['Circuits', 0.04],
      ['Optics', 0.06],
    ])
    expect(found.users.map(({ user, hours }) => [user, hours])).toEqual([
      ['ann', 0.06],
      ['bob', 0.04],
    ])
  })

  test('leaves out a product whose entitlement ended before the range', () => {
    const old = { product: 'Old', quantity: 5, term: { startDate: '2025-01-01', endDate: '2025-12-31' } }
    const unused = { product: 'Unused', quantity: 5, term: TERM }
    const [only, ...others] = report({ entitlements: [old, unused] }).products
    expect(only).toMatchObject({ product: 'Unused', limit: 5, peak: 0, peakDay: null })
    expect(others).toEqual([])
  })
})
