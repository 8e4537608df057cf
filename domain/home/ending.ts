import { addDays, type CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { EntitlementKind } from '#domain/entitlements/kind.ts'
import { endsWithin } from '#domain/entitlements/term.ts'

/** Home looks this many days ahead, in these steps. */
export const ENDING_STEPS = [30, 60, 90] as const
export const MAX_STEP = 90

/** Endings by kinds of entitlements. Spending accounts end too; their contracts have separate balances. */
export const ENDING_KINDS = {
  leases: ['SSL'],
  webLicenses: ['SUBSCRIPTION', 'CONCURRENT'],
  elastic: ['ELASTIC'],
} as const satisfies Readonly<Record<string, readonly EntitlementKind[]>>

/** How many entitlements end on a day, and how many of them have activated seats. */
export type EndingDay = { readonly day: CalendarDay; readonly count: number; readonly withSeats?: number }

/** Counts what ends within so many days, or the part of it with activated seats. */
export function countEndingWithin(
  days: readonly EndingDay[],
  step: number,
  today: CalendarDay,
  counted: 'count' | 'withSeats' = 'count',
): number {
  return days
    .filter(({ day }) => endsWithin(day, { days: step, today }))
    .reduce((sum, one) => sum + (one[counted] ?? 0), 0)
}

/** A stretch of the calendar strip: some days, both ends included. */
export type EndingStretch = { readonly from: CalendarDay; readonly to: CalendarDay; readonly count: number }

/** Each step of 30 days is six stretches. */
const STRETCH = 5

/** The days ahead in equal stretches that begin today. */
export function endingStretches(days: readonly EndingDay[], today: CalendarDay): EndingStretch[] {
  return Array.from({ length: MAX_STEP / STRETCH }, (_, index) => {
    const from = addDays(today, index * STRETCH)
    const to = addDays(from, STRETCH - 1)
    const count = days.filter(({ day }) => day >= from && day <= to).reduce((sum, one) => sum + one.count, 0)
    return { from, to, count }
  })
}
