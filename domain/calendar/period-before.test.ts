import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, daysBetween } from '#domain/calendar/calendar-day.ts'
import { periodBefore } from '#domain/calendar/period-before.ts'

describe('the period before', () => {
  test.each([
    ['a month', '2026-10-01', '2026-10-31', '2026-09-01', '2026-09-30'],
    ['March', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['January', '2026-01-01', '2026-01-31', '2025-12-01', '2025-12-31'],
    ['a quarter', '2026-07-01', '2026-09-30', '2026-04-01', '2026-06-30'],
    ['a year', '2025-01-01', '2025-12-31', '2024-01-01', '2024-12-31'],
    ['a month so far', '2026-11-01', '2026-11-19', '2026-10-01', '2026-10-19'],
    ['a month so far that is longer than the one before', '2026-03-01', '2026-03-30', '2026-02-01', '2026-02-28'],
    ['a year so far', '2026-01-01', '2026-11-19', '2025-02-12', '2025-12-31'],
    ['a week', '2026-11-09', '2026-11-15', '2026-11-02', '2026-11-08'],
    ['a first day of a month', '2026-03-01', '2026-03-01', '2026-02-28', '2026-02-28'],
    ['a day within a month', '2026-11-19', '2026-11-19', '2026-11-18', '2026-11-18'],
    ['chosen days', '2026-10-15', '2026-11-13', '2026-09-15', '2026-10-14'],
  ])('of %s, %s to %s, is %s to %s', (_, from, to, fromBefore, toBefore) => {
    expect(periodBefore({ from, to })).toEqual({ from: fromBefore, to: toBefore })
  })

  test('ends before the period begins', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9000 }), fc.integer({ min: 0, max: 900 }), (start, length) => {
        const from = addDays('2018-01-01', start)
        const before = periodBefore({ from, to: addDays(from, length) })
        expect(before.from <= before.to).toBe(true)
        expect(daysBetween(before.to, from)).toBeGreaterThan(0)
      }),
    )
  })
})
