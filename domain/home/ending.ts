import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
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
