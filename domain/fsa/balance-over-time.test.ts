import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Booking, balanceOverTime } from '#domain/fsa/balance-over-time.ts'
import { compare, subtract, sum } from '#domain/money/decimal.ts'

const opening = { startDate: '2026-01-01', price: '1000.00' }

test.each<[string, Booking[], [string, string, string][]]>([
  ['nothing was booked', [], [['2026-01-01', '0.00', '1000.00']]],
  [
    'bookings of one day are one step',
    [
      { day: '2026-02-03', price: '0.10' },
      { day: '2026-02-03', price: '0.20' },
    ],
    [
      ['2026-01-01', '0.00', '1000.00'],
      ['2026-02-03', '0.30', '999.70'],
    ],
  ],
  [
    'bookings come in any order',
    [
      { day: '2026-03-01', price: '100' },
      { day: '2026-02-01', price: '250.55' },
    ],
    [
      ['2026-01-01', '0.00', '1000.00'],
      ['2026-02-01', '250.55', '749.45'],
      ['2026-03-01', '100.00', '649.45'],
    ],
  ],
  ['a booking on the first day', [{ day: '2026-01-01', price: '1.00' }], [['2026-01-01', '1.00', '999.00']]],
  [
    'a booking before the first day',
    [{ day: '2025-12-20', price: '400.00' }],
    [
      ['2025-12-20', '400.00', '600.00'],
      ['2026-01-01', '0.00', '600.00'],
    ],
  ],
  [
    'an overdrawn contract',
    [{ day: '2026-02-01', price: '1000.01' }],
    [
      ['2026-01-01', '0.00', '1000.00'],
      ['2026-02-01', '1000.01', '-0.01'],
    ],
  ],
])('the balance over time follows the bookings: %s', (_, bookings, expected) => {
  const days = balanceOverTime(opening, bookings)
  expect(days.map(({ day, booked, balance }) => [day, booked, balance])).toEqual(expected)
})

test('bookings and remaining balance add up to the price, to the cent', () => {
  const booking = fc.record({
    day: fc.integer({ min: 1, max: 28 }).map((day) => `2026-02-${String(day).padStart(2, '0')}`),
    price: fc.integer({ min: 0, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
  })
  fc.assert(
    fc.property(fc.array(booking), (bookings) => {
      const last = balanceOverTime(opening, bookings).at(-1)
      expect(compare(last?.balance ?? '', subtract(opening.price, sum(bookings.map(({ price }) => price))))).toBe(0)
    }),
  )
})
