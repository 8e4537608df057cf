import { type Kysely, sql, type Transaction } from 'kysely'
import type { Actor } from '#domain/access/standing.ts'
import type { DB } from '#server/db/schema.ts'
import { accountScope, visibleTo } from '#server/modules/accounts/accounts.queries.ts'

const SHOWN = 8

/** Lists only accounts that the person still sees. */
export async function listRecentAccounts(db: Kysely<DB>, actor: Actor) {
  const { rows } = await sql<{ AccountName: string; AccountID: string }>`
    select a.name as "AccountName", a.customer_number as "AccountID"
      from recent_account r join account a on a.customer_number = r.customer_number
     where r.email = ${actor.email} and ${visibleTo(accountScope(actor))}
     order by r.opened_at desc, a.customer_number limit ${SHOWN}`.execute(db)
  return rows
}

export async function saveOpenedAccount(
  tx: Transaction<DB>,
  email: string,
  customerNumber: string,
  at: Date,
): Promise<void> {
  await tx
    .insertInto('recent_account')
    .values({ customer_number: customerNumber, email, opened_at: at })
    .onConflict((conflict) => conflict.columns(['customer_number', 'email']).doUpdateSet({ opened_at: at }))
    .execute()
}
