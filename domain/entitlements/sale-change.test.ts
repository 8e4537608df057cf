import { describe, expect, test } from 'vitest'
import { kindOfModel } from '#domain/entitlements/kind.ts'
import { type Sale, type SaleUse, saleRefusal } from '#domain/entitlements/sale-change.ts'

const sale = (changes: Partial<Sale> = {}): Sale => ({
  quantity: 10,
  state: 'Deployed',
  licenseModel: 'Network',
  ...changes,
})
const use = (changes: Partial<SaleUse> = {}): SaleUse => ({
  activated: 0,
  reserved: 0,
  assigned: 0,
  hasUsage: false,
  ...changes,
})

describe('a change of an entitlement', () => {
  test.each([
    ['drops to what is activated', sale(), { quantity: 4 }, use({ activated: 4 }), undefined],
    ['drops below what is activated', sale(), { quantity: 3 }, use({ activated: 4 }), 'QUANTITY_IN_USE'],
    [
      'drops below what is activated and moved',
      sale(),
      { quantity: 5 },
      use({ activated: 4, reserved: 2 }),
      'QUANTITY_IN_USE',
    ],
    ['grows while more is taken than sold', sale({ quantity: 2 }), { quantity: 3 }, use({ activated: 4 }), undefined],
    [
      'drops below named users',
      sale({ licenseModel: 'Named User' }),
      { quantity: 1 },
      use({ assigned: 2 }),
      'QUANTITY_IN_USE',
    ],
    [
      'drops below assignments of a shared web license',
      sale({ licenseModel: 'Shared Web' }),
      { quantity: 1 },
      use({ assigned: 2 }),
      undefined,
    ],
    ['becomes an order while nobody uses it', sale(), { licenseModel: 'FSA' }, use(), undefined],
    ['becomes an order while seats are on hosts', sale(), { licenseModel: 'FSA' }, use({ activated: 1 }), 'IN_USE'],
    [
      'is no order any more while seats are on hosts',
      sale({ licenseModel: 'FSA' }),
      { licenseModel: 'Network' },
      use({ activated: 1 }),
      'IN_USE',
    ],
    ['is revoked while nobody uses it', sale(), { state: 'Obsolete' }, use(), undefined],
    ['is revoked while seats are on hosts', sale(), { state: 'Obsolete' }, use({ activated: 1 }), 'IN_USE'],
    [
      'is revoked while it is assigned',
      sale({ licenseModel: 'Shared Web' }),
      { state: 'Obsolete' },
      use({ assigned: 1 }),
      'IN_USE',
    ],
    [
      'is revoked although usage is booked',
      sale({ licenseModel: 'Elastic-AEU' }),
      { state: 'Obsolete' },
      use({ hasUsage: true }),
      undefined,
    ],
    ['was revoked before', sale({ state: 'Obsolete' }), { state: 'Draft' }, use({ activated: 1 }), undefined],
    [
      'becomes elastic while seats are on hosts',
      sale(),
      { licenseModel: 'Elastic-AEU' },
      use({ activated: 1 }),
      'IN_USE',
    ],
    [
      'becomes a lease although usage is booked',
      sale({ licenseModel: 'Elastic-AEU' }),
      { licenseModel: 'Network' },
      use({ hasUsage: true }),
      'IN_USE',
    ],
    ['stays what it is under another model', sale(), { licenseModel: 'Fluent' }, use({ activated: 1 }), undefined],
  ] as const)('that %s is answered with $4', (_what, before, changes, used, code) => {
    expect(saleRefusal(before, { ...before, ...changes }, used)?.code).toBe(code)
  })

  test('is refused with the figures', () => {
    const used = use({ activated: 4, reserved: 1 })
    expect(saleRefusal(sale(), sale({ quantity: 2 }), used)?.err).toBe(
      'The quantity cannot drop to 2: 4 seats are activated, 1 seat is being moved.',
    )
  })
})

test.each([
  ['Elastic-AEU', 'ELASTIC'],
  ['Named User', 'SUBSCRIPTION'],
  ['Shared Web', 'CONCURRENT'],
  ['ConcurrentProduct', 'CONCURRENT'],
  ['Ansoft Borrow', 'SSL'],
  ['FSA', 'SSL'],
])('the license model %s is %s', (model, kind) => {
  expect(kindOfModel(model)).toBe(kind)
})
