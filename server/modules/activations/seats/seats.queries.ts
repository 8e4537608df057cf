import { randomUUID } from 'node:crypto'
import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { HostHoldings } from '#domain/activations/plans/renewal.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { FulfillmentAction, HostIdType } from '#domain/entitlements/fulfillment.ts'
import type { DB } from '#server/db/schema.ts'
import {
  type HostRow,
  hostsEnding,
  isOnMachine,
  type Machine,
} from '#server/modules/activations/hosts/hosts.queries.ts'
import {
  isActivatable,
  lockEntitlements,
  type SoldEntitlement,
  soldEntitlements,
} from '#server/modules/entitlements/entitlements.public.ts'

/**
 * Seats that each fulfillment of a customer still holds: its own count less what was returned of it. A return that names no
 * fulfillment (from an import) is taken from the oldest ones of the same entitlement and host.
 */
const heldSeats = (isMeant: RawBuilder<SqlBool>) => sql`(
  select activation_id, host_id_type, host_id, fulfillment_id, first_at,
         least(net, running - unassigned)::int as seats
    from (
      select t.*,
             sum(greatest(net, 0)) over (partition by activation_id, host_id_type, host_id
               order by first_at, fulfillment_id) as running,
             -sum(least(net, 0)) over (partition by activation_id, host_id_type, host_id) as unassigned
        from (
          select f.activation_id, f.host_id_type, f.host_id,
                 coalesce(f.parent_fulfillment_id, f.fulfillment_id) as fulfillment_id,
                 sum(f.fulfill_count) as net, min(f.fulfilled_at) as first_at
            from fulfillment f where ${isMeant} group by 1, 2, 3, 4) t) u
   where net > 0 and running > unassigned)`

type HeldSeats = {
  activation_id: string
  host_id_type: HostIdType
  host_id: string
  host_name: string
  fulfillment_id: string
  seats: number
}

/** The fulfillments of a customer on a machine with their seats, as one text; equal texts are equal seats. */
export async function findHeldText(db: Kysely<DB>, customerNumber: string, machine: Machine): Promise<string> {
  const { rows } = await sql<{ held: string | null }>`
    select string_agg(fulfillment_id || ' ' || seats, ',' order by fulfillment_id) as held
      from ${heldSeats(isOnMachine('f', customerNumber, machine))} t`.execute(db)
  return rows[0]?.held ?? ''
}

/** Finds the held seats of entitlements, on any host. */
async function findHeldSeats(
  db: Kysely<DB>,
  customerNumber: string,
  activationIds: readonly string[],
): Promise<HeldSeats[]> {
  const isMeant = sql<SqlBool>`f.customer_number = ${customerNumber} and f.activation_id = any (${[...activationIds]})`
  const { rows } = await sql<HeldSeats>`
    select h.activation_id, h.host_id_type, h.host_id, s.host_name, h.fulfillment_id, h.seats
      from ${heldSeats(isMeant)} h
      join host s on s.customer_number = ${customerNumber} and s.host_id_type = h.host_id_type and s.host_id = h.host_id`.execute(
    db,
  )
  return rows
}

/** Entitlements of fulfillments: which activation ids they are of. */
export async function findFulfilledActivations(
  db: Kysely<DB>,
  customerNumber: string,
  fulfillmentIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('fulfillment')
    .select(['fulfillment_id', 'activation_id'])
    .where('customer_number', '=', customerNumber)
    .where('fulfillment_id', 'in', [...fulfillmentIds])
    .where('fulfill_count', '>', 0)
    .execute()
  return new Map(rows.map((row) => [row.fulfillment_id, row.activation_id]))
}

/** Fulfillments, read once their entitlements are locked. */
export type LockedFulfillments = {
  /** Entitlements by fulfillment id. A fulfillment that the account does not have is missing. */
  readonly entitlements: ReadonlyMap<string, SoldEntitlement>
  /** Held seats by fulfillment id. A fulfillment that holds no seats any more is missing. */
  readonly held: ReadonlyMap<string, HeldSeats>
}

export async function lockFulfillments(
  db: Transaction<DB>,
  customerNumber: string,
  fulfillmentIds: readonly string[],
): Promise<LockedFulfillments> {
  if (fulfillmentIds.length === 0) return { entitlements: new Map(), held: new Map() }
  const activationOf = await findFulfilledActivations(db, customerNumber, fulfillmentIds)
  const activationIds = [...activationOf.values()]
  const entitlements = await lockEntitlements(db, customerNumber, activationIds)
  const held = await findHeldSeats(db, customerNumber, activationIds)
  return {
    entitlements: new Map(
      [...activationOf].flatMap(([id, activationId]) => {
        const entitlement = entitlements.get(activationId)
        return entitlement ? [[id, entitlement] as const] : []
      }),
    ),
    held: new Map(held.map((row) => [row.fulfillment_id, row])),
  }
}

export type LedgerRow = {
  readonly activationId: string
  readonly host: Pick<HostRow, 'host_id_type' | 'host_id' | 'host_name'>
  readonly count: number
  readonly returns?: string
}

