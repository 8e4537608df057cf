import { sql, type Transaction } from 'kysely'
import type { AccessChange } from '#domain/provisioning/wanted-access.ts'
import type { DB } from '#server/db/schema.ts'

/** Groups have given nothing to these people any more. */
export async function forgetGiven(
  tx: Transaction<DB>,
  customerNumber: string,
  emails: readonly string[],
): Promise<void> {
  await sql`
    delete from scim_given g where g.customer_number = ${customerNumber} and g.email = any (${[...emails]})`.execute(tx)
}

/** Stores what groups give to people, instead of what they gave so far. */
export async function saveGiven(
  tx: Transaction<DB>,
  customerNumber: string,
  changes: readonly AccessChange[],
  at: Date,
): Promise<void> {
  await forgetGiven(
    tx,
    customerNumber,
    changes.map(({ email }) => email),
  )
  const rows = changes.flatMap(({ email, givenRole, givenWebGroups }) => [
    ...(givenRole === null ? [] : [{ email, kind: 'role', target: givenRole }]),
    ...givenWebGroups.map((target) => ({ email, kind: 'web-group', target })),
  ])
  if (rows.length === 0) return
  await sql`
    insert into scim_given (customer_number, email, kind, target, given_at)
    select ${customerNumber}::text, email, kind, target, ${at}::timestamptz
      from unnest(${rows.map((row) => row.email)}::text[], ${rows.map((row) => row.kind)}::text[],
             ${rows.map((row) => row.target)}::text[]) as given (email, kind, target)`.execute(tx)
}
