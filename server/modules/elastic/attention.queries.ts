import { type Kysely, sql } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { isListedEntitlement } from '#server/db/listed-entitlements.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { exportApproved } from '#server/modules/accounts/accounts.public.ts'
import { bookedOn } from '#server/modules/entitlements/entitlements.public.ts'

export type ElasticBalanceRow = {
  activation_id: string
  product_name: string
  currency: string
  total: string
  used: string
  end_date: CalendarDay | null
}

/** Elastic entitlements that are valid on a day, used up or not, the first to end first. */
export async function listElasticBalances(
  db: Kysely<DB>,
  customerNumber: string,
  today: CalendarDay,
  limit: number,
): Promise<ElasticBalanceRow[]> {
  const { rows } = await sql<ElasticBalanceRow>`
    select e.activation_id, e.product_name, e.currency, e.line_item_quantity * e.units_per_line as total,
           ${bookedOn()} as used, e.end_date
      from entitlement e
     where e.customer_number = ${customerNumber} and e.kind = 'ELASTIC' and ${isListedEntitlement}
       and e.start_date <= ${today}::date and e.ends_on >= ${today}::date
     order by e.ends_on, e.activation_id limit ${limit}`.execute(db)
  return rows
}

export async function countRunningSessions(db: Kysely<DB>, customerNumber: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from usage_transaction
     where customer_number = ${customerNumber} and ends_at = 'infinity'`.execute(db)
  return rows[0]?.count ?? 0
}

export async function countDenialsSince(db: Kysely<DB>, customerNumber: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from elastic_denial
     where customer_number = ${customerNumber} and denied_at >= ${since}`.execute(db)
  return rows[0]?.count ?? 0
}

type AccountInNeed = { AccountID: string; AccountName: string; count: number }
type AccountsInNeed<T = object> = { total: number; accounts: (AccountInNeed & T)[] }

/** Accounts by how many session starts were refused on the last days, each on its own calendar. */
export async function listAccountsWithDenials(
  db: Kysely<DB>,
  { now, days, limit }: { readonly now: Date; readonly days: number; readonly limit: number },
): Promise<AccountsInNeed<{ from: CalendarDay; to: CalendarDay }>> {
  const { rows } = await sql<AccountInNeed & { from: CalendarDay; to: CalendarDay; total: number }>`
    select a.customer_number as "AccountID", a.name as "AccountName", today.day - ${days - 1}::int as "from",
           today.day as "to", count(*)::int as count, (count(*) over ())::int as total
      from elastic_denial d join account a on a.customer_number = d.customer_number
           cross join lateral (select (${now}::timestamptz at time zone a.time_zone)::date as day) today
     where d.denied_at >= ${now}::timestamptz - make_interval(days => ${days + 1})
       and d.denied_at >= (today.day - ${days - 1}::int)::timestamp at time zone a.time_zone
       and ${exportApproved}
     group by a.customer_number, a.name, today.day
     order by count(*) desc, a.customer_number limit ${limit}`.execute(db)
  return withTotal(rows)
}

/** Accounts by how many of the elastic entitlements that are valid on their day are used up or overdrawn. */
export async function listAccountsOverdrawn(
  db: Kysely<DB>,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<AccountsInNeed> {
  const { rows } = await sql<AccountInNeed & { total: number }>`
    select a.customer_number as "AccountID", a.name as "AccountName", count(*)::int as count,
           (count(*) over ())::int as total
      from usage_total t
           join entitlement e on e.customer_number = t.customer_number and e.activation_id = t.activation_id
           join account a on a.customer_number = t.customer_number
           cross join lateral (select (${now}::timestamptz at time zone a.time_zone)::date as day) today
     where t.charge > 0 and t.charge >= e.line_item_quantity * e.units_per_line
       and e.line_item_quantity * e.units_per_line > 0
       and e.kind = 'ELASTIC' and ${isListedEntitlement} and ${exportApproved}
       and e.start_date <= today.day and e.ends_on >= today.day
     group by a.customer_number, a.name
     order by count(*) desc, a.customer_number limit ${limit}`.execute(db)
  return withTotal(rows)
}

function withTotal<T extends { total: number }>(rows: readonly T[]) {
  return { total: rows[0]?.total ?? 0, accounts: rows.map(({ total: _, ...account }) => account) }
}
