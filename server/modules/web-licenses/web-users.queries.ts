import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { beginsWithLower, containsWords } from '#server/lists/like-pattern.ts'
import type { Signed } from '#server/modules/web-licenses/assignments.queries.ts'
import { endOfCheckout } from '#server/modules/web-licenses/seats.queries.ts'

/** Names by email; emails that the account does not know are left out. */
export async function listWebUsers(
  db: Kysely<DB>,
  customerNumber: string,
  emails: readonly string[],
): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map()
  const { rows } = await sql<{ email: string; name: string }>`
    select p.email, p.name from web_user p
     where p.customer_number = ${customerNumber} and p.email = any (${emails})`.execute(db)
  return new Map(rows.map(({ email, name }) => [email, name]))
}

/** The addresses of web users whose address begins with this name before the @. */
export async function listWebUsersNamed(db: Kysely<DB>, customerNumber: string, name: string): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select p.email from web_user p
     where p.customer_number = ${customerNumber} and lower(split_part(p.email, '@', 1)) = lower(${name})`.execute(db)
  return rows.map(({ email }) => email)
}

export type NamedUser = { readonly email: string; readonly name: string }

export async function saveWebUsers(
  tx: Transaction<DB>,
  customerNumber: string,
  users: readonly NamedUser[],
  { by, at }: Signed,
): Promise<void> {
  if (users.length === 0) return
  await sql`
    insert into web_user (customer_number, email, name, added_at, added_by)
    select ${customerNumber}::text, email, name, ${at}::timestamptz, ${by}::text
      from unnest(${users.map((one) => one.email)}::text[], ${users.map((one) => one.name)}::text[]) as saved (email, name)
    on conflict (customer_number, email) do update set name = excluded.name`.execute(tx)
}

/** Deletes users with their seats and memberships, and ends their checkouts. Answers how many checkouts were ended. */
export async function deleteWebUsers(
  tx: Transaction<DB>,
  customerNumber: string,
  emails: readonly string[],
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ ended: number }>`
    with ended as (
      update web_checkout c set ${endOfCheckout('Revoked', now)}
       where c.customer_number = ${customerNumber} and c.email = any (${emails}) and c.ends_at = 'infinity'
      returning c.checkout_number)
    select count(*)::int as ended from ended`.execute(tx)
  await sql`delete from web_user where customer_number = ${customerNumber} and email = any (${emails})`.execute(tx)
  return rows[0]?.ended ?? 0
}

/** With how many entitlements they may use. */
export type FoundWebUser = { customer_number: string; email: string; name: string; entitlements: number }

const foundWebUser = sql`p.customer_number, p.email, p.name,
  (select count(*)::int from web_seat s where s.customer_number = p.customer_number and s.email = p.email) as entitlements`

/** Web users of one account whose name and email address together have every word of the text. */
export async function searchWebUsers(
  db: Kysely<DB>,
  customerNumber: string,
  text: string,
  limit: number,
): Promise<FoundWebUser[]> {
  const { rows } = await sql<FoundWebUser>`
    select ${foundWebUser} from web_user p
     where p.customer_number = ${customerNumber} and ${containsWords(sql`(p.name || ' ' || p.email)`, text)}
     order by p.email limit ${limit}`.execute(db)
  return rows
}

/** Web users of any account whose email address begins with the text. */
export async function findWebUsersByEmail(db: Kysely<DB>, text: string, limit: number): Promise<FoundWebUser[]> {
  const { rows } = await sql<FoundWebUser>`
    select ${foundWebUser} from web_user p where ${beginsWithLower(sql`p.email`, text)}
     order by p.email, p.customer_number limit ${limit}`.execute(db)
  return rows
}
