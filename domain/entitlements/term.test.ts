import { describe, expect, test } from 'vitest'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { remainingDays, type Term, termDays, usedDays, usedDaysPercentage } from '#domain/entitlements/term.ts'

const year: Term = { startDate: '2026-01-01', endDate: '2026-12-31' }
const oneDay: Term = { startDate: '2026-06-15', endDate: '2026-06-15' }
const leapDay: Term = { startDate: '2027-03-01', endDate: '2028-02-29' }
const permanent: Term = { startDate: '2026-01-01', endDate: null }

test.each([
  [year, '2025-12-30', 'NOT STARTED', -2],
  [year, '2025-12-31', 'NOT STARTED', -1],
  [year, '2026-01-01', 365, 0],
  [year, '2026-01-02', 364, 1],
  [year, '2026-12-30', 2, 363],
  [year, '2026-12-31', 1, 364],
  [year, '2027-01-01', 'EXPIRED', 365],
  [year, '2027-01-02', 'EXPIRED', 366],
  [oneDay, '2026-06-14', 'NOT STARTED', -1],
  [oneDay, '2026-06-15', 1, 0],
  [oneDay, '2026-06-16', 'EXPIRED', 1],
  [leapDay, '2028-02-28', 2, 364],
  [leapDay, '2028-02-29', 1, 365],
  [leapDay, '2028-03-01', 'EXPIRED', 366],
  [permanent, '2025-12-31', 'NOT STARTED', -1],
  [permanent, '2026-01-01', 'PERMANENT', 0],
  [permanent, '2126-01-01', 'PERMANENT', 36524],
] as const)('of %j on %s remains %s, %i days used', (term, today, remaining, used) => {
  expect(remainingDays(term, today)).toBe(remaining)
  expect(usedDays(term, today)).toBe(used)
})

test.each([
  [year, 365],
  [oneDay, 1],
  [leapDay, 366],
  [permanent, undefined],
])('%j has %s days', (term, days) => {
  expect(termDays(term)).toBe(days)
})

describe('days are counted in the time zone of the account', () => {
  const lastDay: Term = { startDate: '2026-03-01', endDate: '2026-03-28' }
  test.each([
    ['UTC', '2026-03-28T23:59:59.999Z', 1],
    ['UTC', '2026-03-29T00:00:00.000Z', 'EXPIRED'],
    ['Europe/Berlin', '2026-03-28T22:59:59.999Z', 1],
    ['Europe/Berlin', '2026-03-28T23:00:00.000Z', 'EXPIRED'],
    ['America/Los_Angeles', '2026-03-29T06:59:59.999Z', 1],
    ['America/Los_Angeles', '2026-03-29T07:00:00.000Z', 'EXPIRED'],
    ['Asia/Tokyo', '2026-03-28T14:59:59.999Z', 1],
    ['Asia/Tokyo', '2026-03-28T15:00:00.000Z', 'EXPIRED'],
    ['Pacific/Kiritimati', '2026-03-28T10:00:00.000Z', 'EXPIRED'],
    ['Pacific/Pago_Pago', '2026-03-29T10:59:59.999Z', 1],
    // starts at midnight of the account as well
    ['Asia/Tokyo', '2026-02-28T14:59:59.999Z', 'NOT STARTED'],
    ['Asia/Tokyo', '2026-02-28T15:00:00.000Z', 28],
  ] as const)('in %s at %s remains %s', (zone, instant, remaining) => {
    expect(remainingDays(lastDay, dayIn(zone, new Date(instant)))).toBe(remaining)
  })
})

test.each([
  [year, '2025-12-31', 0],
  [year, '2026-01-01', 1],
  [year, '2026-01-02', 1],
  [year, '2026-01-06', 1],
  [year, '2026-01-07', 2],
  [year, '2026-07-02', 50],
  [year, '2026-12-27', 99],
  [year, '2026-12-31', 99],
  [year, '2027-01-01', 100],
  [year, '2036-01-01', 100],
  [oneDay, '2026-06-14', 0],
  [oneDay, '2026-06-15', 1],
  [oneDay, '2026-06-16', 100],
  [permanent, '2025-12-31', 0],
  [permanent, '2026-01-01', 100],
  [permanent, '2046-01-01', 100],
])('%j on %s fills %i %% of the bar', (term, today, percentage) => {
  expect(usedDaysPercentage(term, today)).toBe(percentage)
})
