import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { NamedView } from '#contract/settings/table-views.ts'
import type { DB } from '#server/db/schema.ts'

/** The views of a person on an account. */
export type ViewsOf = { readonly customer_number: string; readonly email: string }

export type ViewRow = Selectable<DB['table_view']>

/** What a person sees: their own views and shared ones, by name. */
export function listTableViews(db: Kysely<DB>, of: ViewsOf, tableName: string): Promise<ViewRow[]> {
  return db
    .selectFrom('table_view')
    .selectAll()
    .where('customer_number', '=', of.customer_number)
    .where('table_name', '=', tableName)
    .where((where) => where.or([where('email', '=', of.email), where('is_shared', '=', true)]))
    .orderBy(sql`lower(name)`)
    .orderBy('view_id')
    .execute()
}

/** A view that the person sees, locked until the end of the transaction. */
export function findTableView(db: Transaction<DB>, of: ViewsOf, id: string): Promise<ViewRow | undefined> {
  return db
    .selectFrom('table_view')
    .selectAll()
    .where('customer_number', '=', of.customer_number)
    .where('view_id', '=', id)
    .where((where) => where.or([where('email', '=', of.email), where('is_shared', '=', true)]))
    .forUpdate()
    .executeTakeFirst()
}

export async function saveTableView(db: Transaction<DB>, row: ViewRow): Promise<void> {
  const { customer_number, view_id, ...others } = row
  const saved = { ...others, view: JSON.stringify(row.view) }
  await db
    .insertInto('table_view')
    .values({ customer_number, view_id, ...saved })
    .onConflict((conflict) => conflict.columns(['customer_number', 'view_id']).doUpdateSet(saved))
    .execute()
}

export async function deleteTableView(db: Transaction<DB>, customerNumber: string, id: string): Promise<void> {
  await db.deleteFrom('table_view').where('customer_number', '=', customerNumber).where('view_id', '=', id).execute()
}

export function toNamedView({ view_id, name, email, is_shared, view }: ViewRow, caller: string): NamedView {
  return { id: view_id, name, owner: email, isOwn: email === caller, isShared: is_shared, view }
}
