import type { Kysely } from 'kysely'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import type { HiddenMatter } from '#domain/home/work-list.ts'
import type { DB } from '#server/db/schema.ts'

/** Whose work list it is: a person has one on each account. */
export type WorkListOf = { readonly customer_number: string; readonly email: string }

export async function listHiddenMatters(
  db: Kysely<DB>,
  { customer_number, email }: WorkListOf,
  timeZone: string,
): Promise<HiddenMatter[]> {
  const rows = await db
    .selectFrom('hidden_matter')
    .select(['key', 'until', 'count', 'hidden_at'])
    .where('customer_number', '=', customer_number)
    .where('email', '=', email)
    .execute()
  return rows.map(({ hidden_at, ...row }) => ({ ...row, on: dayIn(timeZone, hidden_at) }))
}

export async function saveHiddenMatter(
  db: Kysely<DB>,
  of: WorkListOf,
  hidden: Omit<HiddenMatter, 'on'>,
  at: Date,
): Promise<void> {
  const saved = { ...hidden, hidden_at: at }
  await db
    .insertInto('hidden_matter')
    .values({ ...of, ...saved })
    .onConflict((conflict) => conflict.columns(['customer_number', 'email', 'key']).doUpdateSet(saved))
    .execute()
}

export async function deleteHiddenMatter(db: Kysely<DB>, of: WorkListOf, key: string): Promise<void> {
  await db
    .deleteFrom('hidden_matter')
    .where('customer_number', '=', of.customer_number)
    .where('email', '=', of.email)
    .where('key', '=', key)
    .execute()
}
