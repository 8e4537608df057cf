import { type Insertable, type RawBuilder, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { claimActivationIds } from '#server/modules/entitlements/activation-ids.queries.ts'

/** FSA contracts, for a module that joins them to its own tables. */
export const contractEntitlements: RawBuilder<unknown> = sql`(
  select customer_number, activation_id, entitlement_id, part_number, product_name, line_item_quantity, units_per_line,
         start_date, end_date, po_number, order_id, coalesce(ordered_at, created_at) as created_at
    from entitlement
   where kind = 'FSA' and state = 'Deployed' and end_date is not null)`

/** What was drawn from FSA contracts: orders, and the manual entries of business operations. */
export const drawnEntitlements: RawBuilder<unknown> = sql`(
  select customer_number, activation_id, entitlement_id, fsa_id, part_number, product_name, line_item_quantity,
         units_per_line, start_date, end_date, currency, coalesce(price, 0) as price, is_manual,
         coalesce(requester_email, '') as requester_email, order_id, coalesce(ordered_at, created_at) as ordered_at
    from entitlement
   where subtype = 'FSA' and fsa_id is not null and state = 'Deployed' and end_date is not null)`

/** Adds entitlements together with the claims on their activation ids. */
export async function insertEntitlements(
  tx: Transaction<DB>,
  rows: readonly Insertable<DB['entitlement']>[],
): Promise<void> {
  if (rows.length === 0) return
  await claimActivationIds(tx, rows)
  await tx
    .insertInto('entitlement')
    .values([...rows])
    .execute()
}
