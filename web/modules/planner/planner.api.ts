import { queryOptions } from '@tanstack/react-query'
import type { BodyOf } from '#contract/kit/operation.ts'
import * as planner from '#contract/planner/planner.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { call, fetchFile } from '#web/lib/api-client.ts'

export type Ends = { readonly endsFrom?: CalendarDay; readonly endsBy?: CalendarDay }

export function plannerQuery(customerNumber: string, { from, to }: DayRange, ends: Ends) {
  return queryOptions({
    queryKey: ['planner', customerNumber, from, to, ends],
    queryFn: ({ signal }) => call(planner.getPlanner, { body: { customerNumber, from, to, ...ends }, signal }),
  })
}

export function whatIfQuery(customerNumber: string, days: DayRange, product: string, seats: readonly number[]) {
  const body = { customerNumber, ...days, product, seats: [...seats] }
  return queryOptions({
    queryKey: ['what-if', body],
    queryFn: ({ signal }) => call(planner.getWhatIf, { body, signal }),
  })
}

export function plansQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['renewal-plans', customerNumber],
    queryFn: ({ signal }) => call(planner.listRenewalPlans, { body: { customerNumber }, signal }),
  })
}

export const savePlan = (body: BodyOf<typeof planner.saveRenewalPlan>, idempotencyKey: string) =>
  call(planner.saveRenewalPlan, { body, idempotencyKey })

export const removePlan = (customerNumber: string, id: string, idempotencyKey: string) =>
  call(planner.removeRenewalPlan, { body: { customerNumber, id }, idempotencyKey })

export const makeDraft = (body: BodyOf<typeof planner.draftRenewalPlan>, idempotencyKey: string) =>
  call(planner.draftRenewalPlan, { body, idempotencyKey })

export const fetchPlanCsv = (customerNumber: string, id: string): Promise<Blob> =>
  fetchFile(planner.exportRenewalPlan, { body: { customerNumber, id } })

export const fetchPlanPdf = (customerNumber: string, id: string): Promise<Blob> =>
  fetchFile(planner.getRenewalPlanPdf, { body: { customerNumber, id } })
