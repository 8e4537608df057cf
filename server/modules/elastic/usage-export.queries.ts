import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { UsageExportRequest } from '#domain/elastic/usage-export.ts'
import type { DB } from '#server/plugins/schema.ts'

export type UsageExportRow = Selectable<DB['usage_export']>
export type UsageExportKey = { readonly customerNumber: string; readonly id: string }

const LISTED = 50

export function ownUsageExports(db: Kysely<DB>, customerNumber: string, email: string): Promise<UsageExportRow[]> {
  return db
    .selectFrom('usage_export')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('requested_by', '=', email)
    .orderBy('requested_at', 'desc')
    .orderBy('id')
    .limit(LISTED)
    .execute()
}

/** An export belongs to the one who asked for it: for everybody else there is none. */
export function ownUsageExport(
  db: Kysely<DB>,
  customerNumber: string,
  email: string,
  id: string,
): Promise<UsageExportRow | undefined> {
  return db
    .selectFrom('usage_export')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('id', '=', id)
    .where('requested_by', '=', email)
    .executeTakeFirst()
}

/** Exports that a person is waiting for. Requests of the same person queue here, so that they cannot pass the limit together. */
export async function lockUnfinishedExports(tx: Transaction<DB>, email: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('usage export'), hashtext(${email}))`.execute(tx)
  const { unfinished } = await tx
    .selectFrom('usage_export')
    .select(({ fn }) => fn.countAll<string>().as('unfinished'))
    .where('requested_by', '=', email)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirstOrThrow()
  return Number(unfinished)
}

export function insertUsageExport(
  tx: Transaction<DB>,
  values: { customerNumber: string; email: string; request: UsageExportRequest; fileName: string; at: Date },
): Promise<UsageExportRow> {
  return tx
    .insertInto('usage_export')
    .values({
      customer_number: values.customerNumber,
      requested_by: values.email,
      request: JSON.stringify(values.request),
      file_name: values.fileName,
      requested_at: values.at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

function exportOf(db: Kysely<DB>, { customerNumber, id }: UsageExportKey) {
  return db.updateTable('usage_export').where('customer_number', '=', customerNumber).where('id', '=', id)
}

/** Undefined when there is nothing left to do: it is ready, or it was given up. */
export function beginUsageExport(db: Kysely<DB>, key: UsageExportKey): Promise<UsageExportRow | undefined> {
  return exportOf(db, key)
    .set({ state: 'running', written: 0, bytes: '0' })
    .where('state', 'in', ['waiting', 'running'])
    .returningAll()
    .executeTakeFirst()
}

export async function noteExportTotal(db: Kysely<DB>, key: UsageExportKey, total: number): Promise<void> {
  await exportOf(db, key).set({ total }).execute()
}

export async function noteExportProgress(
  db: Kysely<DB>,
  key: UsageExportKey,
  { rows, bytes }: { rows: number; bytes: number },
): Promise<void> {
  await exportOf(db, key)
    .set({ written: rows, bytes: String(bytes) })
    .execute()
}

export async function finishUsageExport(
  db: Kysely<DB>,
  key: UsageExportKey,
  { rows, bytes, at, keptUntil }: { rows: number; bytes: number; at: Date; keptUntil: Date },
): Promise<void> {
  await exportOf(db, key)
    .set({ state: 'ready', total: rows, written: rows, bytes: String(bytes), finished_at: at, kept_until: keptUntil })
    .execute()
}

export async function failUsageExport(db: Kysely<DB>, key: UsageExportKey, at: Date): Promise<void> {
  await exportOf(db, key).set({ state: 'failed', finished_at: at }).execute()
}

export function exportsPastTheirTime(db: Kysely<DB>, now: Date): Promise<UsageExportRow[]> {
  return db.selectFrom('usage_export').selectAll().where('state', '=', 'ready').where('kept_until', '<=', now).execute()
}

export async function expireUsageExport(db: Kysely<DB>, key: UsageExportKey): Promise<void> {
  await exportOf(db, key).set({ state: 'expired' }).execute()
}
