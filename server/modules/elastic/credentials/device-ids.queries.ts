import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/** A device id belongs to one account. Claim it in the transaction that adds the server, or the server is refused. */
export async function claimDeviceIds(
  db: Kysely<DB>,
  servers: readonly { readonly customer_number: string; readonly device_id: string }[],
): Promise<void> {
  const claims = JSON.stringify(servers, ['customer_number', 'device_id'])
  await sql`
    insert into device_owner (device_id, customer_number)
    select device_id, customer_number from json_populate_recordset(null::device_owner, ${claims}::json)`.execute(db)
}
