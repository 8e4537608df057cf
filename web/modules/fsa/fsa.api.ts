import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { WireContract } from '#contract/fsa/contracts.ts'
import { historyList } from '#contract/fsa/history-list.ts'
import type { Answer, Body } from '#web/lib/api/api-client.ts'
import { query } from '#web/lib/api/api-query.ts'
import { draftsQuery } from '#web/modules/fsa/drafts.api.ts'
import { contractsQuery } from '#web/parts/spending-accounts.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

/** Contracts and everything that was ordered from them: the screen splits, filters and sorts what it has. */
export const fsaEntitlementsQuery = (customerNumber: string) =>
  queryOptions({ ...query('fsa/entitlements', { body: { customerNumber } }), refetchOnWindowFocus: false })

export const historySource = (customerNumber: string) =>
  sourceOf(historyList, { customerNumber }, { key: ['fsa-history', customerNumber] })

export type OrderBody = Body<'entitlements'>
export type OrderAnswer = Answer<'entitlements'>

/** After an order: the balance at once, and everything that shows what was ordered. */
export async function reloadAfterOrder(
  queries: QueryClient,
  customerNumber: string,
  balance: { fsaId: string; available: string | undefined } | undefined,
): Promise<void> {
  const { queryKey } = contractsQuery(customerNumber)
  const available = balance?.available
  if (available !== undefined)
    queries.setQueryData(queryKey, (known: WireContract[] | undefined) =>
      known?.map((one) => (one.fsaID === balance?.fsaId ? { ...one, available } : one)),
    )
  await Promise.all([
    queries.invalidateQueries({ queryKey }),
    queries.invalidateQueries({ queryKey: fsaEntitlementsQuery(customerNumber).queryKey }),
    queries.invalidateQueries({ queryKey: historySource(customerNumber).key }),
    queries.invalidateQueries({ queryKey: draftsQuery(customerNumber).queryKey }),
  ])
}
