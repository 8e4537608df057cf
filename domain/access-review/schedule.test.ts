import { describe, expect, test } from 'vitest'
import { dueReminder, nextOpening, type ReviewPeriod } from '#domain/access-review/schedule.ts'

test.each<[string, ReviewPeriod, string, string | null, string | null]>([
  ['by hand only', 0, '2026-11-20', '2026-01-01', null],
  ['every 90 days, without a review yet', 90, '2026-11-20', null, '2027-02-18'],
  ['every 90 days after the last one', 90, '2026-01-01', '2026-11-20', '2027-02-18'],
  ['every 180 days', 180, '2026-01-01', '2026-11-20', '2027-05-19'],
  ['every 365 days', 365, '2026-01-01', '2026-11-20', '2027-11-20'],
  ['every 90 days, chosen long after the last review', 90, '2026-11-20', '2025-01-01', '2026-11-20'],
])('a review %s opens on $4', (_, every, chosenOn, lastFinishedOn, next) => {
  expect(nextOpening({ every, chosenOn, lastFinishedOn })).toBe(next)
})

describe('a reminder', () => {
  const review = { openedOn: '2026-11-01', dueOn: '2026-11-15', told: null }
  test.each<[string, string, number | null, number | undefined]>([
    ['is not due 8 days before', '2026-11-07', null, undefined],
    ['is due 7 days before', '2026-11-08', null, 7],
    ['is mailed once', '2026-11-09', 7, undefined],
    ['is due the day before', '2026-11-14', 7, 1],
    ['is due on the due day', '2026-11-15', 1, 0],
    ['of the due day is made up for', '2026-11-20', 7, 0],
    ['is not repeated after the due day', '2026-11-20', 0, undefined],
  ])('%s', (_, today, told, expected) => {
    expect(dueReminder({ ...review, told }, today)).toBe(expected)
  })

  test('is not due on the day of the opening, whose email names the due day', () => {
    expect(dueReminder({ openedOn: '2026-11-01', dueOn: '2026-11-03', told: null }, '2026-11-01')).toBeUndefined()
    expect(dueReminder({ openedOn: '2026-11-01', dueOn: '2026-11-03', told: null }, '2026-11-02')).toBe(1)
  })
})
