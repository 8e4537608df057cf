import { describe, expect, test } from 'vitest'
import {
  duePeriod,
  isSameSchedule,
  lastPeriod,
  NO_RECIPIENT,
  recipientsError,
} from '#domain/elastic/statements/statement-schedule.ts'

test.each([
  ['weekly', '2026-11-16', '2026-11-09', '2026-11-15'],
  ['weekly', '2026-11-22', '2026-11-09', '2026-11-15'],
  ['monthly', '2026-11-01', '2026-10-01', '2026-10-31'],
  ['monthly', '2026-03-31', '2026-02-01', '2026-02-28'],
] as const)('the last %s period on %s is from %s to %s', (kind, day, from, to) => {
  expect(lastPeriod(kind, day)).toEqual({ from, to })
})

describe('due statements', () => {
  const due = (kind: 'weekly' | 'monthly', through: string | null, timeZone: string, now: string) =>
    duePeriod(kind, through, { timeZone, now: new Date(now) })?.to

  test.each([
    ['is due on Monday at 6', 'weekly', '2026-11-08', 'UTC', '2026-11-16T06:00:00Z', '2026-11-15'],
    ['is not due before 6', 'weekly', '2026-11-08', 'UTC', '2026-11-16T05:59:59Z', undefined],
    [
      'is due at 6 in the time zone of the account',
      'weekly',
      '2026-11-08',
      'Asia/Tokyo',
      '2026-11-15T21:00:00Z',
      '2026-11-15',
    ],
    [
      'is not due while the account still has Sunday',
      'weekly',
      '2026-11-08',
      'America/Los_Angeles',
      '2026-11-16T06:00:00Z',
      undefined,
    ],
    ['is due only once', 'weekly', '2026-11-15', 'UTC', '2026-11-18T12:00:00Z', undefined],
    [
      'is due for the latest period only after an outage',
      'weekly',
      '2026-10-04',
      'UTC',
      '2026-11-18T12:00:00Z',
      '2026-11-15',
    ],
    [
      'is due on the first of the month',
      'monthly',
      '2026-10-31',
      'Europe/Berlin',
      '2026-12-01T05:00:00Z',
      '2026-11-30',
    ],
    ['is not due when it is switched off', 'monthly', null, 'UTC', '2026-12-01T12:00:00Z', undefined],
  ] as const)('a scheduled statement %s', (_, kind, through, timeZone, now, expected) => {
    expect(due(kind, through, timeZone, now)).toBe(expected)
  })
})

test.each([
  [{ weekly: false, monthly: false, recipients: [] }, undefined],
  [{ weekly: true, monthly: false, recipients: [] }, NO_RECIPIENT],
  [{ weekly: false, monthly: true, recipients: [] }, NO_RECIPIENT],
  [{ weekly: true, monthly: true, recipients: ['a@b.example'] }, undefined],
])('a schedule needs a recipient while it is on: %o', (schedule, error) => {
  expect(recipientsError(schedule)).toBe(error)
})

test('the order of recipients makes no difference', () => {
  const one = { weekly: true, monthly: false, recipients: ['a@b.example', 'c@d.example'] }
  expect(isSameSchedule(one, { ...one, recipients: ['c@d.example', 'a@b.example'] })).toBe(true)
  expect(isSameSchedule(one, { ...one, recipients: ['a@b.example'] })).toBe(false)
  expect(isSameSchedule(one, { ...one, monthly: true })).toBe(false)
})
