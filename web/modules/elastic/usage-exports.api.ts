import { startUsageExport } from '#contract/elastic/usage-exports.ts'
import { usageList } from '#contract/elastic/usage-list.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { ask, fetchFile } from '#web/lib/api-client.ts'

export function fetchUsageCsv(customerNumber: string, filter: FilterInput): Promise<Blob> {
  return fetchFile(usageList.exportCsv, { body: { customerNumber, filter } })
}

/** The answer says whether the export was there already. */
export function startExport(customerNumber: string, filter: FilterInput) {
  return ask(startUsageExport, { body: { customerNumber, filter } })
}
