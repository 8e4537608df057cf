import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { WireRow } from '#contract/kit/list.ts'
import * as requests from '#contract/requests/requests.ts'
import type { RequestRules } from '#domain/requests/request.ts'
import { FOR_A_FORM } from '#web/form/for-a-form.ts'
import { type Body, call } from '#web/lib/api-client.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

export type LicenseRequest = WireRow<typeof requests.requestList.fields>

export const requestSource = (customerNumber: string) =>
  sourceOf(requests.requestList, { customerNumber }, { key: ['requests', customerNumber] })

/** License servers to which requested seats can go. */
export function requestServersQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['request-servers', customerNumber],
    queryFn: ({ signal }) => call('fulfillments/servers', { body: { customerNumber }, signal }),
  })
}

export const sendApproval = (body: Body<'requests/approve'>, idempotencyKey: string) =>
  call('requests/approve', { body, idempotencyKey })

export const sendDecline = (body: Body<'requests/decline'>, idempotencyKey: string) =>
  call('requests/decline', { body, idempotencyKey })

export const sendWithdrawal = (customerNumber: string, id: string, idempotencyKey: string) =>
  call('requests/withdraw', { body: { customerNumber, id }, idempotencyKey })

/** Loads again what a decision changes: the list, Home, and everything that is counted in seats. */
export function useReloadAfterDecision(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries()
}

export function rulesQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['request-rules', customerNumber],
    queryFn: ({ signal }) => call('requests/rules', { body: { customerNumber }, signal }),
    ...FOR_A_FORM,
  })
}

export const saveRules = (customerNumber: string, rules: RequestRules, revision: number, idempotencyKey: string) =>
  call('requests/rules/save', { body: { customerNumber, rules, revision }, idempotencyKey })

export const ownRequestsQuery = queryOptions({
  queryKey: ['own-requests'],
  queryFn: ({ signal }) => call('requests/own', { signal }),
})

export const askAsWebUser = (body: Body<'requests/own/ask'>, idempotencyKey: string) =>
  call('requests/own/ask', { body, idempotencyKey })

export const withdrawAsWebUser = (customerNumber: string, id: string, idempotencyKey: string) =>
  call('requests/own/withdraw', { body: { customerNumber, id }, idempotencyKey })
