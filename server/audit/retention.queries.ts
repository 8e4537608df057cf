import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/** Up to where the beginning of a chain is older. Undefined if there is no row to remove. */
export async function findRemovableEnd(
  db: Kysely<DB>,
  customerNumber: string,
  before: Date,
): Promise<number | undefined> {
  const { rows } = await sql<{ sequence: string | null }>`
    select removable_audit_end(${customerNumber}, ${before}) as sequence`.execute(db)
  const sequence = rows[0]?.sequence
  return sequence == null ? undefined : Number(sequence)
}

/** Removes what is older than the retention that the owner of the tables has set, whatever the caller's clock says. */
export async function removeOldRows(
  tx: Transaction<DB>,
  customerNumber: string,
): Promise<{ readonly sequence: number; readonly removed: number } | undefined> {
  const { rows } = await sql<{ up_to: string | null; removed: string }>`
    select up_to, removed from remove_old_audit_rows(${customerNumber})`.execute(tx)
  const [row] = rows
  return row?.up_to == null ? undefined : { sequence: Number(row.up_to), removed: Number(row.removed) }
}

type Queryable = { query(text: string, values: unknown[]): Promise<unknown> }

/** For the owner of the tables only. */
export async function saveRetention(client: Queryable, days: number): Promise<void> {
  await client.query(
    `insert into audit_retention (days) values ($1)
     on conflict (is_only) do update set days = excluded.days where audit_retention.days <> excluded.days`,
    [days],
  )
}

/** The days that the owner of the tables has set. */
export async function findRetention(db: Kysely<DB>): Promise<number | undefined> {
  return (await db.selectFrom('audit_retention').select('days').executeTakeFirst())?.days
}

/** Chains with a row that is older than the retention. */
export async function listChainsToShorten(db: Kysely<DB>, before: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_log')
    .select('customer_number')
    .distinct()
    .where('at', '<', before)
    .orderBy('customer_number')
    .execute()
  return rows.map((row) => row.customer_number)
}
