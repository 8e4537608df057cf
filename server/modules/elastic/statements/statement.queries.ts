import { type Kysely, sql } from 'kysely'
import type { DayRange } from '#domain/calendar/day-range.ts'
import type { StatedEntitlement } from '#domain/elastic/statements/statement.ts'
import type { DB } from '#server/db/schema.ts'
import { isListedEntitlement } from '#server/identity/listed-entitlements.queries.ts'

/** Elastic entitlements with what was booked before a period and in it, from the sums per day: one statement, one moment. */
export async function listStatedEntitlements(
  db: Kysely<DB>,
  customerNumber: string,
  { from, to }: DayRange,
  limit: number,
): Promise<StatedEntitlement[]> {
  const { rows } = await sql<StatedEntitlement>`
    with drawn as materialized (
      select d.activation_id, d.product,
             coalesce(sum(d.charge) filter (where d.day < ${from}), 0) as before,
             sum(d.charge) filter (where d.day >= ${from}) as used
        from usage_day d
       where d.customer_number = ${customerNumber} and d.day <= ${to}
       group by 1, 2),
    booked as (
      select w.activation_id, sum(w.before) as before,
             json_agg(json_build_object('product', w.product, 'used', w.used::text)) filter (where w.used is not null) as products
        from drawn w group by 1)
    select e.po_number as "purchaseOrder", e.activation_id as "activationId", e.start_date as "startDate",
           e.end_date as "endDate", e.currency, (e.units_per_line * e.line_item_quantity)::text as total,
           ${isListedEntitlement} as "isListed", coalesce(b.before, 0)::text as "usedBefore",
           coalesce(b.products, '[]') as products
      from entitlement e left join booked b on b.activation_id = e.activation_id
     where e.customer_number = ${customerNumber} and e.kind = 'ELASTIC'
       and (b.products is not null
            or (${isListedEntitlement} and e.start_date <= ${to} and coalesce(e.end_date, 'infinity') >= ${from}))
     limit ${limit}`.execute(db)
  return rows
}
