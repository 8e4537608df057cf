import { expect, test } from 'vitest'
import { daysIn, seatsPerDay } from '#domain/web-licenses/range-days.ts'

const RANGE = { from: '2026-06-10', to: '2026-06-12' }
const seats = (startDate: string, endDate: string | null, quantity = 5) => ({ quantity, term: { startDate, endDate } })

test('days start at midnight in the time zone', () => {
  expect(daysIn({ from: '2026-10-25', to: '2026-10-26' }, 'Europe/Berlin')).toEqual({
    days: ['2026-10-25', '2026-10-26'],
    starts: [new Date('2026-10-24T22:00:00Z'), new Date('2026-10-25T23:00:00Z')],
  })
})

test.each([
  ['are none without an entitlement', [], [0, 0, 0]],
  ['count from the first day of a term to its last', [seats('2026-06-11', '2026-06-11')], [0, 5, 0]],
  ['count before and after the range', [seats('2026-01-01', '2026-12-31')], [5, 5, 5]],
  ['have no end where the term has none', [seats('2026-06-11', null)], [0, 5, 5]],
  ['do not count when they ended before the range', [seats('2026-01-01', '2026-06-09')], [0, 0, 0]],
  ['do not count when they begin after the range', [seats('2026-06-13', null)], [0, 0, 0]],
  ['do not count in a term that ends before it begins', [seats('2026-06-12', '2026-06-10')], [0, 0, 0]],
  ['add up', [seats('2026-01-01', '2026-06-11'), seats('2026-06-11', null, 3)], [5, 8, 3]],
])('the seats of a range %s', (_case, entitlements, expected) => {
  expect(seatsPerDay(entitlements, daysIn(RANGE, 'UTC'))).toEqual(expected)
})
