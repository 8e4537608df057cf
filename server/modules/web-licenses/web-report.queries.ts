import { type Kysely, type SqlBool, sql } from 'kysely'
import type { CountedUser, ReportedDenials, ReportedEntitlement } from '#domain/web-licenses/web-report.ts'
import type { DB } from '#server/db/schema.ts'
import { LISTED_ENTITLEMENT } from '#server/identity/listed-entitlements.queries.ts'

type Period = { readonly from: Date; readonly to: Date }

/** Checkouts that overlap a period. One that still runs ends at the present. */
const checkoutsIn = (customerNumber: string, { from, to }: Period, now: Date) => sql`
  select c.product, c.kind, c.activation_id, c.email, c.started_at,
         case when isfinite(c.ends_at) then c.ends_at else ${now}::timestamptz end as ended_at
    from web_checkout c
   where c.customer_number = ${customerNumber} and c.ends_at > ${from} and c.started_at <= ${to}`

/** Counting stops at `most`. */
export async function countCheckoutsIn(
  db: Kysely<DB>,
  customerNumber: string,
  { from, to }: Period,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select 1 from web_checkout c
       where c.customer_number = ${customerNumber} and c.ends_at > ${from} and c.started_at <= ${to}
       limit ${most}) counted`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * The most seats of each product that were in use at the same time, for each day. Starts and ends are put in order and
 * counted: a seat that is given back at an instant is free for the next user at the same instant, and a use takes at least
 * the instant of its start. Every day begins with a step of 0, so that what runs over midnight counts on both days.
 * Overlapping checkouts of a named user are one use of a seat; every shared checkout takes a seat of its own.
 */
export async function listPeakUse(
  db: Kysely<DB>,
  customerNumber: string,
  period: Period,
  { starts, now }: { readonly starts: readonly Date[]; readonly now: Date },
): Promise<{ product: string; peaks: number[]; sharedPeak: number }[]> {
  const dayStarts = sql`${starts.map((start) => start.toISOString())}::timestamptz[]`
  const { rows } = await sql<{ product: string; peaks: number[]; sharedPeak: number }>`
    with checkouts as materialized (${checkoutsIn(customerNumber, period, now)}),
    named as (
      select *, coalesce(started_at > max(ended_at) over (
                  partition by product, activation_id, email order by started_at, ended_at
                  rows between unbounded preceding and 1 preceding), true) as is_first
        from checkouts where kind = 'SUBSCRIPTION'),
    named_uses as (
      select *, count(*) filter (where is_first) over (
                  partition by product, activation_id, email order by started_at, ended_at
                  rows between unbounded preceding and current row) as use
        from named),
    uses as (
      select product, 1 as shared, started_at, ended_at from checkouts where kind = 'CONCURRENT'
       union all
      select product, 0, min(started_at), max(ended_at) from named_uses group by product, activation_id, email, use),
    steps as (
      select product, shared, started_at as at, 1 as step, width_bucket(started_at, ${dayStarts}) as day from uses
       union all
      select product, shared, greatest(ended_at, started_at + interval '1 millisecond'), -1, 0 from uses
       union all
      select product, 0, d.at, 0, d.day
        from (select distinct product from uses) used cross join unnest(${dayStarts}) with ordinality d (at, day)),
    running as (
      select product, step, day, sum(step) over counted as seats, sum(step * shared) over counted as shared_seats
        from steps
      window counted as (partition by product order by at, step rows between unbounded preceding and current row)),
    days as (
      select product, day, max(seats) as peak, max(shared_seats) as shared_peak
        from running where step >= 0 and day > 0 group by product, day)
    select product, json_agg(peak order by day) as peaks, max(shared_peak)::int as "sharedPeak"
      from days group by product`.execute(db)
  return rows
}

/**
 * Hours are those within the period. Every checkout is rounded once, as the list of checkouts shows it: to two decimals, at
 * least 0.01. Products and users add up the same rounded hours, so both have the same total.
 */
const hoursWithin = ({ from, to }: Period) => sql`
  sum(greatest(0.01, round(extract(epoch from
    least(ended_at, ${to}::timestamptz + interval '1 millisecond') - greatest(started_at, ${from}::timestamptz)) / 3600, 2)))::float8`

export async function listUseByProduct(
  db: Kysely<DB>,
  customerNumber: string,
  period: Period,
  now: Date,
): Promise<{ product: string; checkouts: number; users: number; namedUsers: number; hours: number }[]> {
  const { rows } = await sql<{ product: string; checkouts: number; users: number; namedUsers: number; hours: number }>`
    select product, count(*)::int as checkouts, count(distinct email)::int as users,
           (count(distinct email) filter (where kind = 'SUBSCRIPTION'))::int as "namedUsers",
           ${hoursWithin(period)} as hours
      from (${checkoutsIn(customerNumber, period, now)}) checkouts
     group by product`.execute(db)
  return rows
}

export async function listUseByUser(
  db: Kysely<DB>,
  customerNumber: string,
  period: Period,
  now: Date,
): Promise<CountedUser[]> {
  const { rows } = await sql<CountedUser>`
    select email as "user", count(*)::int as checkouts, count(distinct product)::int as products,
           ${hoursWithin(period)} as hours
      from (${checkoutsIn(customerNumber, period, now)}) checkouts
     group by email`.execute(db)
  return rows
}

export async function listReportedEntitlements(db: Kysely<DB>, customerNumber: string): Promise<ReportedEntitlement[]> {
  const { rows } = await sql<{ product: string; quantity: number; start_date: string; end_date: string | null }>`
    select e.product_name as product, e.line_item_quantity as quantity, e.start_date, e.end_date from entitlement e
     where e.customer_number = ${customerNumber} and e.kind in ('SUBSCRIPTION', 'CONCURRENT')
       and ${sql.raw<SqlBool>(LISTED_ENTITLEMENT)}`.execute(db)
  return rows.map(({ product, quantity, start_date, end_date }) => ({
    product,
    quantity,
    term: { startDate: start_date, endDate: end_date },
  }))
}

export async function listDenialsIn(
  db: Kysely<DB>,
  customerNumber: string,
  { from, to }: Period,
): Promise<ReportedDenials[]> {
  const { rows } = await sql<ReportedDenials>`
    select d.product, d.email as "user", d.reason, count(*)::int as count from web_denial d
     where d.customer_number = ${customerNumber} and d.denied_at between ${from} and ${to}
     group by 1, 2, 3`.execute(db)
  return rows
}
