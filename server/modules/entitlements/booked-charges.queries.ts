import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isListedEntitlement } from '#server/db/listed-entitlements.queries.ts'
import type { DB } from '#server/db/schema.ts'

/**
 * Charges booked on `entitlement e`. The sums per day are kept by the database with every transaction, so this is the sum
 * of the booked charges at every moment.
 */
export function bookedOn(): RawBuilder<string> {
  return sql<string>`(
    select coalesce(sum(d.charge), 0) from usage_day d
     where d.customer_number = e.customer_number and d.activation_id = e.activation_id)`
}

export type MonthlyDraw = { month: string; used: number }[]

/** What was drawn month by month, by activation id; ids that are no elastic entitlement of the account are left out. */
export async function loadMonthlyDraw(
  db: Kysely<DB>,
  customerNumber: string,
  activationIds: readonly string[],
): Promise<Record<string, MonthlyDraw>> {
  const { rows } = await sql<{ activation_id: string; draw: MonthlyDraw }>`
    select e.activation_id, coalesce((
      select json_agg(json_build_object('month', m.month, 'used', trim_scale(m.used)) order by m.month)
        from (select to_char(d.day, 'YYYY-MM') as month, sum(d.charge) as used from usage_day d
               where d.customer_number = e.customer_number and d.activation_id = e.activation_id group by 1) m
    ), '[]') as draw
      from entitlement e
     where e.customer_number = ${customerNumber} and e.activation_id = any (${[...new Set(activationIds)]})
       and e.kind = 'ELASTIC' and ${isListedEntitlement}`.execute(db)
  return Object.fromEntries(rows.map((row) => [row.activation_id, row.draw]))
}
