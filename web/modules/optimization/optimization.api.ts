import { queryOptions } from '@tanstack/react-query'
import { exportOptimization, getOptimization, getOptimizationPdf } from '#contract/optimization/optimization.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { call, fetchFile } from '#web/lib/api-client.ts'

export function optimizationQuery(customerNumber: string, { from, to }: DayRange) {
  return queryOptions({
    queryKey: ['optimization', customerNumber, from, to],
    queryFn: ({ signal }) => call(getOptimization, { body: { customerNumber, from, to }, signal }),
  })
}

export const fetchOptimizationCsv = (customerNumber: string, { from, to }: DayRange): Promise<Blob> =>
  fetchFile(exportOptimization, { body: { customerNumber, from, to } })

export const fetchOptimizationPdf = (customerNumber: string, { from, to }: DayRange): Promise<Blob> =>
  fetchFile(getOptimizationPdf, { body: { customerNumber, from, to } })
