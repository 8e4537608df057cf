import { queryOptions } from '@tanstack/react-query'
import { webDenialList } from '#contract/web-licenses/web-checkout-lists.ts'
import { exportWebReport, getWebReport, getWebReportPdf, type ReportTable } from '#contract/web-licenses/web-report.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { call, fetchFile } from '#web/lib/api-client.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

export function reportQuery(customerNumber: string, { from, to }: DayRange) {
  return queryOptions({
    queryKey: ['web-licenses', customerNumber, 'report', from, to],
    queryFn: ({ signal }) => call(getWebReport, { body: { customerNumber, from, to }, signal }),
  })
}

export const fetchReportCsv = (customerNumber: string, { from, to }: DayRange, table: ReportTable): Promise<Blob> =>
  fetchFile(exportWebReport, { body: { customerNumber, from, to, table } })

export const fetchReportPdf = (customerNumber: string, { from, to }: DayRange): Promise<Blob> =>
  fetchFile(getWebReportPdf, { body: { customerNumber, from, to } })

export const fetchDenialsCsv = (customerNumber: string, filter: FilterInput): Promise<Blob> =>
  fetchFile(webDenialList.exportCsv, { body: { customerNumber, filter } })

export const denialSource = (customerNumber: string) =>
  sourceOf(webDenialList, { customerNumber }, { key: ['web-licenses', customerNumber, 'denials'] })
