import type { Kysely } from 'kysely'
import type { Reported } from '#domain/upkeep/finding.ts'
import { type AuditContext, writeAudit } from '#server/audit/audit.queries.ts'
import { BackupError } from '#server/backup/backup-format.ts'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import type { Progress } from '#server/backup/write-backup.ts'
import type { Config } from '#server/config.ts'
import type { Pool } from '#server/db/database.ts'
import type { DB } from '#server/db/schema.ts'
import { examineData } from '#server/doctor/examine.ts'
import type { Clock } from '#server/doors/clock.ts'
import { listBackups } from '#server/recovery/backup-folder.ts'
import { failInterruptedRuns, findNewestEntry, findOtherRun, keepRun } from '#server/recovery/recovery-runs.queries.ts'
import { withScratchDatabase } from '#server/recovery/scratch-database.ts'

type Parts = {
  readonly db: Kysely<DB>
  readonly pool: Pool
  readonly config: Config
  readonly clock: Clock
  readonly audit: AuditContext
  readonly passphrase: string | undefined
  /** Checks everything in the restored database, even if it takes long. */
  readonly isFull?: boolean
  readonly progress?: Progress
  readonly signal?: AbortSignal
}

export type Drilled = {
  readonly file: string
  /** The instant of the backup: what was saved later would be lost. */
  readonly asOf: Date
  readonly newestEntryAt: Date | null
  /** Milliseconds: the age of the backup, and how long it took to restore and check it. */
  readonly recoveryPoint: number
  readonly recoveryTime: number
  readonly rows: number
  readonly migrated: number
  readonly findings: readonly Reported[]
}

/** The restored database is not as it should be. */
export class DrillError extends Error {
  readonly drilled: Drilled
  constructor(drilled: Drilled) {
    const broken = drilled.findings.filter(({ level }) => level === 'failed')
    super(`The restored database failed: ${broken.map(({ check, text }) => `${check}: ${text}`).join('; ')}`)
    this.drilled = drilled
  }
}

/** Restores the newest backup of a folder into a scratch database and checks it there. The result is kept in the database. */
export async function runDrill(folder: string, parts: Parts): Promise<Drilled> {
  const { db, pool, config, clock, audit, signal } = parts
  await failInterruptedRuns(db, clock.now())
  return keepRun(db, { kind: 'drill', by: audit.email, now: clock.now }, async (id, note) => {
    const other = await findOtherRun(db, 'drill', id)
    if (other)
      throw new BackupError(
        `Another drill is running on ${other.machine} since ${other.begun_at.toISOString()}. If it was killed, try again in a minute.`,
      )
    const [newest] = await listBackups(folder)
    if (!newest) throw new BackupError(`There is no backup in ${folder}`)
    note({ file: newest.file })
    const scratchServer = { db, pool, serverUrl: config.backup.drillDatabaseUrl, signal }
    const drilled = await withScratchDatabase(scratchServer, (scratch) =>
      restoreAndCheck(newest.file, scratch.db, parts),
    )
    note({
      row_count: String(drilled.rows),
      as_of: drilled.asOf,
      newest_entry_at: drilled.newestEntryAt,
      recovery_point: String(drilled.recoveryPoint),
      recovery_time: String(drilled.recoveryTime),
      findings: JSON.stringify(drilled.findings),
    })
    const { file, recoveryPoint, recoveryTime, findings } = drilled
    const isSound = findings.every(({ level }) => level !== 'failed')
    await writeAudit(db, audit, { action: 'drill', after: { file, recoveryPoint, recoveryTime, isSound } })
    if (!isSound) throw new DrillError(drilled)
    return drilled
  })
}

async function restoreAndCheck(file: string, scratch: Kysely<DB>, parts: Parts): Promise<Drilled> {
  const { config, clock, passphrase, isFull = false, progress = () => {} } = parts
  const begun = performance.now()
  const now = clock.now()
  const options = { passphrase, replace: undefined, progress, finally: async () => {} }
  const { header, rows, migrated } = await restoreBackup(scratch, file, options)
  const findings = await examineData(scratch, { config, now, isFull })
  const recoveryTime = Math.round(performance.now() - begun)
  const asOf = new Date(header.createdAt)
  return {
    file,
    asOf,
    newestEntryAt: await findNewestEntry(scratch),
    recoveryPoint: now.getTime() - asOf.getTime(),
    recoveryTime,
    rows,
    migrated: migrated.length,
    findings,
  }
}
