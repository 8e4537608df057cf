import { multiply, subtract, sum, toFixedText } from '#domain/money/decimal.ts'

/** What license servers reported about a product. */
export type MeasuredUse = {
  /** The most seats in use at the same time. */
  readonly peak: number
  /** Seats that were enough for 95 percent of the time in which at least one was in use. */
  readonly percentile95: number
  /** Requests that were refused for lack of seats, without retries. */
  readonly realDenials: number
  /** Of an hour with the peak, the most of these requests: seats that were wanted beside those in use. */
  readonly deniedAtPeak: number
}

export const PROPOSALS = ['as-is', 'lean', 'safe'] as const
export type Proposal = (typeof PROPOSALS)[number]

export const PROPOSAL_TEXTS: Readonly<Record<Proposal, { readonly name: string; readonly about: string }>> = {
  'as-is': { name: 'Current', about: 'As many seats as today' },
  lean: { name: 'Lean', about: 'The peak, and the requests that were denied at it' },
  safe: { name: 'With reserve', about: 'Lean and 10 percent more' },
}

/** The seats of a proposal. Where nothing was measured, each one is what is there today. */
export function proposedSeats(proposal: Proposal, bought: number, measured: MeasuredUse | null): number {
  if (measured === null || proposal === 'as-is') return bought
  const needed = measured.peak + measured.deniedAtPeak
  // In whole numbers: 10 × 1.1 is more than 11 in binary fractions.
  return proposal === 'lean' ? needed : Math.ceil((needed * 11) / 10)
}

/** A product of a plan, with what one seat costs; without a price list there is none. */
export type PlannedProduct = {
  readonly product: string
  readonly bought: number
  /** Seats among those bought that the plan is not about: they end outside of its period. */
  readonly staying: number
  /** All seats that are needed, those that stay included. */
  readonly seats: number
  readonly unitCost: string | null
  readonly currency: string | null
}

export type LineCost = { readonly cost: string | null; readonly difference: string | null }

/** The seats of a plan that must be bought: those that stay are there already. */
export const seatsToRenew = ({ seats, staying }: Pick<PlannedProduct, 'seats' | 'staying'>): number =>
  Math.max(0, seats - staying)

/** What the seats to renew cost, and how much more or less than renewing all that end. */
export function lineCostOf({ bought, staying, seats, unitCost }: PlannedProduct): LineCost {
  if (unitCost === null) return { cost: null, difference: null }
  const cost = multiply(unitCost, seatsToRenew({ seats, staying }))
  return {
    cost: toFixedText(cost, 2),
    difference: toFixedText(subtract(cost, multiply(unitCost, bought - staying)), 2),
  }
}

export type PlanTotal = { readonly currency: string; readonly cost: string; readonly difference: string }

/** One total for each currency; products without a price are left out. */
export function planTotals(products: readonly PlannedProduct[]): PlanTotal[] {
  const priced = products.filter((one) => one.unitCost !== null && one.currency !== null)
  return [...Map.groupBy(priced, ({ currency }) => currency ?? '')]
    .map(([currency, lines]) => ({
      currency,
      cost: toFixedText(sum(lines.map((line) => lineCostOf(line).cost ?? 0)), 2),
      difference: toFixedText(sum(lines.map((line) => lineCostOf(line).difference ?? 0)), 2),
    }))
    .sort((one, other) => (one.currency < other.currency ? -1 : 1))
}

/** How long the seats last that have a price: totals of different times are no yearly cost. */
export const durationsOf = (products: readonly { readonly duration: string | null }[]): string[] =>
  [...new Set(products.flatMap(({ duration }) => duration ?? []))].sort()

/** From `at` on, in seconds, so many seats were in use. */
type UseStep = { readonly at: number; readonly inUse: number }

const HOUR = 3600

/** Hours of seats in use above a number of seats, until a time: what elastic units would have covered. */
export function seatHoursAbove(steps: readonly UseStep[], seats: number, until: number): number {
  const seconds = steps.reduce((all, { at, inUse }, index) => {
    const end = Math.min(steps[index + 1]?.at ?? until, until)
    return all + Math.max(0, end - at) * Math.max(0, inUse - seats)
  }, 0)
  return seconds / HOUR
}

/** Units that these hours would have cost at a rate per hour, to the cent. */
export const unitsFor = (hours: number, unitsPerHour: string): string =>
  toFixedText(multiply(unitsPerHour, hours.toFixed(4)), 2)

export const MAX_PLAN_NAME = 100
export const MAX_PLAN_LINES = 200
export const MAX_SEATS = 1_000_000
