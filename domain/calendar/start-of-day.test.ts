import { expect, test } from 'vitest'
import { dayIn, startOfDay } from '#domain/calendar/calendar-day.ts'

test.each([
  ['UTC', '2026-03-01', '2026-03-01T00:00:00.000Z', 'on Greenwich time'],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 'on the day that loses an hour'],
  ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z', 'on the day after it'],
  ['Asia/Kolkata', '2026-01-01', '2025-12-31T18:30:00.000Z', 'with half an hour'],
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', 'where the clock skipped midnight'],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', 'where midnight comes twice: with the first'],
  ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z', 'where midnight comes twice: with the first'],
  ['America/St_Johns', '2010-11-07', '2010-11-07T02:30:00.000Z', 'where the evening before comes again after midnight'],
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 'where the whole day was skipped: with the next'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z', 'after the skipped day'],
  ['Europe/Berlin', '0001-01-02', '0001-01-01T23:06:32.000Z', 'before there were zones'],
])('in %s, %s starts at %s, %s', (zone, day, instant) => {
  expect(startOfDay(zone, day).toISOString()).toBe(instant)
})

test('the first instant of a day falls on it, and the millisecond before does not', () => {
  for (const zone of [
    'UTC',
    'Europe/Berlin',
    'America/Havana',
    'Asia/Beirut',
    'Australia/Lord_Howe',
    'America/Asuncion',
  ])
    for (let month = 1; month <= 12; month++)
      for (let day = 1; day <= 28; day++) {
        const date = `2024-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
        const start = startOfDay(zone, date)
        expect(dayIn(zone, start)).toBe(date)
        expect(dayIn(zone, new Date(start.getTime() - 1)) < date).toBe(true)
      }
})
