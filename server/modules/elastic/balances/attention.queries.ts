import { type Kysely, type SqlBool, sql } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { isListedEntitlement } from '#server/identity/listed-entitlements.queries.ts'
import { type AccountsInNeed, denialsOfLastDays, listAccountsInNeed } from '#server/modules/accounts/accounts.public.ts'
import { bookedOn } from '#server/modules/entitlements/entitlements.public.ts'

export type ElasticBalanceRow = {
  activation_id: string
  product_name: string
  po_number: string
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
    select e.activation_id, e.product_name, e.po_number, e.currency, e.line_item_quantity * e.units_per_line as total,
           ${bookedOn(customerNumber)} as used, e.end_date
      from entitlement e
     where e.customer_number = ${customerNumber} and e.kind = 'ELASTIC' and ${isListedEntitlement}
       and e.start_date <= ${today}::date and e.ends_on >= ${today}::date
     order by e.ends_on, e.activation_id limit ${limit}`.execute(db)
  return rows
}

/** The last day of the elastic entitlement that ended last before a day; null if none has. */
export async function findLastElasticEnd(
  db: Kysely<DB>,
  customerNumber: string,
  today: CalendarDay,
): Promise<CalendarDay | null> {
  const { rows } = await sql<{ last: CalendarDay | null }>`
    select max(e.end_date) as last from entitlement e
     where e.customer_number = ${customerNumber} and e.kind = 'ELASTIC' and ${isListedEntitlement}
       and e.ends_on < ${today}::date`.execute(db)
  return rows[0]?.last ?? null
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

/** Accounts by how many session starts were refused on the last days, each on its own calendar. */
export function listAccountsWithDenials(
  db: Kysely<DB>,
  { now, days, limit }: { readonly now: Date; readonly days: number; readonly limit: number },
): Promise<AccountsInNeed> {
  return listAccountsInNeed(db, denialsOfLastDays(sql`elastic_denial`, days, now), { now, limit })
}

/** Accounts by how many of the elastic entitlements that are valid on their day are used up or overdrawn. */
export function listAccountsOverdrawn(
  db: Kysely<DB>,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<AccountsInNeed> {
  const rows = sql`select t.customer_number, e.start_date, e.ends_on from usage_total t
      join entitlement e on e.customer_number = t.customer_number and e.activation_id = t.activation_id
     where t.charge > 0 and t.charge >= e.line_item_quantity * e.units_per_line
       and e.line_item_quantity * e.units_per_line > 0 and e.kind = 'ELASTIC' and ${isListedEntitlement}`
  const where = sql<SqlBool>`r.start_date <= today.day and r.ends_on >= today.day`
  return listAccountsInNeed(db, { rows, where }, { now, limit })
}

/** Running sessions of the whole installation. */
export async function countAllRunningSessions(db: Kysely<DB>): Promise<{ count: number }[]> {
  return db
    .selectFrom('usage_transaction_running')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .execute()
}
