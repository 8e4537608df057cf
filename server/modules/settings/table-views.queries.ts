import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { NamedView } from '#contract/settings/table-views.ts'
import type { DB } from '#server/db/schema.ts'

/** The views of a person on an account; its number is empty for tables without one. */
export type ViewsOf = { readonly customer_number: string; readonly email: string }

export type ViewRow = Selectable<DB['table_view']>

/** Where views are kept: on an account, or for tables that are shown without one. */
export type ViewStore = {
  /** What a person sees: their own views and shared ones, by name. */
  list(db: Kysely<DB>, of: ViewsOf, tableName: string): Promise<ViewRow[]>
  /** A view that the person sees, locked until the end of the transaction. */
  find(db: Transaction<DB>, of: ViewsOf, id: string): Promise<ViewRow | undefined>
  save(db: Transaction<DB>, row: ViewRow): Promise<void>
  delete(db: Transaction<DB>, of: ViewsOf, id: string): Promise<void>
}

export const accountViews: ViewStore = {
  list(db, of, tableName) {
    return db
      .selectFrom('table_view')
      .selectAll()
      .where('customer_number', '=', of.customer_number)
      .where('table_name', '=', tableName)
      .where((where) => where.or([where('email', '=', of.email), where('is_shared', '=', true)]))
      .orderBy(sql`lower(name)`)
      .orderBy('view_id')
      .execute()
  },

  find(db, of, id) {
    return db
      .selectFrom('table_view')
      .selectAll()
      .where('customer_number', '=', of.customer_number)
      .where('view_id', '=', id)
      .where((where) => where.or([where('email', '=', of.email), where('is_shared', '=', true)]))
      .forUpdate()
      .executeTakeFirst()
  },

  async save(db, row) {
    const { customer_number, view_id, ...others } = row
    const saved = { ...others, view: JSON.stringify(row.view) }
    await db
      .insertInto('table_view')
      .values({ customer_number, view_id, ...saved })
      .onConflict((conflict) => conflict.columns(['customer_number', 'view_id']).doUpdateSet(saved))
      .execute()
  },

  async delete(db, { customer_number }, id) {
    await db.deleteFrom('table_view').where('customer_number', '=', customer_number).where('view_id', '=', id).execute()
  },
}

export function toNamedView({ view_id, name, email, is_shared, view }: ViewRow, caller: string): NamedView {
  return { id: view_id, name, owner: email, isOwn: email === caller, isShared: is_shared, view }
}
