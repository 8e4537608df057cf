import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { exportApproved } from '#server/modules/accounts/accounts.queries.ts'

/** An account, its day, and how many of its rows need attention. */
export type AccountInNeed = { AccountID: string; AccountName: string; today: CalendarDay; count: number }

/** The first accounts, and how many there are in all. */
export type AccountsInNeed = { total: number; accounts: AccountInNeed[] }

type Rows = {
  /** A select of rows with their `customer_number`. An index must narrow them, because they are of all accounts. */
  readonly rows: RawBuilder<unknown>
  /** Which of these rows `r` count, on the day of their account `a`, which is `today.day`. */
  readonly where: RawBuilder<SqlBool>
}

/**
 * Accounts by how many of their rows need attention, the most first, each on its own calendar. Accounts that export
 * compliance closes are left out. `offset 0` keeps the planner from looking for the rows account by account.
 */
export async function listAccountsInNeed(
  db: Kysely<DB>,
  { rows: selected, where }: Rows,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<AccountsInNeed> {
  const { rows } = await sql<AccountInNeed & { total: number }>`
    select a.customer_number as "AccountID", a.name as "AccountName", today.day as today, count(*)::int as count,
           (count(*) over ())::int as total
      from (${selected} offset 0) r join account a on a.customer_number = r.customer_number
           cross join lateral (select (${now}::timestamptz at time zone a.time_zone)::date as day) today
     where ${where} and ${exportApproved}
     group by a.customer_number, a.name, today.day
     order by count(*) desc, a.customer_number limit ${limit}`.execute(db)
  return { total: rows[0]?.total ?? 0, accounts: rows.map(({ total: _, ...account }) => account) }
}

/** Denials of a table on the last days of their account, today included. */
export function denialsOfLastDays(table: RawBuilder<unknown>, days: number, now: Date): Rows {
  // No time zone is more than a day away from UTC.
  return {
    rows: sql`select d.customer_number, d.denied_at from ${table} d
               where d.denied_at >= ${now}::timestamptz - make_interval(days => ${days + 1})`,
    where: sql<SqlBool>`r.denied_at >= (today.day - ${days - 1}::int)::timestamp at time zone a.time_zone`,
  }
}
