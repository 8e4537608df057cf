import { queryOptions } from '@tanstack/react-query'
import {
  deleteUsageExport,
  downloadUsageExport,
  listUsageExports,
  startUsageExport,
  type UsageExport,
} from '#contract/elastic/usage-exports.ts'
import { usageList } from '#contract/elastic/usage-list.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { ask, call, fetchFile, fileAddress } from '#web/lib/api-client.ts'

const LOOK_AGAIN = 1000

export function fetchUsageCsv(customerNumber: string, filter: FilterInput): Promise<Blob> {
  return fetchFile(usageList.exportCsv, { body: { customerNumber, filter } })
}

/** The answer says whether the export was there already. */
export function startExport(customerNumber: string, filter: FilterInput) {
  return ask(startUsageExport, { body: { customerNumber, filter } })
}

export function deleteExport(customerNumber: string, { id }: UsageExport): Promise<null> {
  return call(deleteUsageExport, { params: { id }, query: { customerNumber } })
}

/** Looked at again every second as long as one of them is being made. */
export function usageExportsQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['usage-exports', customerNumber],
    queryFn: ({ signal }) => call(listUsageExports, { query: { customerNumber }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(isBeingMade) ? LOOK_AGAIN : false),
  })
}

export function isBeingMade({ state }: UsageExport): boolean {
  return state === 'waiting' || state === 'running'
}

export function exportAddress(customerNumber: string, { id }: UsageExport): string {
  return fileAddress(downloadUsageExport, { params: { id }, query: { customerNumber } })
}
