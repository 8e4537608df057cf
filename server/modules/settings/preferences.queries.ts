import { type Kysely, sql, type Transaction } from 'kysely'
import type { TablePreference } from '#contract/settings/preferences.ts'
import type { Actor } from '#domain/access/standing.ts'
import { accountScope, exportApproved, visibleTo } from '#server/modules/accounts/accounts.public.ts'
import type { DB } from '#server/plugins/schema.ts'

/**
 * Only for accounts that the person still sees and that are export-approved. Views of other accounts stay in the table,
 * so that they are back when the account is.
 */
export async function preferencesOf(db: Kysely<DB>, actor: Actor): Promise<TablePreference[]> {
  const { rows } = await sql<{ preference: TablePreference }>`
    select p.preference || jsonb_build_object('customerNumber', p.customer_number, 'tableName', p.table_name) as preference
      from table_preference p join account a on a.customer_number = p.customer_number
     where p.email = ${actor.email} and ${visibleTo(accountScope(actor).contactOf)} and ${exportApproved}
     order by p.customer_number, p.table_name`.execute(db)
  return rows.map((row) => row.preference)
}

export async function savePreference(
  tx: Transaction<DB>,
  email: string,
  { customerNumber, tableName, ...view }: TablePreference,
  at: Date,
): Promise<void> {
  const preference = JSON.stringify(view)
  await tx
    .insertInto('table_preference')
    .values({ email, customer_number: customerNumber, table_name: tableName, preference, saved_at: at })
    .onConflict((conflict) =>
      conflict.columns(['email', 'customer_number', 'table_name']).doUpdateSet({ preference, saved_at: at }),
    )
    .execute()
}
