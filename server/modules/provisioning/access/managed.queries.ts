import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'

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
