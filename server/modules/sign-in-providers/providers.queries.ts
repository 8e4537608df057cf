import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import { WARN_AFTER } from '#domain/sign-in-providers/domain-proof.ts'
import type { DB } from '#server/db/schema.ts'

export type ProviderRow = Selectable<DB['sign_in_provider']>
export type DomainRow = Selectable<DB['sign_in_domain']>
export type GivenRow = Selectable<DB['sign_in_given']>

/** Changes of the provider and the domains of an account are serialized, because each decides whether the other is allowed. */
export async function lockProvider(tx: Transaction<DB>, customerNumber: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('sign-in provider'), hashtext(${customerNumber}))`.execute(tx)
}

export function findProvider(db: Kysely<DB>, customerNumber: string): Promise<ProviderRow | undefined> {
  return db.selectFrom('sign_in_provider').selectAll().where('customer_number', '=', customerNumber).executeTakeFirst()
}

export async function insertProvider(tx: Transaction<DB>, row: Insertable<DB['sign_in_provider']>): Promise<void> {
  await tx.insertInto('sign_in_provider').values(row).execute()
}

export async function updateProvider(
  tx: Transaction<DB>,
  customerNumber: string,
  change: Updateable<DB['sign_in_provider']>,
): Promise<void> {
  await tx.updateTable('sign_in_provider').set(change).where('customer_number', '=', customerNumber).execute()
}

export async function deleteProvider(tx: Transaction<DB>, customerNumber: string): Promise<void> {
  await tx.deleteFrom('sign_in_provider').where('customer_number', '=', customerNumber).execute()
}

export function listDomains(db: Kysely<DB>, customerNumber: string): Promise<DomainRow[]> {
  return db
    .selectFrom('sign_in_domain')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .orderBy('domain')
    .execute()
}

export function findDomain(db: Kysely<DB>, customerNumber: string, domain: string): Promise<DomainRow | undefined> {
  return db
    .selectFrom('sign_in_domain')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('domain', '=', domain)
    .executeTakeFirst()
}

export async function insertDomain(tx: Transaction<DB>, row: Insertable<DB['sign_in_domain']>): Promise<void> {
  await tx.insertInto('sign_in_domain').values(row).execute()
}

export async function updateDomain(
  tx: Transaction<DB>,
  { customer_number, domain }: Pick<DomainRow, 'customer_number' | 'domain'>,
  change: Updateable<DB['sign_in_domain']>,
): Promise<void> {
  await tx
    .updateTable('sign_in_domain')
    .set(change)
    .where('customer_number', '=', customer_number)
    .where('domain', '=', domain)
    .execute()
}

export async function deleteDomain(tx: Transaction<DB>, customerNumber: string, domain: string): Promise<void> {
  await tx
    .deleteFrom('sign_in_domain')
    .where('customer_number', '=', customerNumber)
    .where('domain', '=', domain)
    .execute()
}

/** Proven domains of all accounts that were not checked since. */
export function listDueDomains(db: Kysely<DB>, before: Date): Promise<DomainRow[]> {
  return db
    .selectFrom('sign_in_domain')
    .selectAll()
    .where('proven_at', 'is not', null)
    .where('checked_at', '<=', before)
    .orderBy('checked_at')
    .execute()
}

/** Proven domains of an account whose record was not found at the last checks. */
export async function countFailingDomains(db: Kysely<DB>, customerNumber: string): Promise<number> {
  const { count } = await db
    .selectFrom('sign_in_domain')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('customer_number', '=', customerNumber)
    .where('proven_at', 'is not', null)
    .where('failures', '>=', WARN_AFTER)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function findGiven(db: Kysely<DB>, customerNumber: string, email: string): Promise<GivenRow | undefined> {
  return db
    .selectFrom('sign_in_given')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('email', '=', email)
    .executeTakeFirst()
}

export async function saveGiven(tx: Transaction<DB>, row: Insertable<DB['sign_in_given']>): Promise<void> {
  const { role, web_group_ids, given_at } = row
  await tx
    .insertInto('sign_in_given')
    .values({ ...row, web_group_ids: [...web_group_ids] })
    .onConflict((conflict) =>
      conflict.columns(['customer_number', 'email']).doUpdateSet({ role, web_group_ids: [...web_group_ids], given_at }),
    )
    .execute()
}
