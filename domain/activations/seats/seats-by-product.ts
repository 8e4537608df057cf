import { isCalendarDay } from '#domain/calendar/calendar-day.ts'

/** Seats of one entitlement on a license server. */
type Seats = { readonly ansysproduct: string; readonly count: number; readonly enddate: string }

/** Seats of a product that end together. */
export type SeatsUntil = { readonly enddate: string; readonly seats: number }

export type ProductSeats<S extends Seats> = {
  readonly product: string
  readonly seats: number
  /** The first to end first; permanent licenses last. */
  readonly ends: readonly SeatsUntil[]
  readonly entitlements: readonly S[]
}

/** Seats summed by product, in the order of the alphabet. */
export function seatsByProduct<S extends Seats>(rows: readonly S[]): ProductSeats<S>[] {
  return [...Map.groupBy(rows, ({ ansysproduct }) => ansysproduct)]
    .map(([product, own]) => ({
      product,
      seats: sumOf(own),
      ends: [...Map.groupBy(own, ({ enddate }) => enddate)]
        .map(([enddate, together]) => ({ enddate, seats: sumOf(together) }))
        .sort((one, other) => compareEnds(one.enddate, other.enddate)),
      entitlements: own.toSorted((one, other) => compareEnds(one.enddate, other.enddate)),
    }))
    .sort((one, other) => one.product.localeCompare(other.product))
}

const sumOf = (rows: readonly Seats[]) => rows.reduce((sum, { count }) => sum + count, 0)

/** A permanent license has a text instead of a day: "Maintenance ends on 2027-01-31". */
function compareEnds(one: string, other: string): number {
  return Number(!isCalendarDay(one)) - Number(!isCalendarDay(other)) || Number(one > other) - Number(one < other)
}
