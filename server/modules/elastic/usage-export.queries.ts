import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { ExportFailure, UsageExportRequest } from '#domain/elastic/usage-export.ts'
import type { DB } from '#server/db/schema.ts'

export type UsageExportRow = Selectable<DB['usage_export']>
export type UsageExportKey = { readonly customerNumber: string; readonly id: string }
export type ExportOwner = { readonly customerNumber: string; readonly email: string }

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

/**
 * Requests of the same person, or about the same account, wait here for each other, so that they cannot exceed a limit
 * together. Always the person first: two requests never wait for each other in a circle.
 */
export async function lockExports(tx: Transaction<DB>, { customerNumber, email }: ExportOwner): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('usage exports of person'), hashtext(${email}))`.execute(tx)
  await sql`select pg_advisory_xact_lock(hashtext('usage exports of account'), hashtext(${customerNumber}))`.execute(tx)
}

/** One that is being made, or a file that is still kept and older than no usage of the account. */
export async function findSameExport(
  db: Kysely<DB>,
  { customerNumber, email }: ExportOwner,
  requestKey: Buffer,
  now: Date,
): Promise<UsageExportRow | undefined> {
  const { rows } = await sql<UsageExportRow>`
    select * from usage_export
     where customer_number = ${customerNumber} and requested_by = ${email} and request_key = ${requestKey}
       and (state in ('waiting', 'running')
            or state = 'ready' and kept_until > ${now} and usage_as_of is not distinct from ${newestUsage(customerNumber)})
     order by requested_at desc, id limit 1`.execute(db)
  return rows[0]
}

const newestUsage = (customerNumber: string) =>
  sql<Date | null>`(select max(usage_arrived_at) from elastic_server where customer_number = ${customerNumber})`

type Kept = { count: number; bytes: number }

/** What counts toward the quotas: of the person on all accounts, and of the account for all people. */
export async function findKeptExports(
  db: Kysely<DB>,
  { customerNumber, email }: ExportOwner,
): Promise<{ unfinished: number; person: Kept; account: Kept }> {
  const { rows } = await sql<Record<'unfinished' | 'count' | 'bytes' | 'account_count' | 'account_bytes', string>>`
    select count(*) filter (where requested_by = ${email} and state <> 'ready') as unfinished,
           count(*) filter (where requested_by = ${email}) as count,
           coalesce(sum(bytes) filter (where requested_by = ${email}), 0) as bytes,
           count(*) filter (where customer_number = ${customerNumber}) as account_count,
           coalesce(sum(bytes) filter (where customer_number = ${customerNumber}), 0) as account_bytes
      from usage_export
     where (requested_by = ${email} or customer_number = ${customerNumber}) and state in ('waiting', 'running', 'ready')`.execute(
    db,
  )
  const [found] = rows
  return {
    unfinished: Number(found?.unfinished),
    person: { count: Number(found?.count), bytes: Number(found?.bytes) },
    account: { count: Number(found?.account_count), bytes: Number(found?.account_bytes) },
  }
}

export function insertUsageExport(
  tx: Transaction<DB>,
  values: { owner: ExportOwner; request: UsageExportRequest; requestKey: Buffer; fileName: string; at: Date },
): Promise<UsageExportRow> {
  return tx
    .insertInto('usage_export')
    .values({
      customer_number: values.owner.customerNumber,
      requested_by: values.owner.email,
      request: JSON.stringify(values.request),
      request_key: values.requestKey,
      file_name: values.fileName,
      requested_at: values.at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

function exportOf(db: Kysely<DB>, { customerNumber, id }: UsageExportKey) {
  return db.updateTable('usage_export').where('customer_number', '=', customerNumber).where('id', '=', id)
}

export function deleteOwnExport(
  tx: Transaction<DB>,
  { customerNumber, email }: ExportOwner,
  id: string,
): Promise<UsageExportRow | undefined> {
  return tx
    .deleteFrom('usage_export')
    .where('customer_number', '=', customerNumber)
    .where('id', '=', id)
    .where('requested_by', '=', email)
    .returningAll()
    .executeTakeFirst()
}

/** Undefined when there is nothing left to do: it is ready, it was given up, or it was deleted. */
export function beginUsageExport(db: Kysely<DB>, key: UsageExportKey): Promise<UsageExportRow | undefined> {
  return exportOf(db, key)
    .set({ state: 'running', written: 0, bytes: '0', usage_as_of: newestUsage(key.customerNumber) })
    .where('state', 'in', ['waiting', 'running'])
    .returningAll()
    .executeTakeFirst()
}

export async function isExportKept(db: Kysely<DB>, { customerNumber, id }: UsageExportKey): Promise<boolean> {
  const found = await db
    .selectFrom('usage_export')
    .select('id')
    .where('customer_number', '=', customerNumber)
    .where('id', '=', id)
    .executeTakeFirst()
  return found !== undefined
}

export async function noteExportTotal(db: Kysely<DB>, key: UsageExportKey, total: number): Promise<void> {
  await exportOf(db, key).set({ total }).execute()
}

/** False when the export is gone: it was deleted meanwhile. */
export async function noteExportProgress(
  db: Kysely<DB>,
  key: UsageExportKey,
  { rows, bytes }: { rows: number; bytes: number },
): Promise<boolean> {
  const { numUpdatedRows } = await exportOf(db, key)
    .set({ written: rows, bytes: String(bytes) })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False when the export is gone: it was deleted meanwhile. */
export async function finishUsageExport(
  db: Kysely<DB>,
  key: UsageExportKey,
  { rows, bytes, at, keptUntil }: { rows: number; bytes: number; at: Date; keptUntil: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await exportOf(db, key)
    .set({ state: 'ready', total: rows, written: rows, bytes: String(bytes), finished_at: at, kept_until: keptUntil })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function failUsageExport(
  db: Kysely<DB>,
  key: UsageExportKey,
  failure: ExportFailure,
  at: Date,
): Promise<void> {
  await exportOf(db, key).set({ state: 'failed', failure, bytes: '0', finished_at: at }).execute()
}

export function exportsPastTheirTime(db: Kysely<DB>, now: Date): Promise<UsageExportRow[]> {
  return db.selectFrom('usage_export').selectAll().where('state', '=', 'ready').where('kept_until', '<=', now).execute()
}

export async function expireUsageExport(db: Kysely<DB>, key: UsageExportKey): Promise<void> {
  await exportOf(db, key).set({ state: 'expired' }).execute()
}
