import { expect, test } from 'vitest'
import { addDays } from '#domain/calendar/calendar-day.ts'
import type { UnitsEnd } from '#domain/elastic/balances/usage-trend.ts'
import { unitMatters } from '#domain/home/unit-matters.ts'

const today = '2026-11-16'
const runsOut = (days: number): UnitsEnd => ({ kind: 'runs out', on: addDays(today, days) })
const usable = { balances: [{ isActive: true }, { isActive: false }], trends: [], lastEnd: null, hasDenials: false }
const brief = (change: Partial<Parameters<typeof unitMatters>[0]>) =>
  unitMatters({ ...usable, ...change }, today).map(({ kind, subject, day }) => [kind, subject, day].join(' ').trim())

test.each<[string, UnitsEnd, string[]]>([
  ['run out in 20 days', runsOut(20), ['UNITS_RUN_OUT  2026-12-06']],
  ['run out on the 60th day', runsOut(59), ['UNITS_RUN_OUT  2027-01-14']],
  ['run out on the 61st day', runsOut(60), []],
  ['outlast their term', { kind: 'not used up', until: addDays(today, 9) }, []],
  ['are not used', { kind: 'no usage' }, []],
])('Home tells of units that %s only if they run out soon', (_, end, expected) => {
  expect(brief({ trends: [{ currency: 'AEU', end }] })).toEqual(expected)
})

test('Home tells the day of each currency on which its units run out', () => {
  const trends = [
    { currency: 'AEC', end: runsOut(50) },
    { currency: 'AEU', end: runsOut(5) },
    { currency: 'EUR', end: { kind: 'no usage' } as const },
  ]
  expect(brief({ trends })).toEqual(['UNITS_RUN_OUT AEC 2027-01-05', 'UNITS_RUN_OUT AEU 2026-11-21'])
})

test('Home tells once that all units are used up, even if others begin later', () => {
  const trends = [{ currency: 'AEU', end: runsOut(20) }]
  expect(brief({ balances: [{ isActive: false }, { isActive: false }], trends })).toEqual(['UNITS_USED_UP'])
})

test.each([
  ['ended yesterday', 1, false, true],
  ['ended 90 days ago', 90, false, true],
  ['ended 91 days ago', 91, false, false],
  ['ended years ago while session starts are denied', 900, true, true],
])('Home tells of units that %s: $3', (_, daysAgo, hasDenials, isTold) => {
  const lastEnd = addDays(today, -daysAgo)
  expect(brief({ balances: [], lastEnd, hasDenials })).toEqual(isTold ? [`UNITS_ENDED  ${lastEnd}`] : [])
})

test('Home is silent about an account whose first units have not begun', () => {
  expect(brief({ balances: [] })).toEqual([])
})
