import { createHash } from 'node:crypto'
import type { ControlledTransaction, Kysely } from 'kysely'
import {
  BackupError,
  type BackupHeader,
  type BackupPart,
  type BackupTable,
  FRAME,
} from '#server/backup/backup-format.ts'
import { type BackupWriter, createBackupWriter } from '#server/backup/backup-writer.ts'
import { copyStatement } from '#server/backup/copy-statement.ts'
import {
  listRanMigrations,
  listSequences,
  listTables,
  lockTables,
  postgresVersion,
} from '#server/backup/schema.queries.ts'
import { CopyOut } from '#server/db/copy-stream.ts'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'
import { isSharded, openSnapshots } from '#server/scale-out/shard.queries.ts'

export type Progress = (done: number, total: number, what: string) => void
type Options = {
  readonly passphrase: string | undefined
  readonly portalVersion: string
  readonly now: Date
  readonly progress: Progress
  readonly signal?: AbortSignal | undefined
}

/** Writes a consistent snapshot while others go on writing. The file is complete and on disk, or does not exist. */
export async function writeBackup(
  db: Kysely<DB>,
  file: string,
  { passphrase, portalVersion, now, progress, signal }: Options,
): Promise<{ header: BackupHeader; rows: number; bytes: number }> {
  const writer = await createBackupWriter(file, passphrase)
  let writersWait: ControlledTransaction<DB> | undefined
  try {
    if (await isSharded(db)) {
      // Each node opens a snapshot of its own. Writers wait until all have, so that the backup is of one instant.
      writersWait = await db.startTransaction().execute()
      await lockTables(writersWait, await listTables(writersWait), 'share')
    }
    const done = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        await allowLongWork(tx)
        if (writersWait) await openSnapshots(tx)
        await writersWait?.rollback().execute()
        const migrations = await listRanMigrations(tx)
        if (!migrations) throw new BackupError('There is no portal in this database: nothing to back up')
        const tables = await listTables(tx)
        await lockTables(tx, tables, 'access share')
        const header: BackupHeader = {
          createdAt: now.toISOString(),
          portalVersion,
          postgresVersion: await postgresVersion(tx),
          migrations,
          tables,
        }
        await writer.writeJson(FRAME.header, header)
        let rows = 0
        for (const [index, table] of tables.entries()) {
          progress(index, tables.length, table.name)
          rows += (await writeTable(tx, table, writer, signal)).rows
        }
        await writer.writeJson(FRAME.sequences, await listSequences(tx))
        progress(tables.length, tables.length, 'ready')
        return { header, rows }
      })
    const bytes = await writer.finish({ tables: done.header.tables.length, rows: done.rows })
    return { ...done, bytes }
  } catch (error) {
    if (writersWait?.isTransaction)
      await writersWait
        .rollback()
        .execute()
        .catch(() => {})
    await writer.abandon()
    throw error
  }
}

async function writeTable(
  db: Kysely<DB>,
  table: BackupTable,
  writer: BackupWriter,
  signal: AbortSignal | undefined,
): Promise<BackupPart> {
  const { name } = table
  await writer.writeJson(FRAME.table, { name })
  const digest = createHash('sha256')
  signal?.throwIfAborted()
  const copied = new CopyOut(async (chunk) => {
    signal?.throwIfAborted()
    digest.update(chunk)
    await writer.writeBytes(chunk)
  })
  await db.executeQuery(copyStatement(db, table, 'to stdout', copied))
  const part = { name, rows: copied.rows, sha256: digest.digest('hex') }
  await writer.writeJson(FRAME.endOfTable, part)
  return part
}
