import type { Kysely } from 'kysely'
import type { HiddenMatter } from '#domain/home/work-list.ts'
import type { DB } from '#server/db/schema.ts'

/** Whose work list it is: a person has one on each account. */
export type WorkListOf = { readonly customer_number: string; readonly email: string }

export function listHiddenMatters(db: Kysely<DB>, { customer_number, email }: WorkListOf): Promise<HiddenMatter[]> {
  return db
    .selectFrom('hidden_matter')
    .select(['key', 'until', 'count'])
    .where('customer_number', '=', customer_number)
    .where('email', '=', email)
    .execute()
}

export async function saveHiddenMatter(db: Kysely<DB>, of: WorkListOf, hidden: HiddenMatter, at: Date): Promise<void> {
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
