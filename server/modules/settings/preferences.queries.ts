import { type Kysely, sql, type Transaction } from 'kysely'
import type { TablePreference } from '#contract/settings/preferences.ts'
import type { Actor } from '#domain/access/standing.ts'
import type { DB } from '#server/db/schema.ts'
import { accountScope, exportApproved, visibleTo } from '#server/modules/accounts/accounts.public.ts'

/**
 * Lists views of accounts that the person still sees and that are export-approved. Views of other accounts stay in the
 * table and reappear with the account.
 */
export async function listPreferences(db: Kysely<DB>, actor: Actor): Promise<TablePreference[]> {
  const { rows } = await sql<{ preference: TablePreference }>`
    select p.preference || jsonb_build_object('customerNumber', p.customer_number, 'tableName', p.table_name) as preference
      from table_preference p join account a on a.customer_number = p.customer_number
     where p.email = ${actor.email} and ${visibleTo(accountScope(actor))} and ${exportApproved}
     order by p.customer_number, p.table_name`.execute(db)
  return rows.map((row) => row.preference)
}

/** Serializes the requests of one person, so that concurrent ones cannot exceed the limit together. */
export async function lockPreferences(tx: Transaction<DB>, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('table preference'), hashtext(${email}))`.execute(tx)
}

/** Always in the same order, to avoid deadlocks. */
export async function upsertPreferences(
  tx: Transaction<DB>,
  email: string,
  views: readonly TablePreference[],
  at: Date,
): Promise<void> {
  const rows = views.map(({ customerNumber, tableName, ...preference }) => ({ customerNumber, tableName, preference }))
  await sql`
    insert into table_preference (email, customer_number, table_name, preference, saved_at)
    select ${email}, v."customerNumber", v."tableName", v.preference, ${at}
      from jsonb_to_recordset(${JSON.stringify(rows)}) as v ("customerNumber" text, "tableName" text, preference jsonb)
     order by v."customerNumber", v."tableName"
    on conflict (email, customer_number, table_name)
    do update set preference = excluded.preference, saved_at = excluded.saved_at`.execute(tx)
}

export async function loadPreferencesSize(
  tx: Transaction<DB>,
  email: string,
): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select count(*)::int as count,
           coalesce(sum(octet_length(customer_number) + octet_length(table_name) + octet_length(preference::text)), 0)::int as bytes
      from table_preference where email = ${email}`.execute(tx)
  return rows[0] ?? { count: 0, bytes: 0 }
}

export async function deleteEmptyPreferences(tx: Transaction<DB>, email: string): Promise<void> {
  await sql`delete from table_preference where email = ${email} and preference = '{}'`.execute(tx)
}
