import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { DB } from '#server/db/schema.ts'

export type AlertRow = Selectable<DB['alert']>

/** There are only a few at any time; the domain rule decides which of them the banner shows. */
export function listActiveAlerts(db: Kysely<DB>): Promise<AlertRow[]> {
  return db
    .selectFrom('alert')
    .selectAll()
    .where('status', '=', 'ACTIVE')
    .orderBy('starts_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Alerts that are active and have not expired. */
export async function countOpenAlerts(db: Kysely<DB>, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('alert')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('status', '=', 'ACTIVE')
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function findAlert(db: Kysely<DB>, id: string): Promise<AlertRow | undefined> {
  return db.selectFrom('alert').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Locked until the end of the transaction, so that concurrent saves are serialized. */
export function lockAlert(tx: Transaction<DB>, id: string): Promise<AlertRow | undefined> {
  return tx.selectFrom('alert').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Every open portal is notified when an alert is published, edited or resolved, in any process. */
async function announceAlerts(tx: Transaction<DB>): Promise<void> {
  await sql`select pg_notify('alert', '')`.execute(tx)
}

export async function insertAlert(tx: Transaction<DB>, alert: Insertable<DB['alert']>): Promise<AlertRow> {
  await announceAlerts(tx)
  return tx.insertInto('alert').values(alert).returningAll().executeTakeFirstOrThrow()
}

export async function changeAlert(
  tx: Transaction<DB>,
  before: Pick<AlertRow, 'id' | 'revision'>,
  change: Updateable<DB['alert']>,
): Promise<AlertRow> {
  await announceAlerts(tx)
  return tx
    .updateTable('alert')
    .set({ ...change, revision: before.revision + 1 })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
