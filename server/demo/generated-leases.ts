import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { type EntitlementRow, entitlementRow, lease, permanent, type Term } from '#server/demo/entitlement-row.ts'
import { type Daemon, SIMULATION_PRODUCTS } from '#server/demo/products.ts'
import { type Random, seededRandom } from '#server/demo/random.ts'

const MODEL_OF_DAEMON: Record<Daemon, string> = {
  ansyslmd: 'Network',
  ansoftd: 'Ansoft',
  fluentd: 'Fluent',
  apacheda: 'Apache',
  sequenced: 'Sequence',
}

type TermKind = 'active' | 'expired' | 'future' | 'permanent'

/** Relative weights of the kinds of terms. */
export type TermMix = Readonly<Partial<Record<TermKind, number>>>

export const USUAL_MIX: TermMix = { active: 60, expired: 20, future: 5, permanent: 15 }
export const LEASES_ONLY: TermMix = { active: 75, expired: 20, future: 5 }
export const HISTORY_ONLY: TermMix = { expired: 60, permanent: 40 }

type LeaseOptions = {
  readonly customerNumber: string
  readonly today: CalendarDay
  /** From a handful for the demo to thousands for the benchmarks. */
  readonly count: number
  readonly mix: TermMix
}

/** Network and node-locked entitlements as an account gathers them over the years. */
export function generateLeases({ customerNumber, today, count, mix }: LeaseOptions): EntitlementRow[] {
  const random = seededRandom(`leases ${customerNumber}`)
  const kinds = Object.entries(mix) as [TermKind, number][]
  return Array.from({ length: count }, (_, index) => {
    const product = random.pick(SIMULATION_PRODUCTS)
    const licenseModel = product.isNodeLocked ? 'Node Locked' : modelOf(product.daemon, random)
    const term = drawTerm(random.weighted(kinds), today, random)
    const quantity = random.pick([1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 50, 100])
    const purpose = `lease ${index + 1}`
    return entitlementRow({ customerNumber, purpose }, { product, licenseModel, term, quantity })
  })
}

function modelOf(daemon: Daemon, random: Random): string {
  if (daemon === 'ansoftd' && random.chance(0.3)) return 'Ansoft Borrow'
  return daemon === 'ansyslmd' && random.chance(0.1) ? 'Annual' : MODEL_OF_DAEMON[daemon]
}

function drawTerm(kind: TermKind, today: CalendarDay, random: Random): Term {
  const length = random.pick([180, 365, 365, 365, 730, 1095])
  switch (kind) {
    case 'active': {
      const elapsed = random.integer(0, length - 1)
      return lease(today, -elapsed, length - 1 - elapsed)
    }
    case 'expired': {
      const ago = random.integer(1, 1200)
      return lease(today, -ago - length + 1, -ago)
    }
    case 'future': {
      const ahead = random.integer(1, 120)
      return lease(today, ahead, ahead + length - 1)
    }
    case 'permanent':
      return permanent(today, -random.integer(400, 3000), random.integer(-390, 360))
  }
}
