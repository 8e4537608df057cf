import type { Kysely } from 'kysely'
import { type AuditContext, writeAudit } from '#server/audit/audit.queries.ts'
import { listRanMigrations } from '#server/backup/schema.queries.ts'
import { type Progress, writeBackup } from '#server/backup/write-backup.ts'
import { BUILD_INFO } from '#server/build-info.ts'
import { readMigrations } from '#server/db/migrate.ts'
import type { DB } from '#server/db/schema.ts'
import type { Clock } from '#server/doors/clock.ts'
import { keepRun, type RunResult } from '#server/recovery/recovery-runs.queries.ts'

type Parts = {
  readonly db: Kysely<DB>
  readonly clock: Clock
  readonly audit: AuditContext
  readonly passphrase: string | undefined
  readonly progress?: Progress
  readonly signal?: AbortSignal
}

/** Writes a backup, and keeps in the database that it was made. A database of an older version is not changed. */
export async function makeBackup(
  file: string,
  { db, clock, audit, passphrase, progress = () => {}, signal }: Parts,
): ReturnType<typeof writeBackup> {
  const write = async (note: (result: RunResult) => void) => {
    note({ file })
    const { version: portalVersion } = BUILD_INFO
    const options = { passphrase, portalVersion, now: clock.now(), progress, signal }
    const written = await writeBackup(db, file, options)
    const { header, rows, bytes } = written
    note({ bytes: String(bytes), row_count: String(rows), as_of: new Date(header.createdAt) })
    return written
  }
  const ran = await listRanMigrations(db)
  if (ran?.length !== readMigrations().length) return write(() => {})
  return keepRun(db, { kind: 'backup', by: audit.email, now: clock.now }, async (_id, note) => {
    const written = await write(note)
    await writeAudit(db, audit, { action: 'backup', after: { rows: written.rows, bytes: written.bytes } })
    return written
  })
}
