import { type Kysely, sql, type Transaction } from 'kysely'
import type { AccountGrant } from '#domain/access/roles.ts'
import type { AccountSwitches } from '#domain/settings/account-switches.ts'
import type { Contact } from '#domain/settings/contacts.ts'
import type { DB } from '#server/db/schema.ts'
import { announceAccess } from '#server/identity/access-changes.queries.ts'

export async function listContacts(db: Kysely<DB>, customerNumber: string): Promise<Contact[]> {
  return db
    .selectFrom('contact')
    .select(['email', 'role'])
    .where('customer_number', '=', customerNumber)
    .orderBy('email')
    .execute()
}

/** Contacts with the time of their last sign-in. */
export async function listSignIns(db: Kysely<DB>, customerNumber: string) {
  const contacts = await listContacts(db, customerNumber)
  const { rows } = await sql<{ email: string; at: Date | null }>`
    select email, last_sign_in_at as at from person where email = any (${contacts.map(({ email }) => email)})`.execute(
    db,
  )
  const signIns = new Map(rows.map(({ email, at }) => [email, at?.toISOString()]))
  return contacts.map((contact) => ({ ...contact, lastSignIn: signIns.get(contact.email) ?? null }))
}

/** Locks the account's row, so that concurrent saves of contacts and switches are serialized. */
export function lockAccount(tx: Transaction<DB>, customerNumber: string) {
  return tx
    .selectFrom('account')
    .select('name')
    .where('customer_number', '=', customerNumber)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

export async function saveContacts(
  tx: Transaction<DB>,
  customerNumber: string,
  { gone, kept }: { gone: readonly Contact[]; kept: readonly Contact[] },
  { email: added_by, at: added_at }: { readonly email: string; readonly at: Date },
): Promise<void> {
  if (gone.length)
    await tx
      .deleteFrom('contact')
      .where('customer_number', '=', customerNumber)
      .where(
        'email',
        'in',
        gone.map(({ email }) => email),
      )
      .execute()
  if (kept.length)
    await tx
      .insertInto('contact')
      .values(kept.map(({ email, role }) => ({ customer_number: customerNumber, email, role, added_at, added_by })))
      .onConflict((conflict) =>
        conflict.columns(['customer_number', 'email']).doUpdateSet((eb) => ({ role: eb.ref('excluded.role') })),
      )
      .execute()
  await announceAccess(tx, [customerNumber])
}

export async function loadSwitches(db: Kysely<DB>, customerNumber: string): Promise<AccountSwitches> {
  const account = await db
    .selectFrom('account')
    .select('is_access_disabled')
    .where('customer_number', '=', customerNumber)
    .executeTakeFirstOrThrow()
  const grants = await db
    .selectFrom('account_grant')
    .select(['email', 'kind'])
    .where('customer_number', '=', customerNumber)
    .orderBy('email')
    .execute()
  const holders = (kind: (typeof grants)[number]['kind']) =>
    grants.filter((grant) => grant.kind === kind).map(({ email }) => email)
  return {
    isAccessDisabled: account.is_access_disabled,
    salesAccess: holders('sales-access'),
    fnpLicenseGenerators: holders('fnp-license-generator'),
  }
}

export async function disableAccess(tx: Transaction<DB>, customerNumber: string, isDisabled: boolean): Promise<void> {
  await tx
    .updateTable('account')
    .set({ is_access_disabled: isDisabled })
    .where('customer_number', '=', customerNumber)
    .execute()
  await announceAccess(tx, [customerNumber])
}

/** Grants the right to exactly these people. Existing grants keep their date. */
export async function grantTo(
  tx: Transaction<DB>,
  right: { customerNumber: string; kind: AccountGrant },
  emails: readonly string[],
  by: { email: string; at: Date },
): Promise<void> {
  const { customerNumber: customer_number, kind } = right
  const gone = tx.deleteFrom('account_grant').where('customer_number', '=', customer_number).where('kind', '=', kind)
  await (emails.length ? gone.where('email', 'not in', emails) : gone).execute()
  await announceAccess(tx, [customer_number])
  if (emails.length === 0) return
  await tx
    .insertInto('account_grant')
    .values(emails.map((email) => ({ customer_number, email, kind, granted_by: by.email, granted_at: by.at })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The rights that were taken from a person. */
export async function revokeGrantsOf(
  tx: Transaction<DB>,
  customerNumber: string,
  email: string,
): Promise<AccountGrant[]> {
  const gone = await tx
    .deleteFrom('account_grant')
    .where('customer_number', '=', customerNumber)
    .where('email', '=', email)
    .returning('kind')
    .execute()
  if (gone.length > 0) await announceAccess(tx, [customerNumber])
  return gone.map(({ kind }) => kind)
}

/** Whether a person can open any other account. */
export async function hasOtherAccounts(db: Kysely<DB>, email: string, customerNumber: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select 1 from contact c where c.email = ${email} and c.customer_number <> ${customerNumber})
        or exists (select 1 from account_grant g where g.email = ${email} and g.customer_number <> ${customerNumber}) as has`.execute(
    db,
  )
  return rows[0]?.has ?? false
}
