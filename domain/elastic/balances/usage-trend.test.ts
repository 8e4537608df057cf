import { describe, expect, test } from 'vitest'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { type ForecastBalance, forecastRunOut } from '#domain/elastic/balances/run-out.ts'
import { type DailyUse, forecastUntil, type UnitsEnd, usageTrends } from '#domain/elastic/balances/usage-trend.ts'

const TODAY = '2026-11-16'
const day = (offset: number) => addDays(TODAY, offset)
const balance = (left: string, values: Partial<ForecastBalance> = {}): ForecastBalance => ({
  activationId: `with ${left}`,
  startDate: day(-100),
  endDate: day(300),
  currency: 'AEU',
  left,
  ...values,
})
const daily = (used: string, currency = 'AEU'): DailyUse => ({
  currency,
  days: Array.from({ length: 30 }, (_, at) => ({ day: day(-1 - at), used })),
})

function trendsOf(balances: readonly ForecastBalance[], ...usage: DailyUse[]) {
  const histories = usage.map((one) => ({ ...one, isLonger: true }))
  return usageTrends({ asOf: TODAY, balances: forecastRunOut(TODAY, balances, histories), usage })
}

describe('the usage trend of a currency', () => {
  test.each<[string, ForecastBalance[], DailyUse[], UnitsEnd]>([
    ['one balance runs out', [balance('100.00')], [daily('10.00')], { kind: 'runs out', on: day(9) }],
    [
      'of several balances, the last one counts',
      [balance('100.00'), balance('50.00', { endDate: day(400) })],
      [daily('10.00')],
      { kind: 'runs out', on: day(14) },
    ],
    [
      'a used-up balance does not count beside others',
      [balance('100.00'), balance('-7.00')],
      [daily('10.00')],
      { kind: 'runs out', on: day(9) },
    ],
    ['nothing is left', [balance('0.00')], [daily('10.00')], { kind: 'used up' }],
    ['overdrawn', [balance('-12.34')], [daily('10.00')], { kind: 'used up' }],
    [
      'more than is used until the end',
      [balance('90000.00')],
      [daily('10.00')],
      { kind: 'not used up', until: day(300) },
    ],
    [
      'without an end date',
      [balance('9000000.00', { endDate: null })],
      [daily('10.00')],
      { kind: 'not used up', until: null },
    ],
    [
      'units that are left of one balance do not help when the last one is used up',
      [balance('100.00', { endDate: day(1) }), balance('50.00', { endDate: day(400) })],
      [daily('10.00')],
      { kind: 'runs out', on: day(6) },
    ],
    ['no usage yet', [balance('100.00')], [], { kind: 'no usage' }],
    ['every term is over', [balance('5.00', { endDate: day(-1) })], [daily('10.00')], { kind: 'no balance' }],
  ])('says what becomes of the units: %s', (_, balances, usage, end) => {
    expect(trendsOf(balances, ...usage).map((trend) => trend.end)).toEqual([end])
  })

  test('has every one of the last 90 days and today, days without usage included', () => {
    const usage = {
      currency: 'AEU',
      days: [
        { day: TODAY, used: '0.5' },
        { day: day(-90), used: '20' },
        { day: day(-3), used: '-1.25' },
      ],
    }
    const [trend] = trendsOf([balance('100.00')], usage)
    expect(trend?.days).toHaveLength(91)
    expect(trend?.days[0]).toEqual({ day: day(-90), used: '20.00' })
    expect(trend?.days.slice(-4).map(({ used }) => used)).toEqual(['-1.25', '0.00', '0.00', '0.50'])
    expect(trend?.total).toBe('19.25')
  })

  test('assumes the average of the last 30 days, as statements do', () => {
    expect(trendsOf([balance('100.00')], daily('12.50')).map(({ perDay }) => perDay)).toEqual(['12.50'])
    expect(trendsOf([], daily('12.50')).map(({ perDay }) => perDay)).toEqual([null])
  })

  test('is separate for each currency', () => {
    const trends = trendsOf([balance('100.00')], daily('10.00'), daily('3.00', 'AEC'))
    expect(trends.map(({ currency, total, end }) => [currency, total, end.kind])).toEqual([
      ['AEC', '90.00', 'no balance'],
      ['AEU', '300.00', 'runs out'],
    ])
  })
})

test.each<[UnitsEnd, string]>([
  [{ kind: 'runs out', on: day(9) }, day(9)],
  [{ kind: 'runs out', on: day(365) }, day(365)],
  [{ kind: 'runs out', on: day(366) }, day(30)],
  [{ kind: 'not used up', until: null }, day(30)],
])('a chart of units that end as %j looks ahead until %s', (end, until) => {
  expect(forecastUntil(TODAY, end)).toBe(until)
})