/** Appends to the ledger and answers the ids of the new rows, in the same order. */
export async function insertFulfillments(
  tx: Transaction<DB>,
  by: { customerNumber: string; action: FulfillmentAction; email: string; now: Date },
  rows: readonly LedgerRow[],
): Promise<string[]> {
  const ids = rows.map(() => randomUUID())
  await tx
    .insertInto('fulfillment')
    .values(
      rows.map(({ activationId, host, count, returns }, index) => ({
        customer_number: by.customerNumber,
        fulfillment_id: ids[index]!,
        parent_fulfillment_id: returns ?? null,
        activation_id: activationId,
        host_id_type: host.host_id_type,
        host_id: host.host_id,
        fulfill_count: count,
        action: by.action,
        modified_by: by.email,
        fulfilled_at: by.now,
      })),
    )
    .execute()
  return ids
}

/** A customer, and which day it is there. */
export type CustomerDay = { readonly customerNumber: string; readonly today: CalendarDay }

const activationJson = (fulfillments: RawBuilder<unknown>) => sql`json_build_object(
  'customerNumber', e.customer_number, 'ActivationId', e.activation_id, 'ProductName', e.product_name,
  'LicenseModel', e.license_model, 'LineItemQuantity', e.line_item_quantity, 'StartDate', e.start_date,
  'EndDate', e.end_date, 'VersionDate', e.version_date, 'IsActivationPermanent', e.is_permanent::text,
  'CA[ENT|ansystype]', e.type, 'AnsysActivated', e.activated_count, 'AnsysFulfillments', ${fulfillments})`

const NONE = sql`'[]'::json`
const inOrder = sql`order by e.product_name, e.ends_on, e.activation_id`

/** Everything of an account of which seats can be activated, as JSON. */
export async function loadActivatableJson(db: Kysely<DB>, { customerNumber, today }: CustomerDay): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select coalesce(json_agg(${activationJson(NONE)} ${inOrder}), '[]')::text as text
      from ${soldEntitlements} e
     where e.customer_number = ${customerNumber} and ${isActivatable(sql`${today}::date`)}`.execute(db)
  return rows[0]?.text ?? '[]'
}

/** What ends by a day, by the license server, with what waits there for its first day. */
export async function listEndingHoldings(
  db: Kysely<DB>,
  { customerNumber, today }: CustomerDay,
  lastDay: CalendarDay,
): Promise<HostHoldings<{ serverId: string }>[]> {
  const seats = sql`json_build_array(json_build_object('FulfillmentID', '', 'FulfillCount', s.seats))`
  const { rows } = await sql<HostHoldings<{ serverId: string }>>`
    select json_build_object('serverId', s.host_id) as host, json_agg(${activationJson(seats)}) as held
      from host_seats s join ${soldEntitlements} e using (activation_id)
     where s.customer_number = ${customerNumber} and e.customer_number = ${customerNumber} and s.seats > 0
       and (e.ends_on between ${today}::date and ${lastDay}::date or e.start_date > ${today}::date)
       and (s.host_id_type, s.host_id) in (${hostsEnding(customerNumber, lastDay)})
     group by s.host_id_type, s.host_id`.execute(db)
  return rows
}

type MachineOptions = Partial<Record<'activeOnly' | 'sumOnly' | 'withActivatable', boolean | undefined>>

/** What some customers have on a machine, as JSON, in the order of the customers. */
export async function loadActivationsOnMachineJson(
  db: Kysely<DB>,
  customers: readonly CustomerDay[],
  machine: Machine,
  options: MachineOptions,
): Promise<string> {
  const parts: string[] = []
  for (const customer of customers.toSorted((one, other) => (one.customerNumber < other.customerNumber ? -1 : 1))) {
    const part = await loadOwnActivations(db, customer, machine, options)
    if (part !== null) parts.push(part)
  }
  return `[${parts.join(',')}]`
}

/** The elements of a JSON array; null if there are none. */
async function loadOwnActivations(
  db: Kysely<DB>,
  { customerNumber, today }: CustomerDay,
  machine: Machine,
  { activeOnly = false, sumOnly = false, withActivatable = false }: MachineOptions,
): Promise<string | null> {
  const fulfillments = sumOnly ? NONE : sql`coalesce(h.list, ${NONE})`
  const activatable = sql`
    union all
    select e.activation_id from ${soldEntitlements} e
     where e.customer_number = ${customerNumber} and ${isActivatable(sql`${today}::date`)}
       and not exists (select 1 from seated s where s.activation_id = e.activation_id)`
  const { rows } = await sql<{ text: string | null }>`
    with seated as materialized (
      select f.activation_id from host_seats f
       where ${isOnMachine('f', customerNumber, machine)} and (f.seats > 0 or not ${activeOnly}::boolean)),
    held as (
      select activation_id,
             json_agg(json_build_object('FulfillmentID', fulfillment_id, 'FulfillCount', seats)
               order by first_at, fulfillment_id) as list
        from ${heldSeats(isOnMachine('f', customerNumber, machine))} t group by 1)
    select string_agg(${activationJson(fulfillments)}::text, ',' ${inOrder}) as text
      from (select activation_id from seated ${withActivatable ? activatable : sql``}) s
      join ${soldEntitlements} e using (activation_id)
      left join held h using (activation_id)
     where e.customer_number = ${customerNumber}`.execute(db)
  return rows[0]?.text ?? null
}
