import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { query } from '#web/lib/api/api-query.ts'

export type Ends = { readonly endsFrom?: CalendarDay; readonly endsBy?: CalendarDay }

export const plannerQuery = (customerNumber: string, { from, to }: DayRange, ends: Ends) =>
  query('planner', { body: { customerNumber, from, to, ...ends } })

export function whatIfQuery(customerNumber: string, days: DayRange, product: string, seats: readonly number[]) {
  const body = { customerNumber, ...days, product, seats: [...seats] }
  return query('planner/what-if', { body })
}

export const plansQuery = (customerNumber: string) => query('planner/plans', { body: { customerNumber } })
