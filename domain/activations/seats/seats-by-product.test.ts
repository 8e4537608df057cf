import { expect, test } from 'vitest'
import { seatsByProduct } from '#domain/activations/seats/seats-by-product.ts'

const row = (ansysproduct: string, id: string, count: number, enddate: string) => ({ ansysproduct, id, count, enddate })
const PERMANENT = 'Maintenance ends on 2026-01-31'

test('seats are summed by product, with those that end together', () => {
  const rows = [
    row('Fluid', 'f1', 2, '2027-06-30'),
    row('Fluid', 'f2', 1, PERMANENT),
    row('Acoustics', 'a1', 5, '2027-01-31'),
    row('Fluid', 'f3', 3, '2027-01-31'),
    row('Fluid', 'f4', 4, '2027-06-30'),
  ]
  const ids = (entitlements: readonly { id: string }[]) => entitlements.map(({ id }) => id)
  expect(seatsByProduct(rows).map(({ entitlements, ...sums }) => ({ ...sums, ids: ids(entitlements) }))).toEqual([
    { product: 'Acoustics', seats: 5, ends: [{ enddate: '2027-01-31', seats: 5 }], ids: ['a1'] },
    {
      product: 'Fluid',
      seats: 10,
      ends: [
        { enddate: '2027-01-31', seats: 3 },
        { enddate: '2027-06-30', seats: 6 },
        { enddate: PERMANENT, seats: 1 },
      ],
      ids: ['f3', 'f1', 'f4', 'f2'],
    },
  ])
})

test('a license server without seats has no products', () => {
  expect(seatsByProduct([])).toEqual([])
})
