import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import type { ViewRow, ViewStore, ViewsOf } from '#server/modules/settings/table-views.queries.ts'

/** Views of tables that are shown without an account. */
export const personViews: ViewStore = {
  async list(db, { email }, tableName) {
    const rows = await ownViews(db, email)
      .where('table_name', '=', tableName)
      .orderBy(sql`lower(name)`)
      .orderBy('view_id')
      .execute()
    return rows.map(toViewRow)
  },

  async find(db, { email }: ViewsOf, id) {
    const row = await ownViews(db, email).where('view_id', '=', id).forUpdate().executeTakeFirst()
    return row && toViewRow(row)
  },

  async save(db, { email, view_id, table_name, name, view, saved_at }) {
    const saved = { table_name, name, view: JSON.stringify(view), saved_at }
    await db
      .insertInto('person_view')
      .values({ email, view_id, ...saved })
      .onConflict((conflict) => conflict.columns(['email', 'view_id']).doUpdateSet(saved))
      .execute()
  },

  async delete(db, { email }, id) {
    await db.deleteFrom('person_view').where('email', '=', email).where('view_id', '=', id).execute()
  },
}

const ownViews = (db: Kysely<DB> | Transaction<DB>, email: string) =>
  db.selectFrom('person_view').selectAll().where('email', '=', email)

const toViewRow = (row: Selectable<DB['person_view']>): ViewRow => ({ ...row, customer_number: '', is_shared: false })
