import { type Kysely, sql, type Transaction } from 'kysely'
import type { FulfillmentRecord } from '#contract/data/fulfillments.ts'
import { namesCustomers } from '#server/db/named-customers.ts'
import type { DB } from '#server/db/schema.ts'
import { findReserved } from '#server/modules/activations/plans/host-plans.queries.ts'
import { lockEntitlements } from '#server/modules/entitlements/entitlements.public.ts'

export type LedgerEntry = Required<Omit<FulfillmentRecord, 'parentFulfillmentId'>> & {
  readonly parentFulfillmentId: string | null
}

const instant = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)

const ENTRY = sql`f.customer_number as "customerNumber", f.fulfillment_id as "fulfillmentId",
  f.activation_id as "activationId", f.host_id_type as "hostIdType", f.host_id as "hostId", f.fulfill_count as count,
  ${instant('f.fulfilled_at')} as "fulfilledAt", f.parent_fulfillment_id as "parentFulfillmentId", f.action,
  f.modified_by as "modifiedBy"`

type EntryKey = Pick<LedgerEntry, 'customerNumber' | 'fulfillmentId'>

const customersOf = (some: readonly Pick<LedgerEntry, 'customerNumber'>[]) => some.map((one) => one.customerNumber)

export async function findEntries(db: Kysely<DB>, keys: readonly EntryKey[]): Promise<LedgerEntry[]> {
  const { rows } = await sql<LedgerEntry>`
    select ${ENTRY}
      from unnest(${customersOf(keys)}::text[], ${keys.map((one) => one.fulfillmentId)}::text[])
           as k (customer_number, fulfillment_id)
      join fulfillment f on f.customer_number = k.customer_number and f.fulfillment_id = k.fulfillment_id
     where ${namesCustomers('f', customersOf(keys))}`.execute(db)
  return rows
}

type ReturnedSeats = EntryKey & { readonly returned: number }

/** Finds the seats of activations that were returned by entries that name them. */
export async function findReturned(db: Kysely<DB>, keys: readonly EntryKey[]): Promise<ReturnedSeats[]> {
  const { rows } = await sql<ReturnedSeats>`
    select p.customer_number as "customerNumber", p.fulfillment_id as "fulfillmentId",
           -sum(r.fulfill_count)::int as returned
      from (select distinct * from unnest(
              ${customersOf(keys)}::text[], ${keys.map((one) => one.fulfillmentId)}::text[])
              as e (customer_number, fulfillment_id)) k
      join fulfillment p on p.customer_number = k.customer_number and p.fulfillment_id = k.fulfillment_id
      join fulfillment r on r.customer_number = p.customer_number and r.activation_id = p.activation_id
       and r.parent_fulfillment_id = p.fulfillment_id
     where ${namesCustomers('p', customersOf(keys))} and ${namesCustomers('r', customersOf(keys))}
     group by 1, 2`.execute(db)
  return rows
}

export type EntitledSeats = {
  readonly customerNumber: string
  readonly activationId: string
  /** Network and Node Locked entitlements in any state, because the ledger also has the past. */
  readonly isActivatable: boolean
  /** Seats that are neither on a host nor kept for a plan. */
  readonly available: number
}

/** The entitlements that entries name, locked in one order until the end of the transaction. */
export async function lockEntitledSeats(
  tx: Transaction<DB>,
  entries: readonly Pick<LedgerEntry, 'customerNumber' | 'activationId'>[],
): Promise<EntitledSeats[]> {
  const byCustomer = Map.groupBy(entries, ({ customerNumber }) => customerNumber)
  const found: EntitledSeats[] = []
  for (const customerNumber of [...byCustomer.keys()].sort()) {
    const ids = byCustomer.get(customerNumber)?.map(({ activationId }) => activationId) ?? []
    const entitlements = await lockEntitlements(tx, customerNumber, ids)
    const reserved = await findReserved(tx, customerNumber, ids)
    for (const [activationId, { kind, line_item_quantity, activated_count }] of entitlements)
      found.push({
        customerNumber,
        activationId,
        isActivatable: kind === 'SSL',
        available: line_item_quantity - activated_count - (reserved.get(activationId) ?? 0),
      })
  }
  return found
}

export type SeatsOnHost = Pick<LedgerEntry, 'customerNumber' | 'activationId' | 'hostIdType' | 'hostId'> & {
  readonly seats: number
}

/** Finds the seats of each entitlement on each host, where both exist. */
export async function findSeatsOnHosts(
  tx: Transaction<DB>,
  entries: readonly Pick<LedgerEntry, 'customerNumber' | 'activationId' | 'hostIdType' | 'hostId'>[],
): Promise<SeatsOnHost[]> {
  const { rows } = await sql<SeatsOnHost>`
    select k.customer_number as "customerNumber", k.activation_id as "activationId", k.host_id_type as "hostIdType",
           k.host_id as "hostId", coalesce(s.seats, 0) as seats
      from (select distinct * from unnest(
              ${customersOf(entries)}::text[], ${entries.map((one) => one.activationId)}::text[],
              ${entries.map((one) => one.hostIdType)}::text[], ${entries.map((one) => one.hostId)}::text[])
              as e (customer_number, activation_id, host_id_type, host_id)) k
      join host h on h.customer_number = k.customer_number and h.host_id_type = k.host_id_type and h.host_id = k.host_id
      left join host_seats s on s.customer_number = h.customer_number and s.activation_id = k.activation_id
       and s.host_id_type = h.host_id_type and s.host_id = h.host_id
     where ${namesCustomers('h', customersOf(entries))}`.execute(tx)
  return rows
}

export async function appendEntries(tx: Transaction<DB>, entries: readonly LedgerEntry[]): Promise<void> {
  await sql`
    insert into fulfillment (customer_number, fulfillment_id, parent_fulfillment_id, activation_id, host_id_type, host_id,
                             fulfill_count, action, modified_by, fulfilled_at)
    select r."customerNumber", r."fulfillmentId", r."parentFulfillmentId", r."activationId", r."hostIdType", r."hostId",
           r.count, r.action, r."modifiedBy", r."fulfilledAt"
      from rows from (json_to_recordset(${JSON.stringify(entries)}::json) as (
             "customerNumber" text, "fulfillmentId" text, "parentFulfillmentId" text, "activationId" text,
             "hostIdType" text, "hostId" text, count int, action text, "modifiedBy" text, "fulfilledAt" timestamptz))
           with ordinality r
     order by r.ordinality`.execute(tx)
}

export type EntryPosition = Pick<LedgerEntry, 'customerNumber' | 'fulfilledAt' | 'fulfillmentId' | 'count'>

const START: EntryPosition = { customerNumber: '', fulfilledAt: '-infinity', count: 0, fulfillmentId: '' }

/**
 * A page of entries in the order of time. At one instant, returns come first: they free the seats that are moved
 * elsewhere.
 */
export async function pageOfEntries(
  db: Kysely<DB>,
  { customerNumber, fulfilledAt, count, fulfillmentId }: EntryPosition = START,
  limit: number,
): Promise<LedgerEntry[]> {
  const { rows } = await sql<LedgerEntry>`
    select ${ENTRY} from fulfillment f
     where (f.customer_number, f.fulfilled_at, f.fulfill_count > 0, f.fulfillment_id)
           > (${customerNumber}::text, ${fulfilledAt}::timestamptz, ${count > 0}::boolean, ${fulfillmentId}::text)
     order by f.customer_number, f.fulfilled_at, f.fulfill_count > 0, f.fulfillment_id
     limit ${limit}`.execute(db)
  return rows
}
