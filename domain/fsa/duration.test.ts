import { describe, expect, test } from 'vitest'
import { type Duration, durationLabel, periodEnd } from '#domain/fsa/duration.ts'

describe('the end of a period', () => {
  test.each([
    ['2026-11-15', 7, '2026-11-21'],
    ['2026-11-15', 30, '2026-12-14'],
    ['2026-12-31', 60, '2027-02-28'],
    ['2026-01-01', 90, '2026-03-31'],
    ['2027-07-05', 180, '2027-12-31'],
    // A year ends the day before the same date, whether or not there is a leap day in it.
    ['2026-11-15', 365, '2027-11-14'],
    ['2027-11-15', 365, '2028-11-14'],
    ['2026-01-01', 365, '2026-12-31'],
    ['2027-03-01', 365, '2028-02-29'],
    ['2027-02-28', 365, '2028-02-27'],
    ['2028-02-28', 365, '2029-02-27'],
    ['2028-02-29', 365, '2029-02-28'],
    ['2028-03-01', 365, '2029-02-28'],
  ] as const)('from %s, %i days end on %s', (start, period, end) => expect(periodEnd(start, period)).toBe(end))
})

test.each([
  [7, '7 Days'],
  [180, '180 Days'],
  [365, '1 Year'],
  ['Remainder', 'Remainder'],
] as const satisfies readonly (readonly [Duration, string])[])('%s is shown as %s', (duration, label) => {
  expect(durationLabel(duration)).toBe(label)
})
