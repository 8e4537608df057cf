import { type Insertable, type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { EntitlementKind } from '#domain/entitlements/kind.ts'
import type { DB } from '#server/db/schema.ts'
import { announceAccess } from '#server/identity/access-changes.queries.ts'
import { isListedEntitlement } from '#server/identity/listed-entitlements.queries.ts'
import { claimActivationIds } from '#server/modules/entitlements/activation-ids.queries.ts'

/**
 * Entitlements for a module that joins them to its own tables, as `… join ${soldEntitlements} e using (customer_number,
 * activation_id)`. PostgreSQL plans it as if the table itself stood there.
 */
export const soldEntitlements: RawBuilder<unknown> = sql`(
  select customer_number, activation_id, part_number, product_name, license_model, type, state, kind, is_manual,
         line_item_quantity, activated_count, start_date, end_date, ends_on, version_date, is_permanent,
         license_changes
    from entitlement)`

/** The rows of `${soldEntitlements} e` of which seats can be activated: the SQL side of `canBeActivated`. */
export function isActivatable(today: RawBuilder<CalendarDay>): RawBuilder<SqlBool> {
  return sql<SqlBool>`${isListedEntitlement} and e.kind = 'SSL' and e.ends_on >= ${today}
    and e.line_item_quantity > e.activated_count`
}

export type SoldEntitlement = {
  activation_id: string
  product_name: string
  license_model: string
  state: string
  kind: EntitlementKind
  is_manual: boolean
  line_item_quantity: number
  activated_count: number
  start_date: CalendarDay
  end_date: CalendarDay | null
  version_date: CalendarDay | null
  is_permanent: boolean
}

/** Locks entitlements until the end of the transaction, so that nobody else moves their seats; always in the same order. */
export async function lockEntitlements(
  tx: Transaction<DB>,
  customerNumber: string,
  activationIds: readonly string[],
): Promise<Map<string, SoldEntitlement>> {
  const { rows } = await sql<SoldEntitlement>`
    select activation_id, product_name, license_model, state, kind, is_manual, line_item_quantity, activated_count,
           start_date, end_date, version_date, is_permanent
      from entitlement
     where customer_number = ${customerNumber} and activation_id = any (${[...new Set(activationIds)]})
     order by activation_id for no key update`.execute(tx)
  return new Map(rows.map((row) => [row.activation_id, row]))
}

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

/** FSA contracts, for a module that joins them to its own tables. */
export const contractEntitlements: RawBuilder<unknown> = sql`(
  select customer_number, activation_id, entitlement_id, part_number, product_name, line_item_quantity, units_per_line,
         start_date, end_date, ends_on, po_number, order_id, coalesce(ordered_at, created_at) as created_at
    from entitlement
   where kind = 'FSA' and state = 'Deployed' and end_date is not null)`

/** What was drawn from FSA contracts: orders, and the manual entries of business operations. */
export const drawnEntitlements: RawBuilder<unknown> = sql`(
  select customer_number, activation_id, entitlement_id, fsa_id, part_number, product_name, line_item_quantity,
         units_per_line, start_date, end_date, currency, coalesce(price, 0) as price, is_manual,
         coalesce(requester_email, '') as requester_email, order_id, coalesce(ordered_at, created_at) as ordered_at
    from entitlement
   where subtype = 'FSA' and fsa_id is not null and state = 'Deployed' and end_date is not null)`

/** Adds entitlements together with the claims on their activation ids. */
export async function insertEntitlements(
  tx: Transaction<DB>,
  rows: readonly Insertable<DB['entitlement']>[],
): Promise<void> {
  if (rows.length === 0) return
  await claimActivationIds(tx, rows)
  await tx
    .insertInto('entitlement')
    .values([...rows])
    .execute()
  await announceAccess(
    tx,
    rows.map(({ customer_number }) => customer_number),
  )
}

/** The account of `entitlement e`, named once more, so that a statement of one account runs on its own node. */
type AccountOfEntitlement = string | RawBuilder<unknown>

/**
 * Charges booked on `entitlement e`. The database keeps the total with every transaction, so this is the sum of the booked
 * charges at every moment.
 */
export function bookedOn(customerNumber: AccountOfEntitlement): RawBuilder<string> {
  return sql<string>`coalesce((
    select t.charge from usage_total t
     where t.customer_number = ${customerNumber} and t.activation_id = e.activation_id), 0)`
}

/** Whether all units of `entitlement e` are used; never true of anything that is not elastic. */
export function isUsedUp(customerNumber: AccountOfEntitlement): RawBuilder<SqlBool> {
  return sql<SqlBool>`(
    e.kind = 'ELASTIC' and e.line_item_quantity * e.units_per_line > 0
    and ${bookedOn(customerNumber)} >= e.line_item_quantity * e.units_per_line)`
}

/**
 * The rows of `entitlement e` of an account that are active on a day, or are not: the SQL side of `domain/entitlements/activity.ts`.
 * The end stands first and alone: in the order of the end, an index then begins right at the day.
 */
export function isActiveOn(customerNumber: string, today: CalendarDay, isActive: boolean): RawBuilder<SqlBool> {
  const day = sql`${today}::date`
  const active = sql<SqlBool>`
    e.ends_on >= ${day}
    and (e.start_date <= ${day} or e.kind = 'FSA')
    and not ${isUsedUp(customerNumber)}`
  return isActive ? active : sql<SqlBool>`not (${active})`
}
