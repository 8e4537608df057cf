import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { Term } from '#domain/entitlements/term.ts'
import { type RangeDays, seatsPerDay } from '#domain/web-licenses/range-days.ts'

/** How a product was used on the days of a range. */
export type CountedUse = {
  readonly product: string
  /** The most seats that were in use at the same time, for each day; and of shared seats, on any day. */
  readonly peaks: readonly number[]
  readonly sharedPeak: number
  readonly checkouts: number
  readonly users: number
  /** How many of them are named users. */
  readonly namedUsers: number
  readonly hours: number
}
export type CountedUser = {
  readonly user: string
  readonly checkouts: number
  readonly products: number
  readonly hours: number
}
export type ReportedEntitlement = { readonly product: string; readonly term: Term; readonly quantity: number }
/** Denials of one user for one product and one reason. */
export type ReportedDenials = {
  readonly product: string
  readonly user: string
  readonly reason: string
  readonly count: number
}

export type DayUse = { readonly day: CalendarDay; readonly peak: number; readonly limit: number }
export type ProductUse = {
  readonly product: string
  /** The most seats that the account had on a day of the range. */
  readonly limit: number
  readonly peak: number
  /** The first day with the peak; null without use. */
  readonly peakDay: CalendarDay | null
  readonly checkouts: number
  readonly users: number
  readonly hours: number
  readonly denials: number
  readonly days: readonly DayUse[]
}
export type UserUse = CountedUser & { readonly denials: number }
export type ReasonCount = { readonly reason: string; readonly count: number }
export type WebReport = {
  readonly products: readonly ProductUse[]
  readonly users: readonly UserUse[]
  readonly reasons: readonly ReasonCount[]
}

type ReportInput = {
  readonly rangeDays: Pick<RangeDays, 'days'>
  readonly entitlements: readonly ReportedEntitlement[]
  readonly used: readonly CountedUse[]
  readonly users: readonly CountedUser[]
  readonly denials: readonly ReportedDenials[]
}

/** How the web licenses of an account were used. A product that nobody could use, nobody used and nobody was denied is left out. */
export function createWebReport({ rangeDays, entitlements, used, users, denials }: ReportInput): WebReport {
  const { days } = rangeDays
  const products = [...new Set([...entitlements, ...used, ...denials].map(({ product }) => product))].sort()
  const owned = Map.groupBy(entitlements, ({ product }) => product)
  const useOf = new Map(used.map((one) => [one.product, one]))
  const userOf = new Map(users.map((one) => [one.user, one]))
  const denied = { product: countBy(denials, 'product'), user: countBy(denials, 'user') }
  return {
    products: products
      .map((product): ProductUse => {
        const { peaks = [], checkouts = 0, users: count = 0, hours = 0 } = useOf.get(product) ?? {}
        const limits = seatsPerDay(owned.get(product) ?? [], rangeDays)
        const peak = Math.max(0, ...peaks)
        return {
          product,
          limit: Math.max(0, ...limits),
          peak,
          peakDay: peak > 0 ? (days[peaks.indexOf(peak)] ?? null) : null,
          checkouts,
          users: count,
          hours,
          denials: denied.product.get(product) ?? 0,
          days: days.map((day, index) => ({ day, peak: peaks[index] ?? 0, limit: limits[index] ?? 0 })),
        }
      })
      .filter(({ limit, checkouts: count, denials: refused }) => limit > 0 || count > 0 || refused > 0),
    users: [...new Set([...userOf.keys(), ...denied.user.keys()])].sort().map((user) => ({
      ...(userOf.get(user) ?? { user, checkouts: 0, products: 0, hours: 0 }),
      denials: denied.user.get(user) ?? 0,
    })),
    reasons: [...countBy(denials, 'reason')]
      .map(([reason, count]) => ({ reason, count }))
      .sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1)),
  }
}

function countBy(denials: readonly ReportedDenials[], key: 'product' | 'user' | 'reason'): Map<string, number> {
  const counts = new Map<string, number>()
  for (const one of denials) counts.set(one[key], (counts.get(one[key]) ?? 0) + one.count)
  return counts
}
