import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, type CalendarDay } from '#domain/calendar/calendar-day.ts'
import { byDrawOrder } from '#domain/elastic/balances/draw-charge.ts'
import {
  FORECAST_WINDOWS,
  type ForecastBalance,
  forecastRunOut,
  type RunOut,
  runOutText,
  type UseHistory,
} from '#domain/elastic/balances/run-out.ts'

const TODAY = '2026-11-16'
const day = (offset: number): CalendarDay => addDays(TODAY, offset)

/** Valid for a year around today, with 100 units left, unless the values say otherwise. */
const balance = (values: Partial<ForecastBalance> = {}): ForecastBalance => ({
  activationId: 'A',
  startDate: day(-100),
  endDate: day(300),
  currency: 'AEU',
  left: '100.00',
  ...values,
})

/** An equal amount on every one of the last days, and before them if usage began earlier. */
const daily = (used: string, days = 90, values: Partial<UseHistory> = {}): UseHistory => ({
  currency: 'AEU',
  days: Array.from({ length: days }, (_, at) => ({ day: day(-1 - at), used })),
  isLonger: days >= 90,
  ...values,
})
const once = (offset: number, used: string, isLonger = true): UseHistory => ({
  currency: 'AEU',
  days: [{ day: day(offset), used }],
  isLonger,
})

function runOuts(balances: readonly ForecastBalance[], ...histories: UseHistory[]): Record<string, RunOut[]> {
  const forecasts = forecastRunOut(TODAY, balances, histories)
  return Object.fromEntries(
    forecasts.map(({ activationId, windows }) => [activationId, windows.map(({ runOut }) => runOut)]),
  )
}
const NO_USAGE = { kind: 'no usage' }
const on = (offset: number) => ({ kind: 'runs out', on: day(offset) })
const unused = (units: string) => ({ kind: 'not used up', unused: units })
const inEach = (runOut: unknown) => FORECAST_WINDOWS.map(() => runOut)

describe('the forecast of one balance', () => {
  test.each<[string, ForecastBalance, UseHistory | undefined, unknown[]]>([
    ['without any usage is not forecast', balance(), undefined, inEach(NO_USAGE)],
    [
      'with usage today only is not forecast: the day is not over',
      balance(),
      once(0, '50.00', false),
      inEach(NO_USAGE),
    ],
    [
      'is used up on the day on which its last unit goes, today being the first',
      balance(),
      daily('10.00'),
      inEach(on(9)),
    ],
    ['that does not divide evenly lasts into the next day', balance(), daily('9.99'), inEach(on(10))],
    ['smaller than a day’s usage is used up today', balance({ left: '0.01' }), daily('10.00'), inEach(on(0))],
    ['with nothing left is used up', balance({ left: '0.00' }), daily('10.00'), inEach({ kind: 'used up' })],
    ['that is overdrawn is used up', balance({ left: '-3.00' }), undefined, inEach({ kind: 'used up' })],
    [
      'that ends before it is used up keeps the rest',
      balance({ endDate: day(4) }),
      daily('10.00'),
      inEach(unused('50.00')),
    ],
    ['that is used up on its last day leaves nothing', balance({ endDate: day(9) }), daily('10.00'), inEach(on(9))],
    ['that ends today is drawn on today', balance({ endDate: day(0) }), daily('10.00'), inEach(unused('90.00'))],
    [
      'that has not started is drawn on from its start',
      balance({ startDate: day(20) }),
      daily('10.00'),
      inEach(on(29)),
    ],
    ['without an end is forecast as well', balance({ endDate: null }), daily('10.00'), inEach(on(9))],
    [
      'that would last for more than 100 years is not used up',
      balance({ endDate: null, left: '1000000.00' }),
      daily('0.01'),
      inEach(unused('999635.00')),
    ],
    [
      'of an account whose usage grew is used up earlier at the newer rate',
      balance({ left: '900.00' }),
      { ...daily('30.00', 7), isLonger: true },
      [on(29), on(128), unused('197.67')],
    ],
    [
      'of an account that paused last week has no date by that week',
      balance(),
      once(-20, '300.00'),
      [NO_USAGE, on(9), on(29)],
    ],
    [
      'with less history than the window is averaged over the days since the first usage',
      balance(),
      daily('10.00', 5),
      inEach(on(9)),
    ],
    ['counts days without usage since the first one', balance(), once(-10, '100.00', false), [NO_USAGE, on(9), on(9)]],
    ['is not forecast where corrections exceed usage', balance(), once(-3, '-5.00'), inEach(NO_USAGE)],
    [
      'is averaged net of corrections',
      balance(),
      {
        currency: 'AEU',
        isLonger: true,
        days: [
          { day: day(-2), used: '80.00' },
          { day: day(-1), used: '-10.00' },
        ],
      },
      [on(9), on(42), on(128)],
    ],
    [
      'is not drawn on by usage in another currency',
      balance(),
      daily('10.00', 90, { currency: 'EUR' }),
      inEach(NO_USAGE),
    ],
    ['with fractions of a cent is rounded down', balance({ left: '20.0099' }), daily('10.00'), inEach(on(1))],
  ])('a balance %s', (_, one, history, expected) => {
    expect(runOuts([one], ...(history ? [history] : []))).toEqual({ A: expected })
  })

  test('a balance whose term is over is left out', () => {
    expect(runOuts([balance({ endDate: day(-1) })], daily('1.00'))).toEqual({})
  })

  test('a forecast has the average use per day and the number of days it was taken from', () => {
    const [{ windows } = { windows: [] }] = forecastRunOut(TODAY, [balance()], [once(-10, '100.00', false)])
    expect(windows.map(({ window, averagedDays, perDay }) => [window, averagedDays, perDay])).toEqual([
      [7, 7, '0.00'],
      [30, 10, '10.00'],
      [90, 10, '10.00'],
    ])
  })
})

