import { USAGE_EXPORT } from '#contract/elastic/usage/usage-exports.ts'
import { USAGE_CSV_COLUMNS } from '#contract/elastic/usage/usage-list.ts'
import { EXPORT_KEPT_DAYS, type UsageExportRequest } from '#domain/elastic/usage/usage-export.ts'
import { findUsageVersion } from '#server/modules/elastic/credentials/elastic-servers.queries.ts'
import { usageSource } from '#server/modules/elastic/usage/usage.list.ts'
import { defineTask } from '#server/tasks/task-kind.ts'

/** A file of all transactions that match, of any number. */
export const usageExportTask = defineTask<UsageExportRequest>({
  kind: USAGE_EXPORT,
  noun: 'export',
  action: 'elastic.read',
  mediaType: 'text/csv; charset=utf-8',
  keptDays: EXPORT_KEPT_DAYS,
  concurrency: 2,
  asOf: findUsageVersion,
  async run({ serverId = null, filter, sorting }, { customerNumber, services, timeZone, progress, write }) {
    const { db, lists } = services
    const scope = { customerNumber, serverId }
    const total = await lists.count(db, usageSource, scope, { filter }, { timeZone })
    await progress(0, total)
    let rows = 0
    const request = { filter, sorting, columns: USAGE_CSV_COLUMNS }
    for await (const piece of lists.csv(db, usageSource, scope, request, { timeZone })) {
      await write(piece.bytes)
      rows += piece.rows
      await progress(rows, total)
    }
  },
})
