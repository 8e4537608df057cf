import { hash, randomUUID } from 'node:crypto'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { EVENT_VERSION, type WebhookEvent } from '#contract/webhooks/webhook-events.ts'
import { denialKey, repeatedDenialsDue } from '#domain/webhooks/denials.ts'
import type { EventType } from '#domain/webhooks/event-types.ts'
import { namesCustomers } from '#server/db/named-customers.ts'
import type { DB } from '#server/db/schema.ts'

/** In microseconds. Events of one instant are fewer, and repeated denials come later. */
const SECOND = 1_000_000

/**
 * The place of an event among those of its endpoint, in microseconds. Greater than that of every event of the same instant, so that
 * these keep their order.
 */
export const nextSequence = (
  customerNumber: string,
  endpointId: string | RawBuilder<unknown>,
  at: Date,
): RawBuilder<string> => {
  const first = at.getTime() * 1000
  return sql<string>`
    (select coalesce(max(n.sequence) + 1, ${first}::bigint) from webhook_delivery n
      where n.customer_number = ${customerNumber} and n.endpoint_id = ${endpointId}
        and n.happened_at = ${at} and n.sequence < ${first + SECOND}::bigint)`
}

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
  const bodies = events.map((event) => bodyOf(customerNumber, at, event))
  await sql`
    insert into webhook_delivery
           (customer_number, endpoint_id, event_id, sequence, event, body, happened_at, state, next_attempt_at)
    select e.customer_number, e.id, v.id, v.index - 1 + ${nextSequence(customerNumber, sql.ref('e.id'), at)}, v.event, v.body, ${at},
           case when e.is_on then 'queued' else 'held' end, case when e.is_on then ${at}::timestamptz end
      from webhook_endpoint e
     cross join unnest(${events.map(() => randomUUID())}::uuid[], ${events.map(({ type }) => type)}::text[],
             ${bodies}::text[]) with ordinality v (id, event, body, index)
     where e.customer_number = ${customerNumber} and v.event = any (e.events)`.execute(db)
}

const bodyOf = (customerNumber: string, at: Date, { type, data }: WebhookEvent) =>
  JSON.stringify({ type, version: EVENT_VERSION, timestamp: at.toISOString(), customerNumber, data }, toStorable)

/** PostgreSQL reads no JSON with half a character in it. */
const toStorable = (_name: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)

type Denied = WebhookEvent<'session.denied' | 'checkout.denied' | 'limit.refused'>
type NewDenial = {
  readonly [T in Denied['type']]: { type: T; data: Omit<WebhookEvent<T>['data'], 'denials'> }
}[Denied['type']]

/**
 * Writes a denial in its own transaction: as an event, or as one more in the event that follows when the minute is over
 * (domain/webhooks/denials.ts). Two first denials at the same instant are one event of two. On shards only immutable functions may
 * be used on conflict; `to_jsonb` is not.
 */
export async function writeDenial(db: Kysely<DB>, customerNumber: string, at: Date, denial: NewDenial): Promise<void> {
  const { type, data } = denial
  const due = repeatedDenialsDue(at)
  const later = (due.getTime() - at.getTime()) * 1000
  const key = denialKey({ type, reason: data.reason, username: data.username }, at)
  const [first, repeated] = [toUuid(customerNumber, key, 'first'), toUuid(customerNumber, key, 'repeated')]
  const body = bodyOf(customerNumber, at, { type, data: { ...data, denials: 1 } } as Denied)
  await sql`
    insert into webhook_delivery as d
           (customer_number, endpoint_id, event_id, sequence, event, body, happened_at, state, next_attempt_at)
    select e.customer_number, e.id, case when f.event_id is null then ${first}::uuid else ${repeated}::uuid end,
           ${nextSequence(customerNumber, sql.ref('e.id'), at)} + case when f.event_id is null then 0 else ${later}::bigint end,
           ${type}, ${body}, ${at}, case when e.is_on then 'queued' else 'held' end,
           case when e.is_on then case when f.event_id is null then ${at}::timestamptz else ${due}::timestamptz end end
      from webhook_endpoint e
      left join webhook_delivery f
        on f.customer_number = ${customerNumber} and f.endpoint_id = e.id and f.event_id = ${first}
     where e.customer_number = ${customerNumber} and ${type} = any (e.events)
        on conflict (customer_number, endpoint_id, event_id) do update
       set body = jsonb_set(d.body::jsonb, '{data,denials}', ((d.body::jsonb #>> '{data,denials}')::int + 1)::text::jsonb)::text
     where d.attempts = 0`.execute(db)
}

/** An id that follows from the words, so that all processes make an equal one without asking each other. */
function toUuid(...words: readonly string[]): string {
  const digits = hash('sha256', JSON.stringify(words))
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
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

/** The events that endpoints of an account have chosen, of those that are on. */
export async function listChosenEvents(db: Kysely<DB>, customerNumber: string): Promise<ReadonlySet<EventType>> {
  const rows = await db
    .selectFrom('webhook_endpoint')
    .select('events')
    .where('customer_number', '=', customerNumber)
    .where('is_on', '=', true)
    .execute()
  return new Set(rows.flatMap(({ events }) => events as EventType[]))
}

/** Replaces the names of users in the events of a type, and forgets what endpoints answered to them, which may repeat the event. */
export async function renameUsersInEvents(
  tx: Transaction<DB>,
  customerNumber: string,
  type: EventType,
  rename: (user: string) => string,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select distinct body::jsonb #>> '{data,username}' as name from webhook_delivery
     where customer_number = ${customerNumber} and event = ${type}`.execute(tx)
  const names = rows.map(({ name }) => name).filter((name) => rename(name) !== name)
  if (names.length === 0) return
  await sql`
    update webhook_delivery d set body = jsonb_set(d.body::jsonb, '{data,username}', r.renamed::jsonb)::text
      from unnest(${names}::text[], ${names.map((name) => JSON.stringify(rename(name)))}::text[]) as r (name, renamed)
     where d.customer_number = ${customerNumber} and d.event = ${type} and d.body::jsonb #>> '{data,username}' = r.name`.execute(
    tx,
  )
  await sql`
    update webhook_attempt a set response_body = '' from webhook_delivery d
     where a.customer_number = ${customerNumber} and d.customer_number = ${customerNumber} and a.endpoint_id = d.endpoint_id
       and a.event_id = d.event_id and d.event = ${type}`.execute(tx)
}
