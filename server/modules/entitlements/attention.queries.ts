import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { addDays, type CalendarDay, dayIn } from '#domain/calendar/calendar-day.ts'
import { type EntitlementKind, kindsOf } from '#domain/entitlements/kind.ts'
import { endDateWith } from '#domain/entitlements/term.ts'
import type { EndingDay } from '#domain/home/ending.ts'
import type { DB } from '#server/db/schema.ts'
import { isListedEntitlement } from '#server/identity/listed-entitlements.queries.ts'
import { type AccountsInNeed, listAccountsInNeed } from '#server/modules/accounts/accounts.public.ts'
import { isActiveOn, isUsedUp } from '#server/modules/entitlements/entitlements.queries.ts'

/** How many active entitlements end on each of the next days, today included. */
export async function countEndingByDay(
  db: Kysely<DB>,
  customerNumber: string,
  kinds: readonly EntitlementKind[],
  { today, days }: { readonly today: CalendarDay; readonly days: number },
): Promise<EndingDay[]> {
  const { rows } = await sql<EndingDay>`
    select e.end_date as day, count(*)::int as count, count(*) filter (where e.activated_count > 0)::int as "withSeats"
      from entitlement e
     where e.customer_number = ${customerNumber} and e.kind = any (${kinds}) and ${isListedEntitlement}
       and e.ends_on <= ${endDateWith(days, today)}::date and ${isActiveOn(customerNumber, today, true)}
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
       and e.is_permanent and e.version_date < ${today}::date and ${isActiveOn(customerNumber, today, true)}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Accounts by how many of their active entitlements of some kinds end soon, each on its own calendar. */
export function listAccountsWithEnding(
  db: Kysely<DB>,
  kinds: readonly EntitlementKind[],
  { now, days, limit }: { readonly now: Date; readonly days: number; readonly limit: number },
): Promise<AccountsInNeed> {
  const rows = sql`select e.customer_number, e.start_date, e.ends_on from entitlement e
    where ${endsAround(now, days)} and e.kind = any (${kinds}) and ${isListedEntitlement} and not ${isUsedUp(sql`e.customer_number`)}`
  return listAccountsInNeed(db, { rows, where: endsWithin(days) }, { now, limit })
}

/** Whether an entitlement ends on one of the next days, wherever its account is: no zone is more than a day away from UTC. */
export function endsAround(now: Date, days: number): RawBuilder<SqlBool> {
  const utc = dayIn('UTC', now)
  return sql<SqlBool>`e.ends_on between ${addDays(utc, -1)}::date and ${endDateWith(days + 1, utc)}::date`
}

/** Whether a row `r` has started and ends on one of the next days of its account, today included. */
export function endsWithin(days: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`r.ends_on between today.day and today.day + ${days - 1}::int and r.start_date <= today.day`
}
