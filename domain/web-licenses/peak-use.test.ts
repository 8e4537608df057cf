import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startOfDay } from '#domain/calendar/calendar-day.ts'
import { daysIn, peakPerDay, type SeatUse, seatsPerDay } from '#domain/web-licenses/peak-use.ts'

const use = (seat: string, from: string, to: string): SeatUse => ({
  seat,
  from: new Date(`2026-06-${from}:00Z`),
  to: new Date(`2026-06-${to}:00Z`),
})
const RANGE = { from: '2026-06-10', to: '2026-06-12' }

describe('peakPerDay', () => {
  test.each<[string, SeatUse[], number[]]>([
    ['is zero without use', [], [0, 0, 0]],
    ['counts what overlaps', [use('1', '10T08:00', '10T10:00'), use('2', '10T09:00', '10T11:00')], [2, 0, 0]],
    [
      'counts one after the other once',
      [use('1', '10T08:00', '10T09:00'), use('2', '10T09:00', '10T10:00')],
      [1, 0, 0],
    ],
    ['counts uses over midnight on both days', [use('1', '10T23:00', '11T01:00')], [1, 1, 0]],
    ['leaves out a day at whose midnight everything ends', [use('1', '10T23:00', '11T00:00')], [1, 0, 0]],
    ['counts what began before and ends after the range', [use('1', '01T00:00', '20T00:00')], [1, 1, 1]],
    ['leaves out what ended before the range', [use('1', '01T00:00', '09T00:00')], [0, 0, 0]],
    ['leaves out what begins after the range', [use('1', '13T00:00', '13T01:00')], [0, 0, 0]],
    [
      'counts uses without a seat each for itself',
      [
        { from: new Date('2026-06-10T08:00Z'), to: new Date('2026-06-10T09:00Z') },
        { from: new Date('2026-06-10T08:00Z'), to: new Date('2026-06-10T09:00Z') },
      ],
      [2, 0, 0],
    ],
    ['counts a use that took no time', [use('1', '11T08:00', '11T08:00')], [0, 1, 0]],
    [
      'counts the same seat once, as when a named user works on two machines',
      [use('ann', '10T08:00', '10T10:00'), use('ann', '10T09:00', '10T12:00'), use('bob', '10T11:00', '10T13:00')],
      [2, 0, 0],
    ],
  ])('%s', (_name, uses, expected) => {
    expect(peakPerDay(uses, daysIn(RANGE, 'UTC'))).toEqual(expected)
  })

  test('takes the days of the account, not those of UTC', () => {
    const late = [use('1', '10T23:00', '10T23:30')]
    expect(peakPerDay(late, daysIn(RANGE, 'Asia/Tokyo'))).toEqual([0, 1, 0])
    expect(peakPerDay(late, daysIn(RANGE, 'America/Los_Angeles'))).toEqual([1, 0, 0])
  })

  test('counts the hour that a clock change repeats', () => {
    const uses = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map((from, index) => ({
      seat: String(index),
      from: new Date(from),
      to: new Date(Date.parse(from) + 45 * 60_000),
    }))
    const range = { from: '2026-10-25', to: '2026-10-25' }
    expect(peakPerDay(uses, daysIn(range, 'Europe/Berlin'))).toEqual([1])
    expect(peakPerDay([...uses, { ...uses[0]!, seat: '9' }], daysIn(range, 'Europe/Berlin'))).toEqual([2])
  })

  test('agrees with counting at every start', () => {
    const minutes = fc.integer({ min: -2000, max: 6000 })
    const uses = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), minutes, fc.integer({ min: 1, max: 3000 })))
    fc.assert(
      fc.property(uses, fc.constantFrom('UTC', 'Asia/Tokyo', 'America/St_Johns'), (drawn, timeZone) => {
        const first = startOfDay(timeZone, RANGE.from).getTime()
        const all = drawn.map(([seat, from, length]) => ({
          seat,
          from: new Date(first + from * 60_000),
          to: new Date(first + (from + length) * 60_000),
        }))
        const inUseAt = (instant: number) =>
          new Set(
            all.filter(({ from, to }) => from.getTime() <= instant && instant < to.getTime()).map(({ seat }) => seat),
          ).size
        const expected = daysIn(RANGE, timeZone).days.map((day) => {
          const start = startOfDay(timeZone, day).getTime()
          const end = start + 24 * 3_600_000
          const instants = [start, ...all.map(({ from }) => from.getTime()).filter((at) => at > start && at < end)]
          return Math.max(...instants.map(inUseAt))
        })
        expect(peakPerDay(all, daysIn(RANGE, timeZone))).toEqual(expected)
      }),
    )
  })
})

test('seatsPerDay adds up what is valid on each day', () => {
  const entitlements = [
    { quantity: 5, term: { startDate: '2026-01-01', endDate: '2026-06-11' } },
    { quantity: 3, term: { startDate: '2026-06-11', endDate: null } },
  ]
  expect(seatsPerDay(entitlements, daysIn(RANGE, 'UTC'))).toEqual([5, 8, 3])
})
