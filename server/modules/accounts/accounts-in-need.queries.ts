import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { exportApproved } from '#server/modules/accounts/accounts.queries.ts'

/** An account, its day, and how many of its rows need attention. */
export type AccountInNeed = { AccountID: string; AccountName: string; today: CalendarDay; count: number }

/** The first accounts, and how many there are in all. */
export type AccountsInNeed = { total: number; accounts: AccountInNeed[] }

type Rows = {
  /** Tables, with the account number of a row in `customerNumber`. */
  readonly from: RawBuilder<unknown>
  readonly customerNumber: RawBuilder<unknown>
  /** Which rows count. `today.day` is the day of the account, `a` the account itself. */
  readonly where: RawBuilder<SqlBool>
}

/**
 * Accounts by how many of their rows need attention, the most first, each on its own calendar. Accounts that export
 * compliance closes are left out. The condition must narrow the rows by an index: this reads all accounts.
 */
export async function listAccountsInNeed(
  db: Kysely<DB>,
  { from, customerNumber, where }: Rows,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<AccountsInNeed> {
  const { rows } = await sql<AccountInNeed & { total: number }>`
    select a.customer_number as "AccountID", a.name as "AccountName", today.day as today, count(*)::int as count,
           (count(*) over ())::int as total
      from ${from} join account a on a.customer_number = ${customerNumber}
           cross join lateral (select (${now}::timestamptz at time zone a.time_zone)::date as day) today
     where ${where} and ${exportApproved}
     group by a.customer_number, a.name, today.day
     order by count(*) desc, a.customer_number limit ${limit}`.execute(db)
  return { total: rows[0]?.total ?? 0, accounts: rows.map(({ total: _, ...account }) => account) }
}

/** Whether an instant is on one of the last days of the account, today included. */
export function isOnLastDays(instant: RawBuilder<unknown>, days: number, now: Date): RawBuilder<SqlBool> {
  // No time zone is more than a day away from UTC: an index finds the rows by the first line.
  return sql<SqlBool>`${instant} >= ${now}::timestamptz - make_interval(days => ${days + 1})
    and ${instant} >= (today.day - ${days - 1}::int)::timestamp at time zone a.time_zone`
}
