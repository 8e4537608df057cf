import { DENIAL_COLUMNS, denialList } from '#contract/elastic/sessions/denial-list.ts'
import type { FilterInput, SortInput } from '#domain/filter/filter.ts'
import { fetchFile } from '#web/lib/api-client.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

const ATTRIBUTES = ['Id', 'Reason', ...DENIAL_COLUMNS.map(([field]) => field)] as const

export const denialSource = (customerNumber: string) =>
  sourceOf(denialList, { customerNumber }, { key: ['elastic-denials', customerNumber], attributes: ATTRIBUTES })

export function fetchDenialsCsv(
  customerNumber: string,
  { filter, sorting }: { filter: FilterInput; sorting: readonly SortInput[] },
): Promise<Blob> {
  return fetchFile(denialList.exportCsv, { body: { customerNumber, filter, sorting: [...sorting] } })
}
