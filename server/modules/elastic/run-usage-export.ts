import fs from 'node:fs/promises'
import { EXPORT_KEPT_DAYS } from '#domain/elastic/usage-export.ts'
import { USAGE_COLUMNS } from '#domain/elastic/usage-fields.ts'
import { addDays } from '#domain/kit/calendar-day.ts'
import { type Attempt, defineJob } from '#server/jobs/job.ts'
import { fetchCount } from '#server/lists/list-count.ts'
import { streamCsv } from '#server/lists/list-csv.ts'
import { accountOf } from '#server/modules/accounts/accounts.public.ts'
import { usageList } from '#server/modules/elastic/usage.list.ts'
import {
  beginUsageExport,
  failUsageExport,
  finishUsageExport,
  noteExportProgress,
  noteExportTotal,
  type UsageExportKey,
  type UsageExportRow,
} from '#server/modules/elastic/usage-export.queries.ts'
import { exportDirectory, exportFile } from '#server/modules/elastic/usage-export-file.ts'
import type { Services } from '#server/plugins/services.ts'

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
      if (attempt.isLast) await failUsageExport(services.db, key, services.clock.now())
      throw error
    }
  },
})

/** Under a name of its own until it is complete: half a file is never downloaded, and a second try begins anew. */
async function writeExport(
  row: UsageExportRow,
  key: UsageExportKey,
  { clock, config, db, traffic }: Services,
  { signal }: Attempt,
): Promise<void> {
  const { serverId = null, filter, sorting } = row.request
  const scope = { customerNumber: key.customerNumber, serverId }
  const { time_zone: timeZone } = await accountOf(db, key.customerNumber)
  await noteExportTotal(db, key, await fetchCount(db, usageList, scope, { filter }, { timeZone }))

  await fs.mkdir(exportDirectory(config), { recursive: true, mode: 0o700 })
  const file = exportFile(config, key.id)
  const unfinished = await fs.open(`${file}.part`, 'w', 0o600)
  const done = { rows: 0, bytes: 0 }
  let noted = Date.now()
  try {
    for await (const piece of streamCsv(
      db,
      usageList,
      scope,
      { filter, sorting, columns: USAGE_COLUMNS },
      { timeZone, traffic },
    )) {
      signal.throwIfAborted()
      const { bytesWritten } = await unfinished.write(piece.bytes)
      done.rows += piece.rows
      done.bytes += bytesWritten
      if (Date.now() - noted < BETWEEN_NOTES) continue
      noted = Date.now()
      await noteExportProgress(db, key, done)
    }
    await unfinished.sync()
  } finally {
    await unfinished.close()
  }
  await fs.rename(`${file}.part`, file)
  const at = clock.now()
  await finishUsageExport(db, key, { ...done, at, keptUntil: daysLater(at, EXPORT_KEPT_DAYS) })
}

function daysLater(at: Date, days: number): Date {
  const iso = at.toISOString()
  return new Date(addDays(iso.slice(0, 10), days) + iso.slice(10))
}
