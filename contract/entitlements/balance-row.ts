import { type BarColor, daysLeftColor, usedPercentageColor } from '#contract/entitlements/bar-color.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import {
  daysLeft,
  type Remaining,
  remainingDays,
  type Term,
  usedDays,
  usedDaysPercentage,
} from '#domain/entitlements/term.ts'
import type { Fields } from '#domain/filter/fields.ts'
import type { SortInput } from '#domain/filter/filter.ts'

/** Elastic units or the money of a contract: both have a term and are used up bit by bit. */
export type BalanceRow = {
  readonly ansysproduct: string
  readonly startdate: CalendarDay
  readonly enddate: CalendarDay | null
  readonly remainingdays: Remaining
  readonly usedDays: number
  readonly usedDaysPercentage: number
  readonly remainingdayscolor: BarColor
  readonly quantity: number
  readonly remaining: number
  readonly used: number
  readonly currency: string
  readonly usedpercentage: number
  readonly usedpercentagecolor: BarColor
  readonly isActive: boolean
}

/** The columns by their fields. */
export const BALANCE_ROW_FIELDS = {
  ansysproduct: { type: 'text' },
  startdate: { type: 'day' },
  enddate: { type: 'day', missingIsFuture: true },
  remainingdays: { type: 'text', sortable: false },
  quantity: { type: 'number' },
  remaining: { type: 'number' },
  used: { type: 'number' },
  currency: { type: 'text' },
  usedpercentage: { type: 'number' },
} as const satisfies Fields & Partial<Record<keyof BalanceRow, unknown>>

/** The last to end first. */
export const LAST_TO_END_FIRST = [{ name: 'enddate', direction: 'desc' }] as const satisfies readonly SortInput[]

/** The columns about days. */
export function termCells(term: Term, today: CalendarDay) {
  return {
    startdate: term.startDate,
    remainingdays: remainingDays(term, today),
    usedDays: usedDays(term, today),
    usedDaysPercentage: usedDaysPercentage(term, today),
    remainingdayscolor: daysLeftColor(term.endDate === null ? null : daysLeft(term.endDate, today)),
  }
}

/** The columns about what share is used. */
export function usedCells(percentage: number) {
  return { usedpercentage: percentage, usedpercentagecolor: usedPercentageColor(percentage) }
}
