import fs from 'node:fs/promises'
import { USAGE_COLUMNS } from '#contract/elastic/usage-list.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { EXPORT_KEPT_DAYS, type ExportFailure } from '#domain/elastic/usage-export.ts'
import { type Attempt, defineJob } from '#server/jobs/job.ts'
import { accountOf } from '#server/modules/accounts/accounts.public.ts'
import { usageSource } from '#server/modules/elastic/usage.list.ts'
import {
  beginUsageExport,
  failUsageExport,
  finishUsageExport,
  isExportKept,
  noteExportProgress,
  noteExportTotal,
  type UsageExportKey,
  type UsageExportRow,
} from '#server/modules/elastic/usage-export.queries.ts'
import { exportFile, removeExportFiles, unfinishedFile } from '#server/modules/elastic/usage-export-file.ts'
import { findShortage } from '#server/modules/elastic/usage-export-quota.ts'
import type { Services } from '#server/services.ts'

const BETWEEN_NOTES = 500

export const usageExportJob = defineJob<UsageExportKey>({
  queue: 'usage-export',
  options: { retryLimit: 3, retryDelay: 5, retryBackoff: true, expireInSeconds: 4 * 3600, heartbeatSeconds: 60 },
  concurrency: 2,
  async run(key, services, attempt) {
    const row = await beginUsageExport(services.db, key)
    if (!row) return
    try {
      await writeExport(row, key, services, attempt)
    } catch (error) {
      const { clock, config, db } = services
      const isDeleted = !(await isExportKept(db, key))
      const failure = failureOf(error) ?? (attempt.isLast ? 'error' : undefined)
      if (isDeleted || failure) await removeExportFiles(config, key.id)
      if (isDeleted) return
      if (failure) await failUsageExport(db, key, failure, clock.now())
      throw error
    }
  },
})

/** Trying again would not help: it ends here, for a reason that the person is told. */
class ExportStopped extends Error {
  readonly failure: ExportFailure
  constructor(failure: ExportFailure) {
    super(`an export was stopped: ${failure}`)
    this.failure = failure
  }
}

function failureOf(error: unknown): ExportFailure | undefined {
  if (error instanceof ExportStopped) return error.failure
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'no-space' : undefined
}

const DELETED = 'the export was deleted'

/** A second try begins anew. */
async function writeExport(
  row: UsageExportRow,
  key: UsageExportKey,
  { clock, config, db, lists }: Services,
  { signal }: Attempt,
): Promise<void> {
  const { serverId = null, filter, sorting } = row.request
  const scope = { customerNumber: key.customerNumber, serverId }
  const { time_zone: timeZone } = await accountOf(db, key.customerNumber)
  await noteExportTotal(db, key, await lists.count(db, usageSource, scope, { filter }, { timeZone }))

  const owner = { customerNumber: key.customerNumber, email: row.requested_by }
  const done = { rows: 0, bytes: 0 }
  const noteAndCheck = async () => {
    if (!(await noteExportProgress(db, key, done))) throw new Error(DELETED)
    const shortage = await findShortage(db, owner, config)
    if (shortage) throw new ExportStopped(shortage)
  }
  await noteAndCheck()
  const unfinished = await fs.open(unfinishedFile(config, key.id), 'w', 0o600)
  let noted = Date.now()
  try {
    for await (const piece of lists.csv(
      db,
      usageSource,
      scope,
      { filter, sorting, columns: USAGE_COLUMNS },
      { timeZone },
    )) {
      signal.throwIfAborted()
      // All of it or an error: a plain write may stop short on a disk that is nearly full.
      await unfinished.appendFile(piece.bytes)
      done.rows += piece.rows
      done.bytes += piece.bytes.length
      if (Date.now() - noted < BETWEEN_NOTES) continue
      noted = Date.now()
      await noteAndCheck()
    }
    await noteAndCheck()
    await unfinished.sync()
  } finally {
    await unfinished.close()
  }
  await fs.rename(unfinishedFile(config, key.id), exportFile(config, key.id))
  const at = clock.now()
  const end = { ...done, at, keptUntil: daysLater(at, EXPORT_KEPT_DAYS) }
  if (!(await finishUsageExport(db, key, end))) throw new Error(DELETED)
}

function daysLater(at: Date, days: number): Date {
  const iso = at.toISOString()
  return new Date(addDays(iso.slice(0, 10), days) + iso.slice(10))
}