describe('several balances are used in the order in which they end', () => {
  const first = balance({ activationId: 'first', endDate: day(100), left: '50.00' })
  const second = balance({ activationId: 'second', endDate: day(200), left: '30.00' })

  test('a balance is drawn on when the one before it is used up', () => {
    expect(runOuts([second, first], daily('10.00'))).toEqual({ first: inEach(on(4)), second: inEach(on(7)) })
  })

  test('the next one takes over when a term ends', () => {
    expect(runOuts([second, { ...first, endDate: day(1) }], daily('10.00'))).toEqual({
      first: inEach(unused('30.00')),
      second: inEach(on(4)),
    })
  })

  test('a balance that starts later and ends first interrupts the others', () => {
    const between = balance({ activationId: 'between', startDate: day(2), endDate: day(50), left: '20.00' })
    expect(runOuts([first, between], daily('10.00'))).toEqual({ between: inEach(on(3)), first: inEach(on(6)) })
  })

  test('a used-up balance is passed over, and nothing is drawn while none is valid', () => {
    const later = balance({ activationId: 'later', startDate: day(40), left: '10.00' })
    const used = { ...first, left: '0.00' }
    expect(runOuts([used, second, later], daily('10.00'))).toEqual({
      first: inEach({ kind: 'used up' }),
      second: inEach(on(2)),
      later: inEach(on(40)),
    })
  })

  test('each currency is forecast by itself', () => {
    const euro = balance({ activationId: 'euro', currency: 'EUR', endDate: day(50) })
    const histories = [daily('10.00'), daily('50.00', 90, { currency: 'EUR' })]
    expect(runOuts([first, euro], ...histories)).toEqual({ euro: inEach(on(1)), first: inEach(on(4)) })
  })
})

test('gives the same days as drawing day by day', () => {
  const offsets = { min: -20, max: 60 }
  const oneBalance = fc.record({
    from: fc.integer(offsets),
    length: fc.integer({ min: 0, max: 60 }),
    cents: fc.integer({ min: 1, max: 20_000 }),
  })
  fc.assert(
    fc.property(
      fc.array(oneBalance, { minLength: 1, maxLength: 6 }),
      fc.array(fc.integer({ min: -200, max: 2000 }), { minLength: 7, maxLength: 7 }),
      (sold, cents) => {
        const balances = sold.map(({ from, length, cents: left }, at) =>
          balance({
            activationId: `B${at}`,
            startDate: day(from),
            endDate: day(from + length),
            left: (left / 100).toFixed(2),
          }),
        )
        const history = { ...daily('0', 7), isLonger: true }
        const days = history.days.map((one, at) => ({ ...one, used: ((cents[at] ?? 0) / 100).toFixed(2) }))
        const weekly = cents.reduce((sum, one) => sum + one, 0)
        const found = runOuts(balances, { ...history, days })
        for (const [id, runOut] of Object.entries(drawDayByDay(balances, weekly)))
          expect([id, runOutText(found[id]?.[0] as RunOut)]).toEqual([id, runOut])
      },
    ),
  )
})

/** In hundredths of a seventh, so that a day takes a seventh of what the week took. */
function drawDayByDay(balances: readonly ForecastBalance[], weekly: number): Record<string, string> {
  const current = balances.filter(({ endDate }) => (endDate ?? '') >= TODAY).sort(byDrawOrder)
  const left = new Map(current.map((one) => [one.activationId, Math.round(Number(one.left) * 100) * 7]))
  const found = Object.fromEntries(
    current.map(({ activationId }) => [activationId, weekly > 0 ? 'Not used up' : 'No usage']),
  )
  for (let offset = 0; weekly > 0 && offset < 200; offset++) {
    let demand = weekly
    for (const { activationId, startDate, endDate } of current) {
      const rest = left.get(activationId) ?? 0
      if (rest === 0 || startDate > day(offset) || (endDate ?? '') < day(offset)) continue
      const part = Math.min(rest, demand)
      demand -= part
      left.set(activationId, rest - part)
      if (part === rest) found[activationId] = day(offset)
      if (demand === 0) break
    }
  }
  return found
}
