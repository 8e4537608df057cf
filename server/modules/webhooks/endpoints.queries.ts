import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import type { EndpointKey } from '#server/modules/webhooks/webhook-secret.seal.ts'

export type EndpointRow = Selectable<DB['webhook_endpoint']>

/** Saves of the endpoints of an account are serialized, so that their number stays within its limit. */
export async function lockEndpoints(tx: Transaction<DB>, customerNumber: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('webhooks'), hashtext(${customerNumber}))`.execute(tx)
}

export function listEndpoints(db: Kysely<DB>, customerNumber: string): Promise<EndpointRow[]> {
  return db.selectFrom('webhook_endpoint').selectAll().where('customer_number', '=', customerNumber).execute()
}

export function findEndpoint(db: Kysely<DB>, { customerNumber, id }: EndpointKey): Promise<EndpointRow | undefined> {
  return db
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function insertEndpoint(tx: Transaction<DB>, row: Insertable<DB['webhook_endpoint']>): Promise<void> {
  await tx.insertInto('webhook_endpoint').values(row).execute()
}

export async function updateEndpoint(
  tx: Transaction<DB>,
  { customerNumber, id }: EndpointKey,
  { events, ...change }: Partial<Insertable<DB['webhook_endpoint']>>,
): Promise<void> {
  await tx
    .updateTable('webhook_endpoint')
    .set({ ...change, ...(events ? { events: [...events] } : {}) })
    .where('customer_number', '=', customerNumber)
    .where('id', '=', id)
    .execute()
}

/** With its deliveries and their attempts. */
export async function deleteEndpoint(tx: Transaction<DB>, { customerNumber, id }: EndpointKey): Promise<void> {
  await tx.deleteFrom('webhook_endpoint').where('customer_number', '=', customerNumber).where('id', '=', id).execute()
}
