import { type Advice, adviseOnSeats, adviseOnUnits, type DenialReason } from '#domain/optimization/advice.ts'
import { type RangeDays, seatsPerDay } from '#domain/web-licenses/range-days.ts'
import type { CountedUse, ReportedDenials, ReportedEntitlement } from '#domain/web-licenses/web-report.ts'

/** Web licenses have seats; elastic products draw on units that they share. */
export const OPTIMIZED_LICENSES = ['Web', 'Elastic'] as const

/** Counting the peak reads every session of the range: with more sessions than this it would take too long. */
export const MAX_COUNTED_SESSIONS = 500_000

export type ProductBalance = {
  readonly license: (typeof OPTIMIZED_LICENSES)[number]
  readonly product: string
  /** The most seats on a day of the range; null for elastic products. */
  readonly seats: number | null
  /** The most seats or sessions in use at the same time; null if there are too many sessions to count. */
  readonly peak: number | null
  /**
   * Seats that would be enough: shared ones at their peak, one for every named user, and those that are missing; null for
   * elastic products.
   */
  readonly needed: number | null
  /** Days on which all seats were in use at the same time; null for elastic products. */
  readonly daysAtLimit: number | null
  /** Units that were used, such as `12.50 AEC`; empty for web licenses. */
  readonly units: string
  readonly denials: number
  /** Why, the most frequent reason first. */
  readonly reasons: readonly DenialReason[]
  readonly advice: Advice
}

export type WebUse = {
  readonly rangeDays: Pick<RangeDays, 'days'>
  readonly entitlements: readonly ReportedEntitlement[]
  readonly used: readonly Pick<CountedUse, 'product' | 'peaks' | 'sharedPeak' | 'namedUsers'>[]
  readonly denials: readonly ReportedDenials[]
}

export type ElasticUse = {
  readonly used: readonly { readonly product: string; readonly currency: string; readonly units: string }[]
  /** Null if there are too many sessions to count. */
  readonly peaks: ReadonlyMap<string, number> | null
  readonly denials: readonly { readonly product: string; readonly reason: string; readonly count: number }[]
}

/**
 * The web products of an account: seats against their peak, which is that of the web report, and against what this use needs.
 * What was neither owned nor used nor denied is left out.
 */
export function weighWebLicenses({ rangeDays, entitlements, used, denials }: WebUse): ProductBalance[] {
  const owned = Map.groupBy(entitlements, ({ product }) => product)
  const useOf = new Map(used.map((one) => [one.product, one]))
  return productsOf(entitlements, used, denials)
    .map((product): ProductBalance => {
      const limits = seatsPerDay(owned.get(product) ?? [], rangeDays)
      const { peaks = [], sharedPeak = 0, namedUsers = 0 } = useOf.get(product) ?? {}
      const peak = Math.max(0, ...peaks)
      const facts = {
        seats: Math.max(0, ...limits),
        seatsAtEnd: limits.at(-1) ?? 0,
        // A shared seat is free after its checkout. The seat of a named user cannot be lent: a user needs it for the
        // whole range, on any entitlement.
        needed: namedUsers === 0 ? peak : namedUsers + sharedPeak,
        reasons: reasonsOf(denials, product),
        deniedUsers: (reason: string) => countDeniedUsers(denials, product, reason),
      }
      const advice = adviseOnSeats(facts)
      return {
        license: 'Web',
        product,
        seats: facts.seats,
        peak,
        needed: advice.kind === 'MORE_SEATS' ? facts.seatsAtEnd + advice.seats : facts.needed,
        daysAtLimit: limits.filter((limit, index) => limit > 0 && (peaks[index] ?? 0) >= limit).length,
        units: '',
        denials: countOf(facts.reasons),
        reasons: facts.reasons,
        advice,
      }
    })
    .filter(({ seats, peak, denials: denied }) => seats !== 0 || peak !== 0 || denied > 0)
}

/** The elastic products that an account used or was denied. */
export function weighElastic({ used, peaks, denials }: ElasticUse): ProductBalance[] {
  const running = [...(peaks?.keys() ?? [])].map((product) => ({ product }))
  return productsOf(used, running, denials).map((product) => {
    const reasons = reasonsOf(denials, product)
    return {
      license: 'Elastic',
      product,
      seats: null,
      peak: peaks ? (peaks.get(product) ?? 0) : null,
      needed: null,
      daysAtLimit: null,
      units: used
        .filter((one) => one.product === product)
        .map(({ units, currency }) => `${units} ${currency}`)
        .join(', '),
      denials: countOf(reasons),
      reasons,
      advice: adviseOnUnits(reasons),
    }
  })
}

const productsOf = (...lists: readonly (readonly { readonly product: string }[])[]) =>
  [...new Set(lists.flat().map(({ product }) => product))].sort()

function reasonsOf(
  denials: readonly { readonly product: string; readonly reason: string; readonly count: number }[],
  product: string,
): DenialReason[] {
  const counts = new Map<string, number>()
  for (const one of denials)
    if (one.product === product) counts.set(one.reason, (counts.get(one.reason) ?? 0) + one.count)
  return [...counts]
    .map(([reason, count]) => ({ reason, count }))
    .sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1))
}

function countDeniedUsers(denials: readonly ReportedDenials[], product: string, reason: string): number {
  const denied = denials.filter((one) => one.product === product && one.reason === reason)
  return new Set(denied.map(({ user }) => user)).size
}

const countOf = (reasons: readonly DenialReason[]) => reasons.reduce((sum, { count }) => sum + count, 0)
