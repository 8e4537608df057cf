import { describe, expect, test } from 'vitest'
import { formatSchedule, isLate, lastTime, nextTime, parseSchedule, toCron } from '#domain/upkeep/schedule.ts'

const at = (text: string) => new Date(`${text}:00Z`)
const schedule = (text: string) => parseSchedule(text)!

describe('a schedule', () => {
  test.each([
    ['02:15', '15 2 * * *'],
    ['23:59', '59 23 * * *'],
    ['Sun 04:15', '15 4 * * 0'],
    ['Sat 00:00', '0 0 * * 6'],
  ])('%s is read, written back and known to the job queue as %s', (text, cron) => {
    expect(formatSchedule(schedule(text))).toBe(text)
    expect(toCron(schedule(text))).toBe(cron)
  })

  test.each(['', '2:15', '24:00', '02:60', 'Sunday 02:15', 'sun 02:15', '15 2 * * *', '02:15 ', 'Sun  02:15'])(
    '"%s" is none',
    (text) => expect(parseSchedule(text)).toBeUndefined(),
  )

  // 2026-11-18 is a Wednesday.
  test.each([
    ['02:15', '2026-11-18T02:14', '2026-11-18T02:15', '2026-11-17T02:15'],
    ['02:15', '2026-11-18T02:15', '2026-11-19T02:15', '2026-11-18T02:15'],
    ['02:15', '2026-12-31T23:00', '2027-01-01T02:15', '2026-12-31T02:15'],
    ['Sun 04:15', '2026-11-18T10:00', '2026-11-22T04:15', '2026-11-15T04:15'],
    ['Wed 09:00', '2026-11-18T10:00', '2026-11-25T09:00', '2026-11-18T09:00'],
    ['Wed 11:00', '2026-11-18T10:00', '2026-11-18T11:00', '2026-11-11T11:00'],
  ])('%s at %s comes next at %s and came last at %s', (text, now, next, last) => {
    expect(nextTime(schedule(text), at(now))).toEqual(at(next))
    expect(lastTime(schedule(text), at(now))).toEqual(at(last))
  })
})

describe('a backup or drill is late', () => {
  test.each([
    ['never ran', '02:15', undefined, '2026-11-18T10:00', true],
    ['ran after its last time', '02:15', '2026-11-18T02:20', '2026-11-18T10:00', false],
    ['did not run at its last time', '02:15', '2026-11-17T02:20', '2026-11-18T10:00', true],
    ['is due for less than two hours', '02:15', '2026-11-17T02:20', '2026-11-18T04:14', false],
    ['is due for two hours', '02:15', '2026-11-17T02:14', '2026-11-18T04:15', true],
    ['ran this week', 'Sun 04:15', '2026-11-15T04:20', '2026-11-18T10:00', false],
    ['did not run this week', 'Sun 04:15', '2026-11-14T04:20', '2026-11-18T10:00', true],
  ])('by its schedule, if it %s', (_, text, last, now, expected) => {
    const lastSuccess = last === undefined ? undefined : at(last)
    expect(isLate('backup', schedule(text), { lastSuccess, now: at(now) })).toBe(expected)
  })

  test.each([
    ['backup', undefined, true],
    ['backup', '2026-11-16T10:00', false],
    ['backup', '2026-11-16T09:59', true],
    ['drill', '2026-10-18T10:00', false],
    ['drill', '2026-10-18T09:59', true],
  ] as const)('without a schedule: %s after %s is %s', (kind, last, expected) => {
    const lastSuccess = last === undefined ? undefined : at(last)
    expect(isLate(kind, undefined, { lastSuccess, now: at('2026-11-18T10:00') })).toBe(expected)
  })
})
