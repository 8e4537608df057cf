import { type SqlBool, sql } from 'kysely'
import { requestList } from '#contract/requests/requests.ts'
import { listSource } from '#server/lists/list-source.ts'

/** `requestedBy` restricts the list to the requests of one person. */
export type RequestScope = { readonly customerNumber: string; readonly requestedBy: string | null }

export const requestSource = listSource(requestList, {
  columns: {
    id: 'r.request_id',
    kind: 'r.kind',
    state: 'r.state',
    item: 'r.item',
    product: 'r.product',
    target: 'r.target',
    targetName: 'r.target_name',
    quantity: 'r.quantity',
    reason: 'r.reason',
    requestedBy: 'r.requested_by',
    requestedAt: 'r.requested_at',
    expiresAt: 'r.expires_at',
    decidedBy: 'r.decided_by',
    decidedAt: 'r.decided_at',
    decision: 'r.decision',
    isByRule: 'r.is_by_rule',
    grantedQuantity: 'r.granted_quantity',
    grantedProduct: 'r.granted_product',
    grantedTarget: 'r.granted_target_name',
    revision: 'r.revision',
  },
  from: sql`license_request r`,
  scope: ({ customerNumber, requestedBy }: RequestScope) =>
    requestedBy === null
      ? sql<SqlBool>`r.customer_number = ${customerNumber}`
      : sql<SqlBool>`r.customer_number = ${customerNumber} and r.requested_by = ${requestedBy}`,
})
