import { type Kysely, sql } from 'kysely'
import { isListedEntitlement } from '#server/db/listed-entitlements.queries.ts'
import type { DB } from '#server/db/schema.ts'

/** Seats on hosts by activation id, zero included; ids that the account does not have are left out. */
export async function loadActivatedCounts(
  db: Kysely<DB>,
  customerNumber: string,
  activationIds: readonly string[],
): Promise<Record<string, number>> {
  const { rows } = await sql<{ activation_id: string; activated_count: number }>`
    select e.activation_id, e.activated_count from entitlement e
     where e.customer_number = ${customerNumber} and e.activation_id = any (${[...new Set(activationIds)]})
       and ${isListedEntitlement}`.execute(db)
  return Object.fromEntries(rows.map((row) => [row.activation_id, row.activated_count]))
}
