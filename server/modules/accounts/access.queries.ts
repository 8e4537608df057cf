import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { AccountGrant } from '#domain/access/roles.ts'
import type { DB } from '#server/db/schema.ts'
import { announceAccess } from '#server/identity/access-changes.queries.ts'

/** Contacts, with who added them and when. */
export function listAddedContacts(
  db: Kysely<DB>,
  customerNumber: string,
): Promise<Pick<Selectable<DB['contact']>, 'email' | 'role' | 'added_at' | 'added_by'>[]> {
  return db
    .selectFrom('contact')
    .select(['email', 'role', 'added_at', 'added_by'])
    .where('customer_number', '=', customerNumber)
    .orderBy('email')
    .execute()
}

export function listGrants(
  db: Kysely<DB>,
  customerNumber: string,
): Promise<Pick<Selectable<DB['account_grant']>, 'email' | 'kind' | 'granted_at' | 'granted_by'>[]> {
  return db
    .selectFrom('account_grant')
    .select(['email', 'kind', 'granted_at', 'granted_by'])
    .where('customer_number', '=', customerNumber)
    .orderBy('email')
    .orderBy('kind')
    .execute()
}

/** When each person last opened the account in the portal. A sign-in says less: it may have been for another account. */
export async function listLastOpened(db: Kysely<DB>, customerNumber: string): Promise<ReadonlyMap<string, Date>> {
  const rows = await db
    .selectFrom('recent_account')
    .select(['email', 'opened_at'])
    .where('customer_number', '=', customerNumber)
    .execute()
  return new Map(rows.map(({ email, opened_at }) => [email, opened_at]))
}

type Grant = { readonly email: string; readonly kind: AccountGrant }

/** Removes grants, and answers those that were there. */
export async function removeGrants(
  tx: Transaction<DB>,
  customerNumber: string,
  grants: readonly Grant[],
): Promise<Grant[]> {
  const { rows } = await sql<Grant>`
    delete from account_grant g
     using unnest(${grants.map(({ email }) => email)}::text[], ${grants.map(({ kind }) => kind)}::text[]) as w (email, kind)
     where g.customer_number = ${customerNumber} and g.email = w.email and g.kind = w.kind
    returning g.email, g.kind`.execute(tx)
  await announceAccess(tx, [customerNumber])
  return rows
}
