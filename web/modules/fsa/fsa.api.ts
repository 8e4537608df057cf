import { queryOptions } from '@tanstack/react-query'
import { listFsaEntitlements } from '#contract/fsa/entitlements.ts'
import { historyList } from '#contract/fsa/history-list.ts'
import { call, fetchFile } from '#web/lib/api-client.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'
import type { ListRequest } from '#web/table/list/list-state.ts'

/** Contracts and everything that was ordered from them: the screen splits, filters and sorts what it has. */
export function fsaEntitlementsQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['fsa-entitlements', customerNumber],
    queryFn: ({ signal }) => call(listFsaEntitlements, { body: { customerNumber }, signal }),
    refetchOnWindowFocus: false,
  })
}

export const historySource = (customerNumber: string) =>
  sourceOf(historyList, { customerNumber }, { key: ['fsa-history', customerNumber] })

export function fetchHistoryCsv(
  customerNumber: string,
  { filter, sorting }: Pick<ListRequest, 'filter' | 'sorting'>,
): Promise<Blob> {
  return fetchFile(historyList.exportCsv, { body: { customerNumber, filter, sorting: [...sorting] } })
}
