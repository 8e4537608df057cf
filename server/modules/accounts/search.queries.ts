import { type Kysely, sql } from 'kysely'
import type { AccountGrant } from '#domain/access/roles.ts'
import type { Actor } from '#domain/access/standing.ts'
import type { DB } from '#server/db/schema.ts'
import { beginsWith, beginsWithLower, containsText, containsWords } from '#server/lists/like-pattern.ts'
import { accountScope, visibleTo } from '#server/modules/accounts/accounts.queries.ts'

export type FoundAccount = { customer_number: string; name: string }

/** Accounts that a person sees: those whose number begins with the text, then those whose name contains it. */
export async function searchAccounts(
  db: Kysely<DB>,
  actor: Actor,
  text: string,
  limit: number,
): Promise<FoundAccount[]> {
  const visible = visibleTo(accountScope(actor))
  // Each half walks its own index and stops at the limit.
  const { rows } = await sql<FoundAccount>`
    select * from (
      (select 1 as rank, a.customer_number, a.name from account a
        where ${visible} and ${beginsWith(sql`a.customer_number`, text)} order by a.customer_number limit ${limit})
      union all
      (select 2 as rank, a.customer_number, a.name from account a
        where ${visible} and ${containsText(sql`a.name`, text)} order by a.name, a.customer_number limit ${limit})) found
     order by rank, name, customer_number`.execute(db)
  return [...new Map(rows.map(({ customer_number, name }) => [customer_number, { customer_number, name }])).values()]
}

export type FoundContact = { customer_number: string; email: string; role: string }

/** Contacts of one account whose email address has every word of the text. */
export async function searchContacts(
  db: Kysely<DB>,
  customerNumber: string,
  text: string,
  limit: number,
): Promise<FoundContact[]> {
  const { rows } = await sql<FoundContact>`
    select c.customer_number, c.email, c.role from contact c
     where c.customer_number = ${customerNumber} and ${containsWords(sql`c.email`, text)}
     order by c.email collate "C" limit ${limit}`.execute(db)
  return rows
}

/** Contacts of any account whose email address begins with the text. */
export async function findContactsByEmail(db: Kysely<DB>, text: string, limit: number): Promise<FoundContact[]> {
  const { rows } = await sql<FoundContact>`
    select c.customer_number, c.email, c.role from contact c
     where ${beginsWithLower(sql`c.email collate "C"`, text)}
     order by c.email collate "C", c.customer_number limit ${limit}`.execute(db)
  return rows
}

/** What business operations granted to people whose email address begins with the text, on any account. */
export async function findGrantsByEmail(
  db: Kysely<DB>,
  text: string,
  limit: number,
): Promise<{ customer_number: string; email: string; kind: AccountGrant }[]> {
  const { rows } = await sql<{ customer_number: string; email: string; kind: AccountGrant }>`
    select g.customer_number, g.email, g.kind from account_grant g
     where ${beginsWithLower(sql`g.email collate "C"`, text)}
     order by g.email collate "C", g.customer_number, g.kind limit ${limit}`.execute(db)
  return rows
}

/** Accounts whose support address begins with the text. */
export async function findSupportAddresses(
  db: Kysely<DB>,
  text: string,
  limit: number,
): Promise<{ customer_number: string; support_email: string }[]> {
  const address = sql<string>`lower(a.support_email) collate "C"`
  const { rows } = await sql<{ customer_number: string; support_email: string }>`
    select a.customer_number, a.support_email from account a
     where a.support_email <> '' and ${beginsWithLower(address, text)}
     order by ${address}, a.customer_number limit ${limit}`.execute(db)
  return rows
}
