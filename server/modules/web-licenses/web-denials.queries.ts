import { type Insertable, type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'
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

/** Checkouts that were denied since an instant for want of a seat or an assignment, by product, the most first. */
export async function listDeniedProducts(
  db: Kysely<DB>,
  customerNumber: string,
  since: Date,
  limit: number,
): Promise<{ product: string; count: number }[]> {
  const { rows } = await sql<{ product: string; count: number }>`
    select d.product, count(*)::int as count from web_denial d
     where d.customer_number = ${customerNumber} and d.denied_at >= ${since} and d.reason in ('NO_SEAT', 'USER_NOT_ASSIGNED')
     group by 1 order by 2 desc, 1 limit ${limit}`.execute(db)
  return rows
}
