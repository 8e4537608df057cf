import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { ADJUSTMENTS } from '#domain/fsa/entry.ts'
import { MANUAL_PART_NUMBER } from '#domain/fsa/order-line.ts'
import type { DB } from '#server/db/schema.ts'
import { contractEntitlements, drawnEntitlements } from '#server/modules/entitlements/entitlements.public.ts'

/** The account, and whether manual entries are listed one by one. */
export type EntryScope = { readonly customerNumber: string; readonly seesManual: boolean }

const COLUMNS = sql`activation_id, entitlement_id, fsa_id, part_number, product_name, line_item_quantity, units_per_line,
  start_date, end_date, currency, price, is_manual, requester_email, order_id, ordered_at`

/**
 * What was drawn from the contracts of an account. Callers who do not see manual entries get one row per contract
 * instead, with the sum and the number of its entries, so that the prices still add up.
 */
export function drawnEntries({ customerNumber, seesManual }: EntryScope): RawBuilder<unknown> {
  const all = sql`select ${COLUMNS} from ${drawnEntitlements} d where d.customer_number = ${customerNumber}`
  if (seesManual) return sql`(${all})`
  return sql`(
    ${all} and not d.is_manual
    union all
    select 'adjustments-' || d.fsa_id, '', d.fsa_id, ${MANUAL_PART_NUMBER}::text, ${ADJUSTMENTS}::text, count(*)::int, 1,
           min(d.start_date), max(d.end_date), min(d.currency), sum(d.price), true, ${'Business Operations'}::text, '',
           max(d.ordered_at)
      from ${drawnEntitlements} d
     where d.customer_number = ${customerNumber} and d.is_manual
     group by d.fsa_id)`
}

export type EntryRow = {
  activation_id: string
  entitlement_id: string
  fsa_id: string | null
  part_number: string
  product_name: string
  line_item_quantity: number
  units_per_line: string
  start_date: CalendarDay
  end_date: CalendarDay
  currency: string
  price: string
  is_manual: boolean
  requester_email: string
  order_id: string
  ordered_at: Date
}

/** What the manual entries of each contract come to, day by day of the account: the balance of each day without the entries. */
export async function listAdjustmentDays(
  db: Kysely<DB>,
  customerNumber: string,
  timeZone: string,
): Promise<{ fsa_id: string; day: CalendarDay; price: string }[]> {
  const { rows } = await sql<{ fsa_id: string; day: CalendarDay; price: string }>`
    select d.fsa_id, (d.ordered_at at time zone ${timeZone}::text)::date as day, sum(d.price) as price
      from ${drawnEntitlements} d
     where d.customer_number = ${customerNumber} and d.is_manual
     group by 1, 2 order by 1, 2`.execute(db)
  return rows
}

/** Contracts, and what was drawn from them. */
export function allEntries(scope: EntryScope): RawBuilder<unknown> {
  return sql`(
    select e.activation_id, e.entitlement_id, null as fsa_id, e.part_number, e.product_name, e.line_item_quantity,
           e.units_per_line, e.start_date, e.end_date, c.currency, c.price, false as is_manual, '' as requester_email,
           e.order_id, e.created_at as ordered_at
      from fsa_contract c join ${contractEntitlements} e using (customer_number, activation_id)
     where c.customer_number = ${scope.customerNumber}
    union all
    select ${COLUMNS} from ${drawnEntries(scope)} d)`
}

/** The last to end first, and no more than `limit`. */
export async function listEntries(db: Kysely<DB>, scope: EntryScope, limit: number): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select ${COLUMNS} from ${allEntries(scope)} t order by end_date desc, activation_id limit ${limit}`.execute(db)
  return rows
}
