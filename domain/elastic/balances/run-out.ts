import { addDays, type CalendarDay, daysBetween } from '#domain/calendar/calendar-day.ts'
import { byDrawOrder, type Drawable } from '#domain/elastic/balances/draw-charge.ts'
import { formatHundredths, toHundredths } from '#domain/money/decimal.ts'

/** Over how many days before today usage is averaged. */
export const FORECAST_WINDOWS = [7, 30, 90] as const
export type ForecastWindow = (typeof FORECAST_WINDOWS)[number]
export const MAX_WINDOW = Math.max(...FORECAST_WINDOWS)

/** The window that is used where there is room for one date only. */
export const USUAL_WINDOW: ForecastWindow = 30

/** Explains to readers how the dates are computed. */
export const FORECAST_METHOD =
  'Method: average usage per day over the last 7, 30 or 90 days (today not included), assumed for every day from today on. ' +
  'If usage began later than that, the average is over the days since then. ' +
  'Usage draws on the balances of its currency in the order in which they end, each from its start date to its end date.'

export type ForecastBalance = Pick<Drawable, 'activationId' | 'startDate' | 'endDate' | 'currency' | 'left'>

/** What an account used in one currency. */
export type UseHistory = {
  readonly currency: string
  /** Net of corrections; days without usage may be missing. Days before the longest window do not count. */
  readonly days: readonly { readonly day: CalendarDay; readonly used: string }[]
  /** Whether there was usage before the longest window. */
  readonly isLonger: boolean
}

export type RunOut =
  /** The balance is used up on this day. */
  | { readonly kind: 'runs out'; readonly on: CalendarDay }
  /** Some of it is left when its term ends, or after 100 years. */
  | { readonly kind: 'not used up'; readonly unused: string }
  | { readonly kind: 'no usage' }
  /** Nothing is left today. */
  | { readonly kind: 'used up' }

export type WindowForecast = {
  readonly window: ForecastWindow
  /** The days over which usage was averaged: fewer than the window if usage began within it. */
  readonly averagedDays: number
  /** Units that the account uses per day in this currency, rounded to 0.01. */
  readonly perDay: string
  readonly runOut: RunOut
}
export type BalanceForecast<B extends ForecastBalance = ForecastBalance> = B & {
  /** In the order of FORECAST_WINDOWS. */
  readonly windows: readonly WindowForecast[]
}

/**
 * Forecasts when each balance is used up if usage continues at the same rate. Balances whose term is over are left out,
 * the others come in the order in which they are drawn on.
 */
export function forecastRunOut<B extends ForecastBalance>(
  today: CalendarDay,
  balances: readonly B[],
  histories: readonly UseHistory[],
): BalanceForecast<B>[] {
  const current = balances.filter(({ endDate }) => endDate === null || endDate >= today).sort(byDrawOrder)
  const rates = new Map<string, readonly Rate[]>()
  const runOuts = new Map<string, readonly ReadonlyMap<string, RunOut>[]>()
  for (const currency of new Set(current.map((one) => one.currency))) {
    const own = FORECAST_WINDOWS.map((window) => averageUse(today, window, historyOf(currency, histories)))
    const drawn = current.filter((one) => one.currency === currency && toHundredths(cents(one.left)) > 0n)
    rates.set(currency, own)
    runOuts.set(
      currency,
      own.map((rate) => drain(today, drawn, rate)),
    )
  }
  return current.map((balance) => ({
    ...balance,
    windows: FORECAST_WINDOWS.map((window, at) => {
      const rate = rates.get(balance.currency)?.[at] ?? { used: 0n, days: window }
      return {
        window,
        averagedDays: rate.days,
        perDay: formatHundredths(divideRounded(rate.used, BigInt(rate.days))),
        runOut: runOuts.get(balance.currency)?.[at]?.get(balance.activationId) ?? { kind: 'used up' },
      }
    }),
  }))
}

