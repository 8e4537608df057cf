import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { EntitlementKind } from '#domain/entitlements/kind.ts'
import { isListedEntitlement } from '#server/db/listed-entitlements.queries.ts'
import type { DB } from '#server/db/schema.ts'

/**
 * Entitlements for a module that joins them to its own tables, as `… join ${soldEntitlements} e using (customer_number,
 * activation_id)`. PostgreSQL plans it as if the table itself stood there.
 */
export const soldEntitlements: RawBuilder<unknown> = sql`(
  select customer_number, activation_id, part_number, product_name, license_model, type, state, kind, is_manual,
         line_item_quantity, activated_count, start_date, end_date, ends_on, version_date, is_permanent
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
