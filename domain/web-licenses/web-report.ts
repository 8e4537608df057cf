import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { type DayRange, instantsOf } from '#domain/calendar/day-range.ts'
import type { Term } from '#domain/entitlements/term.ts'
import { daysIn, peakPerDay, type SeatUse, seatsPerDay } from '#domain/web-licenses/peak-use.ts'
import type { WebLicenseKind } from '#domain/web-licenses/web-license.ts'

/** A checkout that overlaps the range. Its end is the present if it still runs. */
export type ReportedCheckout = {
  readonly activationId: string
  readonly kind: WebLicenseKind
  readonly product: string
  readonly user: string
  readonly from: Date
  readonly to: Date
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
export type UserUse = {
  readonly user: string
  readonly checkouts: number
  readonly products: number
  readonly hours: number
  readonly denials: number
}
export type ReasonCount = { readonly reason: string; readonly count: number }
export type WebReport = {
  readonly products: readonly ProductUse[]
  readonly users: readonly UserUse[]
  readonly reasons: readonly ReasonCount[]
}

type ReportInput = {
  readonly range: DayRange
  readonly timeZone: string
  readonly entitlements: readonly ReportedEntitlement[]
  readonly checkouts: readonly ReportedCheckout[]
  readonly denials: readonly ReportedDenials[]
}

/**
 * How the web licenses of an account were used. Hours are those within the range, of each checkout with two decimals. A product that nobody could use, nobody
 * used and nobody was denied is left out.
 */
export function createWebReport({ range, timeZone, entitlements, checkouts, denials }: ReportInput): WebReport {
  const bounds = instantsOf(range, timeZone)
  const products = [...new Set([...entitlements, ...checkouts, ...denials].map(({ product }) => product))].sort()
  const rangeDays = daysIn(range, timeZone)
  const { days } = rangeDays
  const byProduct = Map.groupBy(checkouts, ({ product }) => product)
  const byUser = Map.groupBy(checkouts, ({ user }) => user)
  const denied = (key: 'product' | 'user' | 'reason', value: string) =>
    denials.reduce((sum, one) => (one[key] === value ? sum + one.count : sum), 0)
  return {
    products: products
      .map((product): ProductUse => {
        const own = byProduct.get(product) ?? []
        const limits = seatsPerDay(
          entitlements.filter((one) => one.product === product),
          rangeDays,
        )
        const peaks = peakPerDay(own.map(toSeatUse), rangeDays)
        const peak = Math.max(0, ...peaks)
        return {
          product,
          limit: Math.max(0, ...limits),
          peak,
          peakDay: peak > 0 ? (days[peaks.indexOf(peak)] ?? null) : null,
          checkouts: own.length,
          users: new Set(own.map(({ user }) => user)).size,
          hours: hoursOf(own, bounds),
          denials: denied('product', product),
          days: days.map((day, index) => ({ day, peak: peaks[index] ?? 0, limit: limits[index] ?? 0 })),
        }
      })
      .filter(({ limit, checkouts: count, denials: refused }) => limit > 0 || count > 0 || refused > 0),
    users: [...new Set([...byUser.keys(), ...denials.map(({ user }) => user)])].sort().map((user) => {
      const own = byUser.get(user) ?? []
      return {
        user,
        checkouts: own.length,
        products: new Set(own.map(({ product }) => product)).size,
        hours: hoursOf(own, bounds),
        denials: denied('user', user),
      }
    }),
    reasons: [...new Set(denials.map(({ reason }) => reason))]
      .map((reason) => ({ reason, count: denied('reason', reason) }))
      .sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1)),
  }
}

/** All checkouts of a named user run on one seat; every shared checkout takes one of its own. */
export const toSeatUse = ({ kind, activationId, user, from, to }: ReportedCheckout): SeatUse =>
  kind === 'SUBSCRIPTION' ? { seat: `${activationId} ${user}`, from, to } : { from, to }

/** A hundredth of an hour, in milliseconds. */
const HUNDREDTH = 36_000

/**
 * Every checkout is rounded once, as the list of checkouts shows it: to two decimals, at least 0.01. Products and users add
 * up the same rounded hours, so both have the same total.
 */
function hoursOf(checkouts: readonly ReportedCheckout[], bounds: { from: Date; to: Date }): number {
  const hundredths = checkouts.reduce((sum, { from, to }) => {
    const start = Math.max(from.getTime(), bounds.from.getTime())
    // The range ends with the last millisecond of its last day.
    const end = Math.min(to.getTime(), bounds.to.getTime() + 1)
    return sum + Math.max(1, Math.round((end - start) / HUNDREDTH))
  }, 0)
  return hundredths / 100
}
