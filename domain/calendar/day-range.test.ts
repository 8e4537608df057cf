import { expect, test } from 'vitest'
import { chooseDay, chosenRange, instantsOf, type RangeChoice, readDayOf } from '#domain/calendar/day-range.ts'

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
])('a saved %s is the day %s in Berlin', (text, day) => {
  expect(readDayOf(text, 'Europe/Berlin')).toBe(day)
})

test.each<[clicks: string[], expected: RangeChoice, isFinished: boolean]>([
  [[], {}, false],
  [['2026-11-10'], { from: '2026-11-10' }, false],
  [['2026-11-10', '2026-11-12'], { from: '2026-11-10', to: '2026-11-12' }, true],
  // The same day twice chooses that day.
  [['2026-11-10', '2026-11-10'], { from: '2026-11-10', to: '2026-11-10' }, true],
  // Before the start a new range starts.
  [['2026-11-10', '2026-11-03'], { from: '2026-11-03' }, false],
  [['2026-11-10', '2026-11-03', '2026-11-05'], { from: '2026-11-03', to: '2026-11-05' }, true],
  // In a finished range the next click starts a new one.
  [['2026-11-10', '2026-11-12', '2026-11-11'], { from: '2026-11-11' }, false],
  [['2026-11-10', '2026-11-12', '2026-12-01'], { from: '2026-12-01' }, false],
])('clicks on %j choose %o', (clicks, expected, isFinished) => {
  const choice = clicks.reduce(chooseDay, {} as RangeChoice)
  expect(choice).toEqual(expected)
  expect(chosenRange(choice) !== undefined).toBe(isFinished)
})
