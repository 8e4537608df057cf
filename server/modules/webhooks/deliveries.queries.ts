import { type Insertable, type InsertObject, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { DeliveryDetails } from '#contract/webhooks/webhooks.ts'
import type { DB } from '#server/db/schema.ts'
import type { EndpointKey } from '#server/modules/webhooks/webhook-secret.seal.ts'

export type DeliveryRow = Selectable<DB['webhook_delivery']>
export type DeliveryKey = { readonly customerNumber: string; readonly endpointId: string; readonly id: string }

export function findDelivery(db: Kysely<DB>, key: DeliveryKey): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('customer_number', '=', key.customerNumber)
    .where('endpoint_id', '=', key.endpointId)
    .where('event_id', '=', key.id)
    .executeTakeFirst()
}

export async function listAttempts(db: Kysely<DB>, key: DeliveryKey): Promise<DeliveryDetails['attempts']> {
  const rows = await db
    .selectFrom('webhook_attempt')
    .selectAll()
    .where('customer_number', '=', key.customerNumber)
    .where('endpoint_id', '=', key.endpointId)
    .where('event_id', '=', key.id)
    .orderBy('number', 'desc')
    .limit(MAX_ATTEMPTS)
    .execute()
  return rows.map(({ number, started_at, milliseconds, status, trouble, ...row }) => ({
    number,
    time: started_at.toISOString(),
    milliseconds,
    status,
    trouble,
    requestHeaders: { ...row.request_headers },
    responseHeaders: { ...row.response_headers },
    responseBody: row.response_body,
  }))
}

/** More than one round of retries has. */
const MAX_ATTEMPTS = 50

export async function insertDelivery(tx: Transaction<DB>, row: InsertObject<DB, 'webhook_delivery'>): Promise<void> {
  await tx.insertInto('webhook_delivery').values(row).execute()
}

export async function updateDelivery(
  tx: Transaction<DB>,
  key: DeliveryKey,
  change: Partial<Insertable<DB['webhook_delivery']>>,
): Promise<void> {
  await tx
    .updateTable('webhook_delivery')
    .set(change)
    .where('customer_number', '=', key.customerNumber)
    .where('endpoint_id', '=', key.endpointId)
    .where('event_id', '=', key.id)
    .execute()
}

export async function insertAttempt(tx: Transaction<DB>, row: Insertable<DB['webhook_attempt']>): Promise<void> {
  await tx.insertInto('webhook_attempt').values(row).execute()
}

type Requeued = { readonly message_id: string | null }

/** Sends one delivery at once, with all its retries. Answers the message by which operators saw its failure. */
export async function requeueDelivery(tx: Transaction<DB>, key: DeliveryKey, at: Date): Promise<Requeued | undefined> {
  const { rows } = await sql<Requeued>`
    with former as materialized (
      select message_id from webhook_delivery
       where customer_number = ${key.customerNumber} and endpoint_id = ${key.endpointId} and event_id = ${key.id}
         for update)
    update webhook_delivery
       set state = 'queued', next_attempt_at = ${at}, failures = 0, message_id = null
     where customer_number = ${key.customerNumber} and endpoint_id = ${key.endpointId} and event_id = ${key.id}
    returning (select message_id from former)`.execute(tx)
  return rows[0]
}

/** Whose deliveries are sent again. */
export type Range = EndpointKey & { readonly from: Date; readonly to: Date; readonly withDelivered: boolean }

const isInRange = ({ customerNumber, id, from, to, withDelivered }: Range) => sql<boolean>`
  customer_number = ${customerNumber} and endpoint_id = ${id} and happened_at between ${from} and ${to}
  and state = any (${withDelivered ? ['delivered', 'failed', 'held'] : ['failed', 'held']})`

export async function requeueRange(
  tx: Transaction<DB>,
  range: Range,
  at: Date,
): Promise<{ readonly events: number; readonly messageIds: string[] }> {
  const { rows: failed } = await sql<{ message_id: string }>`
    select message_id from webhook_delivery where ${isInRange(range)} and message_id is not null for update`.execute(tx)
  const { numAffectedRows } = await sql`
    update webhook_delivery
       set state = 'queued', next_attempt_at = ${at}, failures = 0, message_id = null
     where ${isInRange(range)}`.execute(tx)
  return { events: Number(numAffectedRows), messageIds: failed.map(({ message_id }) => message_id) }
}

/** Keeps what is queued for an endpoint that is switched off. It is sent only on request. */
export async function holdDeliveries(tx: Transaction<DB>, { customerNumber, id }: EndpointKey): Promise<void> {
  await tx
    .updateTable('webhook_delivery')
    .set({ state: 'held', next_attempt_at: null })
    .where('customer_number', '=', customerNumber)
    .where('endpoint_id', '=', id)
    .where('state', '=', 'queued')
    .execute()
}

export async function listFailureMessages(tx: Transaction<DB>, { customerNumber, id }: EndpointKey): Promise<string[]> {
  const rows = await tx
    .selectFrom('webhook_delivery')
    .select('message_id')
    .where('customer_number', '=', customerNumber)
    .where('endpoint_id', '=', id)
    .where('message_id', 'is not', null)
    .execute()
  return rows.flatMap(({ message_id }) => message_id ?? [])
}

/** Answers the messages by which operators saw failures among them. */
export async function deleteDeliveriesBefore(db: Kysely<DB>, instant: Date): Promise<string[]> {
  const { rows } = await sql<{ message_id: string | null }>`
    delete from webhook_delivery where happened_at < ${instant} returning message_id`.execute(db)
  return rows.flatMap(({ message_id }) => message_id ?? [])
}
