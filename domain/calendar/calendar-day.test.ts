import { describe, expect, test } from 'vitest'
import {
  addDays,
  dayIn,
  daysBetween,
  isCalendarDay,
  isTimeZone,
  startOfDay,
  timeIn,
} from '#domain/calendar/calendar-day.ts'
import { instantsOf, readDayOf } from '#domain/calendar/day-range.ts'

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
])('whether %s is a calendar day is %s', (text, valid) => {
  expect(isCalendarDay(text)).toBe(valid)
})

describe('the start of a day', () => {
  test.each([
    ['UTC', '2026-03-01', '2026-03-01T00:00:00.000Z', 'on Greenwich time'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 'on the day that loses an hour'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z', 'on the day after it'],
    ['Asia/Kolkata', '2026-01-01', '2025-12-31T18:30:00.000Z', 'with half an hour'],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', 'where the clock skipped midnight'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', 'where midnight comes twice: with the first'],
    ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z', 'where midnight comes twice: with the first'],
    [
      'America/St_Johns',
      '2010-11-07',
      '2010-11-07T02:30:00.000Z',
      'where the evening before comes again after midnight',
    ],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 'where the whole day was skipped: with the next'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z', 'after the skipped day'],
    ['Europe/Berlin', '0001-01-02', '0001-01-01T23:06:32.000Z', 'before there were zones'],
  ])('in %s the day %s starts at %s, %s', (zone, day, instant) => {
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
})

describe('day ranges', () => {
  test.each([
    ['UTC', '2026-11-14', '2026-11-15', '2026-11-14T00:00:00.000Z', '2026-11-15T23:59:59.999Z'],
    ['Europe/Berlin', '2026-11-14', '2026-11-14', '2026-11-13T23:00:00.000Z', '2026-11-14T22:59:59.999Z'],
    // The day on which the clocks go back has 25 hours.
    ['Europe/Berlin', '2026-10-25', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
    ['Asia/Tokyo', '2026-01-01', '2026-01-31', '2025-12-31T15:00:00.000Z', '2026-01-31T14:59:59.999Z'],
  ])('in %s the days %s to %s are the instants %s to %s', (zone, from, to, first, last) => {
    const instants = instantsOf({ from, to }, zone)
    expect([instants.from.toISOString(), instants.to.toISOString()]).toEqual([first, last])
  })

  test.each([
    ['2026-11-15', '2026-11-15'],
    ['2026-11-14T23:30:00.000Z', '2026-11-15'],
    ['2026-11-15T22:59:59.999Z', '2026-11-15'],
    ['2026-02-30', undefined],
    ['soon', undefined],
    ['9999-12-31T23:59:59-23:59', undefined],
  ])('a saved %s is the day %s in Berlin', (text, day) => {
    expect(readDayOf(text, 'Europe/Berlin')).toBe(day)
  })
})

test.each([
  ['UTC', true],
  ['Europe/Berlin', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Europe/Atlantis', false],
  ['+02:00', false],
  ['', false],
  ['Europe/Berlin ', false],
])('whether %j is the name of a time zone is %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected)
})

test.each([
  ['UTC', '2026-10-25T00:30:00.000Z', '2026-10-25 00:30:00'],
  ['Europe/Berlin', '2026-10-25T00:30:00.000Z', '2026-10-25 02:30:00'],
  ['Europe/Berlin', '2026-10-25T01:30:00.999Z', '2026-10-25 02:30:00'],
  ['Pacific/Auckland', '2026-12-31T12:00:01.000Z', '2027-01-01 01:00:01'],
])('the clock of %s at %s shows %s', (zone, instant, time) => {
  expect(timeIn(zone, new Date(instant))).toBe(time)
})
