import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { isListedEntitlement } from '#server/identity/listed-entitlements.queries.ts'
import { bookedOn } from '#server/modules/entitlements/entitlements.public.ts'

/** Elastic entitlements as the JSON text of the wire, the last to end first, and how many there are. */
export async function loadElasticEntitlementsJson(
  db: Kysely<DB>,
  customerNumber: string,
  limit: number,
): Promise<{ json: string; found: number }> {
  const { rows } = await sql<{ json: string; found: number }>`
    select coalesce(json_agg(row_to_json(wire) order by wire."EndDate" desc, wire."ActivationId"), '[]')::text as json,
           count(*)::int as found
      from (
        select e.activation_id as "ActivationId",
               e.product_name as "CA[ENT|ansysproduct]",
               trim_scale(e.units_per_line) as "CA[ENT|ansyscount]",
               e.rate_table_version as "CA[ENT|ansysratetableversion]",
               e.po_number as "CA[ENT|ansysponum]",
               e.line_item_quantity as "LineItemQuantity",
               e.start_date as "StartDate",
               e.end_date as "EndDate",
               e.currency as "Currency",
               trim_scale(${bookedOn(customerNumber)}) as "Used",
               e.license_model as "LicenseModel",
               e.state as "EntitlementState"
          from entitlement e
         where e.customer_number = ${customerNumber} and e.kind = 'ELASTIC' and ${isListedEntitlement}
         limit ${limit}
      ) wire`.execute(db)
  const [answer] = rows
  if (!answer) throw new Error('an aggregate without a row')
  return answer
}

type MonthlyDraw = { month: string; used: number }[]

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
               where d.customer_number = ${customerNumber} and d.activation_id = e.activation_id group by 1) m
    ), '[]') as draw
      from entitlement e
     where e.customer_number = ${customerNumber} and e.activation_id = any (${[...new Set(activationIds)]})
       and e.kind = 'ELASTIC' and ${isListedEntitlement}`.execute(db)
  return Object.fromEntries(rows.map((row) => [row.activation_id, row.draw]))
}
