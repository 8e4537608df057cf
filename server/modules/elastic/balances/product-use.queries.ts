import { type Kysely, sql } from 'kysely'
import type { DayRange } from '#domain/calendar/day-range.ts'
import type { DB } from '#server/db/schema.ts'

type Period = { readonly from: Date; readonly to: Date }

/** How many sessions ended on the days of a range, from the sums per day. */
export async function countSessionsOnDays(
  db: Kysely<DB>,
  customerNumber: string,
  { from, to }: DayRange,
): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select coalesce(sum(d.transactions), 0)::text as count from usage_day d
     where d.customer_number = ${customerNumber} and d.day between ${from} and ${to}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** The units that each product used on the days of a range, from the sums per day. */
export async function listUnitsByProduct(
  db: Kysely<DB>,
  customerNumber: string,
  { from, to }: DayRange,
): Promise<{ product: string; currency: string; units: string }[]> {
  const { rows } = await sql<{ product: string; currency: string; units: string }>`
    select d.product, d.currency, sum(d.charge)::numeric(16, 2)::text as units from usage_day d
     where d.customer_number = ${customerNumber} and d.day between ${from} and ${to}
     group by 1, 2 order by 1, 2`.execute(db)
  return rows
}

/**
 * The most sessions of each product that ran at the same time. Starts and ends are put in order and counted; a session that
 * ends at an instant makes way for one that starts then. Corrections are no sessions.
 */
export async function listPeakSessions(
  db: Kysely<DB>,
  customerNumber: string,
  { from, to }: Period,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ product: string; peak: number }>`
    with ran as materialized (
      select u.product, greatest(u.started_at, ${from}::timestamptz) as started_at, u.ends_at
        from usage_transaction u
       where u.customer_number = ${customerNumber} and u.ends_at > ${from} and u.started_at <= ${to}
         and u.corrects is null),
    steps as (
      select product, started_at as at, 1 as step from ran
       union all
      select product, greatest(ends_at, started_at + interval '1 millisecond'), -1 from ran where ends_at <= ${to})
    select product, max(running)::int as peak
      from (select product, sum(step) over (partition by product order by at, step
                                            rows between unbounded preceding and current row) as running
              from steps) counted
     group by product`.execute(db)
  return new Map(rows.map(({ product, peak }) => [product, peak]))
}

export async function listDenialReasons(
  db: Kysely<DB>,
  customerNumber: string,
  { from, to }: Period,
): Promise<{ product: string; reason: string; count: number }[]> {
  const { rows } = await sql<{ product: string; reason: string; count: number }>`
    select d.product, d.reason, count(*)::int as count from elastic_denial d
     where d.customer_number = ${customerNumber} and d.denied_at between ${from} and ${to}
     group by 1, 2`.execute(db)
  return rows
}