/** The text that a table shows instead of the date. */
export function runOutText(runOut: RunOut): string {
  switch (runOut.kind) {
    case 'runs out':
      return runOut.on
    case 'not used up':
      return 'Not used up'
    case 'no usage':
      return 'No usage'
    case 'used up':
      return 'Used up'
  }
}

/** Usage in hundredths over a number of days. */
type Rate = { readonly used: bigint; readonly days: number }

const historyOf = (currency: string, histories: readonly UseHistory[]): UseHistory =>
  histories.find((one) => one.currency === currency) ?? { currency, days: [], isLonger: false }

function averageUse(today: CalendarDay, window: ForecastWindow, { days, isLonger }: UseHistory): Rate {
  const before = days.filter(({ day }) => day < today && day >= addDays(today, -MAX_WINDOW))
  const first = before.map(({ day }) => day).sort()[0]
  const age = isLonger || first === undefined ? window : daysBetween(first, today)
  const start = addDays(today, -window)
  const used = before.filter(({ day }) => day >= start).reduce((sum, one) => sum + toHundredths(cents(one.used)), 0n)
  return { used, days: Math.min(window, age) }
}

const HORIZON_DAYS = 36_500
const NEVER = '9999-99-99'

/**
 * Uses the balances up, from one day on which a term starts or has ended to the next: in between, the same balances are
 * drawn on. Amounts are hundredths times the days of the rate, so that a day takes a whole number of them.
 */
function drain(today: CalendarDay, balances: readonly ForecastBalance[], rate: Rate): ReadonlyMap<string, RunOut> {
  if (rate.used <= 0n) return new Map(balances.map(({ activationId }) => [activationId, { kind: 'no usage' }]))
  const scale = BigInt(rate.days)
  const runOuts = new Map<string, RunOut>()
  const waiting = balances
    .map((one) => ({ ...one, rest: toHundredths(cents(one.left)) * scale }))
    .sort((one, other) => (one.startDate < other.startDate ? -1 : 1))
  let open: typeof waiting = []
  const close = ({ activationId, rest }: (typeof waiting)[number]) =>
    runOuts.set(activationId, { kind: 'not used up', unused: formatHundredths(divideRounded(rest, scale)) })
  const turns = turningDays(today, balances)
  for (const [at, from] of turns.entries()) {
    const later = waiting.findIndex(({ startDate }) => startDate > from)
    const started = waiting.splice(0, later < 0 ? waiting.length : later)
    if (started.length > 0) open = [...open, ...started].sort(byDrawOrder)
    for (let first = open[0]; first && (first.endDate ?? NEVER) < from; first = open[0]) {
      close(first)
      open.shift()
    }
    let demand = rate.used * BigInt(daysBetween(from, turns[at + 1] ?? from))
    let taken = 0n
    for (let first = open[0]; first && first.rest <= demand; first = open[0]) {
      demand -= first.rest
      taken += first.rest
      const days = (taken + rate.used - 1n) / rate.used
      runOuts.set(first.activationId, { kind: 'runs out', on: addDays(from, Number(days) - 1) })
      open.shift()
    }
    if (open[0]) open[0].rest -= demand
  }
  for (const one of [...open, ...waiting]) close(one)
  return runOuts
}

/** Today, each later day on which a term starts or is over, and the horizon. */
function turningDays(today: CalendarDay, balances: readonly ForecastBalance[]): CalendarDay[] {
  const horizon = addDays(today, HORIZON_DAYS)
  const turns = new Set([today, horizon])
  for (const { startDate, endDate } of balances) {
    if (startDate > today && startDate < horizon) turns.add(startDate)
    if (endDate !== null && endDate < horizon) turns.add(addDays(endDate, 1))
  }
  return [...turns].sort()
}

/** Totals may have more decimals than charges do; the forecast is no more exact than 0.01. */
function cents(amount: string): string {
  const point = amount.indexOf('.')
  return point < 0 ? amount : amount.slice(0, point + 3)
}

const divideRounded = (value: bigint, divisor: bigint) =>
  (2n * value + (value < 0n ? -divisor : divisor)) / (2n * divisor)
