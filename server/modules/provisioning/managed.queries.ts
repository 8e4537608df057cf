import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/** The contacts whose role a group of the identity provider gives. */
export async function listManagedContacts(db: Kysely<DB>, customerNumber: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ email: string }>`
    select g.email from scim_given g where g.customer_number = ${customerNumber} and g.kind = 'role'`.execute(db)
  return new Set(rows.map(({ email }) => email))
}

/** Which of these web users came from the identity provider. */
export async function listManagedUsers(
  db: Kysely<DB>,
  customerNumber: string,
  emails: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ email: string }>`
    select u.email from scim_user u where u.customer_number = ${customerNumber} and u.email = any (${emails})`.execute(
    db,
  )
  return new Set(rows.map(({ email }) => email))
}

/** Which of these members a group of the identity provider puts into a web group. */
export async function listManagedMembers(
  db: Kysely<DB>,
  customerNumber: string,
  webGroupId: string,
  emails: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ email: string }>`
    select g.email from scim_given g
     where g.customer_number = ${customerNumber} and g.kind = 'web-group' and g.target = ${webGroupId}
       and g.email = any (${emails})`.execute(db)
  return new Set(rows.map(({ email }) => email))
}

export async function isMappedWebGroup(db: Kysely<DB>, customerNumber: string, webGroupId: string): Promise<boolean> {
  const found = await db
    .selectFrom('scim_mapping')
    .select('group_id')
    .where('customer_number', '=', customerNumber)
    .where('web_group_id', '=', webGroupId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Whom the identity provider of an account manages: contacts whose role a group gives, and web users whom it has reported. */
export type ManagedPeople = { readonly contacts: ReadonlySet<string>; readonly webUsers: ReadonlySet<string> }

export async function listManagedPeople(db: Kysely<DB>, customerNumber: string): Promise<ManagedPeople> {
  const { rows } = await sql<{ email: string; isContact: boolean }>`
    select g.email, true as "isContact" from scim_given g where g.customer_number = ${customerNumber} and g.kind = 'role'
    union all
    select u.email, false from scim_user u
     where u.customer_number = ${customerNumber} and u.is_active and u.email is not null`.execute(db)
  const emails = (isContact: boolean) =>
    new Set(rows.flatMap((row) => (row.isContact === isContact ? [row.email] : [])))
  return { contacts: emails(true), webUsers: emails(false) }
}
