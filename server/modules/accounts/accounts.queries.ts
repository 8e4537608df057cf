import { type Kysely, sql, type Transaction } from 'kysely'
import { isExportApproved } from '#domain/access/can.ts'
import type { Actor } from '#domain/access/standing.ts'
import { visibleTo, writableBy } from '#server/modules/accounts/visible-accounts.queries.ts'
import type { DB } from '#server/plugins/schema.ts'

export function accountOf(db: Kysely<DB>, customerNumber: string) {
  return db
    .selectFrom('account')
    .select(['customer_number', 'name', 'support_email', 'time_zone'])
    .where('customer_number', '=', customerNumber)
    .executeTakeFirstOrThrow()
}

export async function writableAccountsOf(db: Kysely<DB>, actor: Actor, limit: number) {
  const { rows } = await sql<{ AccountName: string; AccountID: string }>`
    select a.name as "AccountName", a.customer_number as "AccountID" from account a
     where ${writableBy(actor)} order by a.customer_number limit ${limit}`.execute(db)
  return rows
}

/** Those of the given accounts that somebody does not see, in the order given. */
export async function unseenAmong(
  db: Kysely<DB> | Transaction<DB>,
  contactOf: string | null,
  customerNumbers: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ customer_number: string }>`
    select a.customer_number from account a
     where a.customer_number = any (${[...new Set(customerNumbers)]}) and ${visibleTo(contactOf)}`.execute(db)
  const seen = new Set(rows.map((row) => row.customer_number))
  return customerNumbers.filter((number) => !seen.has(number))
}

/** Those of the given accounts that nobody may be served on. */
export async function exportDeniedAmong(
  db: Kysely<DB> | Transaction<DB>,
  customerNumbers: readonly string[],
): Promise<string[]> {
  const accounts = await db
    .selectFrom('account')
    .select(['customer_number', 'export_control_status'])
    .where('customer_number', 'in', [...customerNumbers])
    .execute()
  return accounts
    .filter(({ export_control_status }) => !isExportApproved(export_control_status))
    .map(({ customer_number }) => customer_number)
}

export async function personOf(db: Kysely<DB>, email: string) {
  const { rows } = await sql<{ first_name: string; last_name: string; contact_roles: string[] }>`
    select coalesce(p.first_name, '') as first_name, coalesce(p.last_name, '') as last_name,
           array(select distinct c.role from contact c where c.email = e.email) as contact_roles
      from (values (${email}::text)) e (email) left join person p on p.email = e.email`.execute(db)
  return rows[0]
}
