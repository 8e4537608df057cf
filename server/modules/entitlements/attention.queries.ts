import { type Kysely, sql } from 'kysely'
import { addDays, type CalendarDay, dayIn } from '#domain/calendar/calendar-day.ts'
import { type EntitlementType, kindsOf } from '#domain/entitlements/kind.ts'
import { endDateWith } from '#domain/entitlements/term.ts'
import type { EndingDay } from '#domain/home/ending.ts'
import { isListedEntitlement } from '#server/db/listed-entitlements.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { exportApproved } from '#server/modules/accounts/accounts.public.ts'
import { isActiveOn } from '#server/modules/entitlements/entitlements.queries.ts'

/** How many active entitlements end on each of the next days, today included. */
export async function countEndingByDay(
  db: Kysely<DB>,
  customerNumber: string,
  type: EntitlementType,
  { today, days }: { readonly today: CalendarDay; readonly days: number },
): Promise<EndingDay[]> {
  const { rows } = await sql<EndingDay>`
    select e.end_date as day, count(*)::int as count from entitlement e
     where e.customer_number = ${customerNumber} and e.kind = any (${kindsOf(type)}) and ${isListedEntitlement}
       and e.ends_on <= ${endDateWith(days, today)}::date and ${isActiveOn(today, true)}
     group by 1 order by 1`.execute(db)
  return rows
}

/** Active permanent licenses whose maintenance has ended: the SQL side of `isMaintenanceEnded`. */
export async function countMaintenanceEnded(
  db: Kysely<DB>,
  customerNumber: string,
  today: CalendarDay,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from entitlement e
     where e.customer_number = ${customerNumber} and e.kind = any (${kindsOf('SSL')}) and ${isListedEntitlement}
       and e.is_permanent and e.version_date < ${today}::date and ${isActiveOn(today, true)}`.execute(db)
  return rows[0]?.count ?? 0
}

export type AccountInNeed = { AccountID: string; AccountName: string; count: number }

/** Accounts by how many of their leases end soon, each on its own calendar; with how many accounts there are. */
export async function listAccountsWithEnding(
  db: Kysely<DB>,
  { now, days, limit }: { readonly now: Date; readonly days: number; readonly limit: number },
): Promise<{ total: number; accounts: AccountInNeed[] }> {
  // No time zone is more than a day away from UTC.
  const utc = dayIn('UTC', now)
  const { rows } = await sql<AccountInNeed & { total: number }>`
    select a.customer_number as "AccountID", a.name as "AccountName", count(*)::int as count,
           (count(*) over ())::int as total
      from entitlement e join account a on a.customer_number = e.customer_number
           cross join lateral (select (${now}::timestamptz at time zone a.time_zone)::date as day) today
     where e.ends_on between ${addDays(utc, -1)}::date and ${endDateWith(days + 1, utc)}::date
       and e.kind = any (${kindsOf('SSL')}) and ${isListedEntitlement} and ${exportApproved}
       and e.ends_on between today.day and today.day + ${days - 1}::int and e.start_date <= today.day
     group by a.customer_number, a.name
     order by count(*) desc, a.customer_number limit ${limit}`.execute(db)
  return { total: rows[0]?.total ?? 0, accounts: rows.map(({ total: _, ...account }) => account) }
}
