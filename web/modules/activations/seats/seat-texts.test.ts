import { expect, test } from 'vitest'
import { productSeatsText } from '#web/modules/activations/seats/seat-texts.ts'

const seats = (ansysproduct: string, count: number) => ({ ansysproduct, count })

test.each([
  [[seats('Alpha', 5)], '5 seats of Alpha'],
  [[seats('Alpha', 1), seats('Beta', 2)], '1 seat of Alpha and 2 of Beta'],
  [[seats('Alpha', 2), seats('Beta', 1), seats('Alpha', 3)], '5 seats of Alpha and 1 of Beta'],
  [['Alpha', 'Beta', 'Gamma'].map((name) => seats(name, 1)), '1 seat of Alpha, 1 of Beta and 1 of Gamma'],
  [
    ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon'].map((name) => seats(name, 1)),
    '1 seat of Alpha, 1 of Beta, 1 of Gamma and 2 more products',
  ],
])('seats are summed by product, and three products are named: %j', (rows, text) => {
  expect(productSeatsText(rows)).toBe(text)
})
