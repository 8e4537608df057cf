import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/** An activation id belongs to one account. Claim it in the transaction that adds the entitlement, or that is refused. */
export async function claimActivationIds(
  db: Kysely<DB>,
  entitlements: readonly { readonly customer_number: string; readonly activation_id: string }[],
): Promise<void> {
  const claims = JSON.stringify(entitlements, ['customer_number', 'activation_id'])
  await sql`
    insert into activation_owner (activation_id, customer_number)
    select activation_id, customer_number from json_populate_recordset(null::activation_owner, ${claims}::json)`.execute(
    db,
  )
}
