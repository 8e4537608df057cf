import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { WireRow } from '#contract/kit/list.ts'
import * as requests from '#contract/requests/requests.ts'
import { FOR_A_FORM } from '#web/form/for-a-form.ts'
import { query } from '#web/lib/api/api-query.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

export type LicenseRequest = WireRow<typeof requests.requestList.fields>

export const requestSource = (customerNumber: string) =>
  sourceOf(requests.requestList, { customerNumber }, { key: ['requests', customerNumber] })

/** License servers to which requested seats can go. */
export const requestServersQuery = (customerNumber: string) =>
  query('fulfillments/servers', { body: { customerNumber } })

/** Loads again what a decision changes: the list, Home, and everything that is counted in seats. */
export function useReloadAfterDecision(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries()
}

export const rulesQuery = (customerNumber: string) =>
  queryOptions({ ...query('requests/rules', { body: { customerNumber } }), ...FOR_A_FORM })

export const ownRequestsQuery = query('requests/own')
