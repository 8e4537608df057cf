import { type Insertable, type Kysely, sql } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { isListedEntitlement } from '#server/identity/listed-entitlements.queries.ts'
import { type AccountsInNeed, denialsOfLastDays, listAccountsInNeed } from '#server/modules/accounts/accounts.public.ts'

export async function insertWebDenial(db: Kysely<DB>, denial: Insertable<DB['web_denial']>): Promise<void> {
  await db.insertInto('web_denial').values(denial).execute()
}

export async function deleteWebDenialsBefore(db: Kysely<DB>, instant: Date): Promise<void> {
  await db.deleteFrom('web_denial').where('denied_at', '<', instant).execute()
}

/** Denied checkouts of an account since an instant. */
export async function countWebDenials(db: Kysely<DB>, customerNumber: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from web_denial d
     where d.customer_number = ${customerNumber} and d.denied_at >= ${since}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Accounts by how many checkouts were denied on the last days, each on its own calendar. */
export function listAccountsWithWebDenials(
  db: Kysely<DB>,
  { now, days, limit }: { readonly now: Date; readonly days: number; readonly limit: number },
): Promise<AccountsInNeed> {
  return listAccountsInNeed(db, denialsOfLastDays(sql`web_denial`, days, now), { now, limit })
}

export type StillDeniedCheckouts = {
  readonly reason: 'NO_SEAT' | 'USER_NOT_ASSIGNED' | 'ENTITLEMENT_EXPIRED'
  readonly product: string
  /** Who is still denied; for other reasons than USER_NOT_ASSIGNED, who was denied most often. */
  readonly user: string
  /** How many users are still denied. */
  readonly users: number
  /** All denials of the reason and product, as their screen lists them. */
  readonly count: number
}

/**
 * Checkouts that were denied since an instant, by reason and product, the most first; those of users who were not assigned
 * also by user. A group is left out if `chooseEntitlement` would accept all of its users now, or they have checked the
 * product out since.
 */
export async function listStillDeniedCheckouts(
  db: Kysely<DB>,
  customerNumber: string,
  { since, today, limit }: { readonly since: Date; readonly today: CalendarDay; readonly limit: number },
): Promise<StillDeniedCheckouts[]> {
  const isValid = sql`e.customer_number = ${customerNumber} and e.kind in ('SUBSCRIPTION', 'CONCURRENT') and ${isListedEntitlement}
    and e.product_name = d.product and e.start_date <= ${today}::date and (e.end_date is null or e.end_date >= ${today}::date)`
  const seatOfUser = sql`select 1 from entitlement e
    join web_seat s on s.customer_number = ${customerNumber} and s.activation_id = e.activation_id
    left join web_license_use u on u.customer_number = ${customerNumber} and u.activation_id = e.activation_id
   where ${isValid} and s.email = d.email`
  const { rows } = await sql<StillDeniedCheckouts>`
    with denied as (
      select d.reason, d.product, d.email,
             case d.reason
               when 'ENTITLEMENT_EXPIRED' then not exists (select 1 from entitlement e where ${isValid})
               when 'USER_NOT_ASSIGNED' then not exists (${seatOfUser})
               else not exists (${seatOfUser} and (e.kind = 'SUBSCRIPTION' or coalesce(u.running, 0) < e.line_item_quantity))
                and not exists (
                  select 1 from web_checkout c
                   where c.customer_number = ${customerNumber} and c.email = d.email and c.product = d.product
                     and c.started_at >= d.denied_at)
             end as is_still
        from web_denial d
       where d.customer_number = ${customerNumber} and d.denied_at >= ${since}
         and d.reason in ('NO_SEAT', 'USER_NOT_ASSIGNED', 'ENTITLEMENT_EXPIRED'))
    select d.reason, d.product, mode() within group (order by d.email) filter (where d.is_still) as "user",
           count(distinct d.email) filter (where d.is_still)::int as users, count(*)::int as count
      from denied d
     group by d.reason, d.product, case d.reason when 'USER_NOT_ASSIGNED' then d.email else '' end
    having bool_or(d.is_still)
     order by 5 desc, 1, 2, 3 limit ${limit}`.execute(db)
  return rows
}
