import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { EVENT_VERSION, type WebhookEvent } from '#contract/webhooks/webhook-events.ts'
import type { EventType } from '#domain/webhooks/event-types.ts'
import { namesCustomers } from '#server/db/named-customers.ts'
import type { DB } from '#server/db/schema.ts'

/** In microseconds. Greater than all numbers before it in this process, so that events of one instant keep their order. */
export function nextSequence(at: Date): number {
  lastSequence = Math.max(lastSequence + 1, at.getTime() * 1000)
  return lastSequence
}
let lastSequence = 0

/**
 * Writes events of an account in the transaction of their cause, for every endpoint that has chosen them; an account
 * without endpoints costs this one statement. They are delivered later, at least once and in their order.
 */
export async function writeEvents(
  db: Kysely<DB>,
  customerNumber: string,
  at: Date,
  events: readonly WebhookEvent[],
): Promise<void> {
  if (events.length === 0) return
  const bodies = events.map(({ type, data }) =>
    JSON.stringify({ type, version: EVENT_VERSION, timestamp: at.toISOString(), customerNumber, data }),
  )
  await sql`
    insert into webhook_delivery
           (customer_number, endpoint_id, event_id, sequence, event, body, happened_at, state, next_attempt_at)
    select e.customer_number, e.id, v.id, v.sequence, v.event, v.body, ${at},
           case when e.is_on then 'queued' else 'held' end, case when e.is_on then ${at}::timestamptz end
      from webhook_endpoint e
     cross join unnest(${events.map(() => randomUUID())}::uuid[], ${events.map(() => nextSequence(at))}::bigint[],
             ${events.map(({ type }) => type)}::text[], ${bodies}::text[]) v (id, sequence, event, body)
     where e.customer_number = ${customerNumber} and v.event = any (e.events)`.execute(db)
}

/**
 * Writes the events of a batch that concerns many accounts. Accounts without endpoints are left out before their events
 * are made.
 */
export async function writeEventsOfAccounts(
  db: Kysely<DB>,
  customerNumbers: readonly string[],
  at: Date,
  eventsOf: (customerNumber: string) => readonly WebhookEvent[],
): Promise<void> {
  if (customerNumbers.length === 0) return
  const { rows } = await sql<{ customer_number: string }>`
    select distinct e.customer_number from webhook_endpoint e where ${namesCustomers('e', customerNumbers)}`.execute(db)
  for (const { customer_number } of rows) await writeEvents(db, customer_number, at, eventsOf(customer_number))
}

/** Accounts with an endpoint that is on and has chosen one of these events. */
export async function listSubscribedAccounts(db: Kysely<DB>, events: readonly EventType[]): Promise<string[]> {
  const { rows } = await sql<{ customer_number: string }>`
    select distinct e.customer_number from webhook_endpoint e
     where e.is_on and e.events && ${[...events]}::text[] order by 1`.execute(db)
  return rows.map(({ customer_number }) => customer_number)
}
