import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { BodyOf } from '#contract/kit/operation.ts'
import { assignWebLicenses, unassignWebLicenses } from '#contract/web-licenses/web-assignments.ts'
import {
  changeWebGroupMembers,
  createWebGroup,
  deleteWebGroup,
  renameWebGroup,
} from '#contract/web-licenses/web-groups.ts'
import {
  webEntitlementList,
  webGroupAssignmentList,
  webGroupList,
  webMemberList,
  webSeatList,
  webUserList,
} from '#contract/web-licenses/web-lists.ts'
import { deleteWebUsers, saveWebUsers } from '#contract/web-licenses/web-users.ts'
import { ask, call } from '#web/lib/api-client.ts'
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

type Body<O extends Parameters<typeof call>[0]> = BodyOf<O>

export const sendAssign = (body: Body<typeof assignWebLicenses>, idempotencyKey: string) =>
  ask(assignWebLicenses, { body, idempotencyKey })
export const sendUnassign = (body: Body<typeof unassignWebLicenses>, idempotencyKey: string) =>
  ask(unassignWebLicenses, { body, idempotencyKey })
export const sendNewGroup = (body: Body<typeof createWebGroup>, idempotencyKey: string) =>
  call(createWebGroup, { body, idempotencyKey })
export const sendGroupName = (body: Body<typeof renameWebGroup>, idempotencyKey: string) =>
  call(renameWebGroup, { body, idempotencyKey })
export const sendGroupDeletion = (body: Body<typeof deleteWebGroup>, idempotencyKey: string) =>
  ask(deleteWebGroup, { body, idempotencyKey })
export const sendMembers = (body: Body<typeof changeWebGroupMembers>, idempotencyKey: string) =>
  ask(changeWebGroupMembers, { body, idempotencyKey })
export const sendUsers = (body: Body<typeof saveWebUsers>, idempotencyKey: string) =>
  call(saveWebUsers, { body, idempotencyKey })
export const sendUserDeletion = (body: Body<typeof deleteWebUsers>, idempotencyKey: string) =>
  ask(deleteWebUsers, { body, idempotencyKey })
