import type { ColumnType } from 'kysely'
import type { RequestKind, RequestRules, RequestState } from '#domain/requests/request.ts'
import type { Json } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

/** Empty until the request is closed. */
type Later<T> = ColumnType<T | null, T | null | undefined, T | null>

export type RequestsRows = {
  license_request: {
    customer_number: string
    request_id: string
    kind: RequestKind
    state: RequestState
    item: string
    product: string
    target: string
    target_name: string
    quantity: number
    reason: string
    requested_by: string
    requested_at: Date
    expires_at: Date
    decided_by: Later<string>
    decided_at: Later<Date>
    decision: Later<string>
    is_by_rule: ColumnType<boolean, boolean | undefined, boolean>
    granted_quantity: Later<number>
    granted_product: Later<string>
    granted_target_name: Later<string>
    revision: ColumnType<number, number | undefined, number>
  }
  request_rules: { customer_number: string; rules: Json<RequestRules>; saved_by: string; saved_at: Date }
}

declare module '#server/db/schema.ts' {
  interface DB extends RequestsRows {}
}

export const requestsTables: Tables<RequestsRows> = { owns: ['license_request', 'request_rules'] }
