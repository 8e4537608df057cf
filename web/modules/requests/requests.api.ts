import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { listServers } from '#contract/activations/hosts/servers.ts'
import type { WireRow } from '#contract/kit/list.ts'
import type { BodyOf } from '#contract/kit/operation.ts'
import * as requests from '#contract/requests/requests.ts'
import type { RequestRules } from '#domain/requests/request.ts'
import { FOR_A_FORM } from '#web/form/for-a-form.ts'
import { call } from '#web/lib/api-client.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

export type LicenseRequest = WireRow<typeof requests.requestList.fields>

export const requestSource = (customerNumber: string) =>
  sourceOf(requests.requestList, { customerNumber }, { key: ['requests', customerNumber] })

/** License servers to which requested seats can go. */
export function requestServersQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['request-servers', customerNumber],
    queryFn: ({ signal }) => call(listServers, { body: { customerNumber }, signal }),
  })
}

export const sendApproval = (body: BodyOf<typeof requests.approveRequest>, idempotencyKey: string) =>
  call(requests.approveRequest, { body, idempotencyKey })

export const sendDecline = (body: BodyOf<typeof requests.declineRequest>, idempotencyKey: string) =>
  call(requests.declineRequest, { body, idempotencyKey })

export const sendWithdrawal = (customerNumber: string, id: string, idempotencyKey: string) =>
  call(requests.withdrawRequest, { body: { customerNumber, id }, idempotencyKey })

/** Loads again what a decision changes: the list, Home, and everything that is counted in seats. */
export function useReloadAfterDecision(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries()
}

export function rulesQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['request-rules', customerNumber],
    queryFn: ({ signal }) => call(requests.getRequestRules, { body: { customerNumber }, signal }),
    ...FOR_A_FORM,
  })
}

export const saveRules = (customerNumber: string, rules: RequestRules, revision: number, idempotencyKey: string) =>
  call(requests.saveRequestRules, { body: { customerNumber, rules, revision }, idempotencyKey })

export const ownRequestsQuery = queryOptions({
  queryKey: ['own-requests'],
  queryFn: ({ signal }) => call(requests.getOwnRequests, { signal }),
})

export const askAsWebUser = (body: BodyOf<typeof requests.askWebLicense>, idempotencyKey: string) =>
  call(requests.askWebLicense, { body, idempotencyKey })

export const withdrawAsWebUser = (customerNumber: string, id: string, idempotencyKey: string) =>
  call(requests.withdrawOwnRequest, { body: { customerNumber, id }, idempotencyKey })
