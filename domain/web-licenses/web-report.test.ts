import { describe, expect, test } from 'vitest'
import { type CountedUse, createWebReport } from '#domain/web-licenses/web-report.ts'

const rangeDays = { days: ['2026-06-10', '2026-06-11'] }
const TERM = { startDate: '2026-01-01', endDate: '2026-12-31' }
const used = (product: string, change: Partial<CountedUse> = {}): CountedUse => ({
  product,
  peaks: [0, 0],
  sharedPeak: 0,
  checkouts: 1,
  users: 1,
  namedUsers: 0,
  hours: 1,
  ...change,
})
const report = (input: Partial<Parameters<typeof createWebReport>[0]>) =>
  createWebReport({ rangeDays, entitlements: [], used: [], users: [], denials: [], ...input })

describe('the report of web licenses', () => {
  test('states peak, limit, hours and denials per product and user', () => {
    const found = report({
      entitlements: [{ product: 'Optics', term: TERM, quantity: 2 }],
      used: [used('Optics', { peaks: [2, 1], checkouts: 3, users: 2, hours: 3.5 })],
      users: [
        { user: 'bob', checkouts: 1, products: 1, hours: 0.5 },
        { user: 'ann', checkouts: 2, products: 1, hours: 3 },
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

  test('has products in the order of their names, also those that were only used or only denied', () => {
    const found = report({
      entitlements: [{ product: 'Optics', term: TERM, quantity: 2 }],
      used: [used('Circuits', { peaks: [0, 3] })],
      denials: [{ product: 'Beams', user: 'ann', reason: 'UNKNOWN_PRODUCT', count: 1 }],
    })
    expect(found.products.map(({ product, peak, peakDay, limit }) => [product, peak, peakDay, limit])).toEqual([
      ['Beams', 0, null, 0],
      ['Circuits', 3, '2026-06-11', 0],
      ['Optics', 0, null, 2],
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
