import { type Kysely, sql } from 'kysely'
import type { DayRange } from '#domain/calendar/day-range.ts'
import type { ChargebackDimension, ChargebackLine } from '#domain/elastic/statements/chargeback.ts'
import type { DB } from '#server/db/schema.ts'

/** The tables with the sums per day. */
const SUMS = {
  project: ['usage_project_day', 'project'],
  user: ['usage_user_day', 'user_name'],
  host: ['usage_host_day', 'host'],
  product: ['usage_day', 'product'],
} as const satisfies Partial<Record<ChargebackDimension, readonly [keyof DB, string]>>

/** What each project, user, host or product used in a period: of the same entitlements as the statement, in their currencies. */
export async function listChargebackLines(
  db: Kysely<DB>,
  customerNumber: string,
  by: keyof typeof SUMS,
  { from, to }: DayRange,
  limit: number,
): Promise<ChargebackLine[]> {
  const [table, column] = SUMS[by]
  const { rows } = await sql<ChargebackLine>`
    with used as materialized (
      select d.${sql.ref(column)} as name, d.activation_id, sum(d.charge) as used, sum(d.hours) as hours,
             sum(d.transactions) as transactions
        from ${sql.table(table)} d
       where d.customer_number = ${customerNumber} and d.day between ${from} and ${to}
       group by 1, 2)
    select w.name, e.currency, sum(w.used)::text as used, sum(w.hours)::text as hours,
           sum(w.transactions)::int as transactions
      from used w
      join entitlement e on e.customer_number = ${customerNumber} and e.activation_id = w.activation_id and e.kind = 'ELASTIC'
     group by 1, 2
     limit ${limit}`.execute(db)
  return rows
}
