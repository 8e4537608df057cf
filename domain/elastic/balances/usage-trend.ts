import { addDays, type CalendarDay, daysBetween } from '#domain/calendar/calendar-day.ts'
import {
  type BalanceForecast,
  MAX_WINDOW,
  type RunOut,
  USUAL_WINDOW,
  type UseHistory,
} from '#domain/elastic/balances/run-out.ts'
import { sum, toFixedText } from '#domain/money/decimal.ts'

export type DailyUse = Pick<UseHistory, 'currency' | 'days'>

/** What becomes of all units of one currency. */
export type UnitsEnd =
  | { readonly kind: 'runs out'; readonly on: CalendarDay }
  /** Some are left when the last term ends. */
  | { readonly kind: 'not used up'; readonly until: CalendarDay | null }
  | { readonly kind: 'no usage' | 'used up' | 'no balance' }

export type UsageTrend = {
  readonly currency: string
  /** Every one of the last days, the last one being today. */
  readonly days: readonly { readonly day: CalendarDay; readonly used: string }[]
  readonly total: string
  /** Units per day that the forecast assumes from today on; null without any units. */
  readonly perDay: string | null
  readonly end: UnitsEnd
}

/** How far a chart looks ahead, in days: to the day on which units run out, if that is not too far away. */
const AHEAD = 30
const FARTHEST = 365

/** The last day of the forecast in a chart. */
export function forecastUntil(today: CalendarDay, end: UnitsEnd): CalendarDay {
  return end.kind === 'runs out' && end.on <= addDays(today, FARTHEST) ? end.on : addDays(today, AHEAD)
}

type Forecast = {
  readonly asOf: CalendarDay
  readonly balances: readonly BalanceForecast[]
  readonly usage: readonly DailyUse[]
}

/** The usage of every day and what it leads to, by currency: the same forecast as in statements. */
export function usageTrends({ asOf, balances, usage }: Forecast): UsageTrend[] {
  const currencies = [...new Set([...usage, ...balances].map(({ currency }) => currency))].sort()
  return currencies.map((currency) => {
    const usual = balances
      .filter((one) => one.currency === currency)
      .flatMap(({ endDate, windows }) =>
        windows.filter(({ window }) => window === USUAL_WINDOW).map((one) => ({ ...one, endDate })),
      )
    const days = everyDay(asOf, usage.find((one) => one.currency === currency)?.days ?? [])
    return {
      currency,
      days,
      total: toFixedText(sum(days.map(({ used }) => used)), 2),
      perDay: usual[0]?.perDay ?? null,
      end: endOf(usual),
    }
  })
}

/** Days without usage are missing in the sums. */
function everyDay(today: CalendarDay, days: DailyUse['days']): UsageTrend['days'] {
  const used = new Map(days.map((one) => [one.day, one.used]))
  const first = addDays(today, -MAX_WINDOW)
  return Array.from({ length: daysBetween(first, today) + 1 }, (_, at) => {
    const day = addDays(first, at)
    return { day, used: toFixedText(used.get(day) ?? '0', 2) }
  })
}

/** The balance that lasts longest decides: units that are left of another one end before. */
function endOf(balances: readonly { readonly endDate: CalendarDay | null; readonly runOut: RunOut }[]): UnitsEnd {
  if (balances.length === 0) return { kind: 'no balance' }
  if (balances.some(({ runOut }) => runOut.kind === 'no usage')) return { kind: 'no usage' }
  const ends = balances.flatMap(({ endDate, runOut }): { day: CalendarDay; end: UnitsEnd }[] => {
    if (runOut.kind === 'runs out') return [{ day: runOut.on, end: runOut }]
    return runOut.kind === 'not used up'
      ? [{ day: endDate ?? NEVER, end: { kind: 'not used up', until: endDate } }]
      : []
  })
  const [last] = ends.sort((one, other) => (one.day < other.day ? 1 : -1))
  return last?.end ?? { kind: 'used up' }
}

/** After every day. */
const NEVER = '9999-99-99'
