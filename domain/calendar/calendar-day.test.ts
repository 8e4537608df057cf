import { expect, test } from 'vitest'
import { addDays, dayIn, daysBetween, isCalendarDay } from '#domain/calendar/calendar-day.ts'

test.each([
  ['UTC', '2026-03-01T00:00:00Z', '2026-03-01'],
  ['Europe/Berlin', '2026-02-28T23:00:00Z', '2026-03-01'],
  ['Europe/Berlin', '2026-02-28T22:59:59Z', '2026-02-28'],
  ['America/Los_Angeles', '2026-01-01T07:59:59Z', '2025-12-31'],
  ['Asia/Tokyo', '2025-12-31T15:00:00Z', '2026-01-01'],
])('in %s the instant %s falls on %s', (zone, instant, day) => {
  expect(dayIn(zone, new Date(instant))).toBe(day)
})

test('days are added across months, leap days and daylight saving', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2026-03-29', -1)).toBe('2026-03-28')
})

test('days between count midnight to midnight', () => {
  expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2)
  expect(daysBetween('2027-01-01', '2026-12-31')).toBe(-1)
})

test.each([
  ['2026-02-28', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['26-01-01', false],
  ['2026-01-01T00', false],
])('%s as a calendar day: %s', (text, valid) => {
  expect(isCalendarDay(text)).toBe(valid)
})
