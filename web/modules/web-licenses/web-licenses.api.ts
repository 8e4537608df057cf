import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import {
  webEntitlementList,
  webGroupAssignmentList,
  webGroupList,
  webMemberList,
  webSeatList,
  webUserList,
} from '#contract/web-licenses/web-lists.ts'
import { ask, type Body, call } from '#web/lib/api/api-client.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

/** Everything about the web licenses of an account begins with this key. */
export const keyOf = (customerNumber: string) => ['web-licenses', customerNumber] as const

export const entitlementSource = (customerNumber: string) =>
  sourceOf(webEntitlementList, { customerNumber }, { key: [...keyOf(customerNumber), 'entitlements'] })
export const seatSource = (customerNumber: string) =>
  sourceOf(webSeatList, { customerNumber }, { key: [...keyOf(customerNumber), 'seats'] })
export const userSource = (customerNumber: string) =>
  sourceOf(webUserList, { customerNumber }, { key: [...keyOf(customerNumber), 'users'] })
export const groupSource = (customerNumber: string) =>
  sourceOf(webGroupList, { customerNumber }, { key: [...keyOf(customerNumber), 'groups'] })
export const memberSource = (customerNumber: string) =>
  sourceOf(webMemberList, { customerNumber }, { key: [...keyOf(customerNumber), 'members'] })
export const groupAssignmentSource = (customerNumber: string) =>
  sourceOf(webGroupAssignmentList, { customerNumber }, { key: [...keyOf(customerNumber), 'group-assignments'] })

/** After a change, everything that may show it is loaded again. */
function reloadWebLicenses(queries: QueryClient, customerNumber: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: keyOf(customerNumber) })
}

export function useReload(customerNumber: string): () => Promise<void> {
  const queries = useQueryClient()
  return () => reloadWebLicenses(queries, customerNumber)
}

export const sendAssign = (body: Body<'web/assign'>, idempotencyKey: string) =>
  ask('web/assign', { body, idempotencyKey })
export const sendUsers = (body: Body<'web/users/save'>, idempotencyKey: string) =>
  call('web/users/save', { body, idempotencyKey })
