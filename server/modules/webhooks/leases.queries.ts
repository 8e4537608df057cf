import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { isOpenToContacts } from '#server/modules/accounts/accounts.public.ts'
import type { DeliveryRow } from '#server/modules/webhooks/deliveries.queries.ts'
import type { EndpointRow } from '#server/modules/webhooks/endpoints.queries.ts'
import type { EndpointKey } from '#server/modules/webhooks/webhook-secret.seal.ts'

/** The right of one process to deliver to an endpoint, until it ends. */
export type Lease = EndpointKey & { readonly leaseId: string }

/**
 * Endpoints that nobody serves and for which something is due, the one that was served longest ago first. Accounts that
 * export compliance has closed or whose access is disabled wait.
 */
export async function listDueEndpoints(db: Kysely<DB>, now: Date, limit: number): Promise<EndpointKey[]> {
  const { rows } = await sql<EndpointKey>`
    select e.customer_number as "customerNumber", e.id
      from webhook_endpoint e join account a on a.customer_number = e.customer_number
     where e.is_on and (e.lease_until is null or e.lease_until <= ${now}) and ${isOpenToContacts}
       and exists (select 1 from webhook_delivery d
            where d.customer_number = e.customer_number and d.endpoint_id = e.id and d.state = 'queued'
              and d.next_attempt_at <= ${now})
     order by e.lease_until nulls first, e.customer_number, e.id limit ${limit}`.execute(db)
  return rows
}

/** False if another process was faster. */
export async function takeLease(
  db: Kysely<DB>,
  { customerNumber, id, leaseId }: Lease,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update webhook_endpoint set lease_id = ${leaseId}, lease_until = ${until}
     where customer_number = ${customerNumber} and id = ${id} and is_on
       and (lease_until is null or lease_until <= ${now})`.execute(db)
  return numAffectedRows === 1n
}

/** The endpoint as it is now; undefined if it is gone, off, or served by another process. */
export function renewLease(
  db: Kysely<DB>,
  { customerNumber, id, leaseId }: Lease,
  until: Date,
): Promise<EndpointRow | undefined> {
  return db
    .updateTable('webhook_endpoint')
    .set({ lease_until: until })
    .where('customer_number', '=', customerNumber)
    .where('id', '=', id)
    .where('lease_id', '=', leaseId)
    .where('is_on', '=', true)
    .returningAll()
    .executeTakeFirst()
}

/** Keeps when the endpoint was last served, by which endpoints take turns. */
export async function endLease(db: Kysely<DB>, { customerNumber, id, leaseId }: Lease, now: Date): Promise<void> {
  await db
    .updateTable('webhook_endpoint')
    .set({ lease_id: null, lease_until: now })
    .where('customer_number', '=', customerNumber)
    .where('id', '=', id)
    .where('lease_id', '=', leaseId)
    .execute()
}

/** Locks the endpoint while an outcome is saved; undefined if another process serves it by now, or it is gone. */
export function lockLeased(tx: Transaction<DB>, lease: Lease): Promise<EndpointRow | undefined> {
  return tx
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('customer_number', '=', lease.customerNumber)
    .where('id', '=', lease.id)
    .where('lease_id', '=', lease.leaseId)
    .forUpdate()
    .executeTakeFirst()
}

/** The first event of those that are due. One that waits for a retry does not hold up the others. */
export function findNextDelivery(
  db: Kysely<DB>,
  { customerNumber, id }: EndpointKey,
  now: Date,
): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('endpoint_id', '=', id)
    .where('state', '=', 'queued')
    .where('next_attempt_at', '<=', now)
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirst()
}
