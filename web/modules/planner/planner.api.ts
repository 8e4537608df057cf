import { queryOptions } from '@tanstack/react-query'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { type Body, call, fetchFile } from '#web/lib/api-client.ts'

export type Ends = { readonly endsFrom?: CalendarDay; readonly endsBy?: CalendarDay }

export function plannerQuery(customerNumber: string, { from, to }: DayRange, ends: Ends) {
  return queryOptions({
    queryKey: ['planner', customerNumber, from, to, ends],
    queryFn: ({ signal }) => call('planner', { body: { customerNumber, from, to, ...ends }, signal }),
  })
}

export function whatIfQuery(customerNumber: string, days: DayRange, product: string, seats: readonly number[]) {
  const body = { customerNumber, ...days, product, seats: [...seats] }
  return queryOptions({
    queryKey: ['what-if', body],
    queryFn: ({ signal }) => call('planner/what-if', { body, signal }),
  })
}

export function plansQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['renewal-plans', customerNumber],
    queryFn: ({ signal }) => call('planner/plans', { body: { customerNumber }, signal }),
  })
}

export const savePlan = (body: Body<'planner/plans/save'>, idempotencyKey: string) =>
  call('planner/plans/save', { body, idempotencyKey })

export const removePlan = (customerNumber: string, id: string, idempotencyKey: string) =>
  call('planner/plans/remove', { body: { customerNumber, id }, idempotencyKey })

export const makeDraft = (body: Body<'planner/plans/draft'>, idempotencyKey: string) =>
  call('planner/plans/draft', { body, idempotencyKey })

export const fetchPlanCsv = (customerNumber: string, id: string): Promise<Blob> =>
  fetchFile('planner/plans/export', { body: { customerNumber, id } })

export const fetchPlanPdf = (customerNumber: string, id: string): Promise<Blob> =>
  fetchFile('planner/plans/pdf', { body: { customerNumber, id } })
