import { USAGE_EXPORT, USAGE_REPORT } from '#contract/elastic/usage/usage-exports.ts'
import { USAGE_CSV_COLUMNS } from '#contract/elastic/usage/usage-list.ts'
import { EXPORT_KEPT_DAYS, type UsageExportRequest } from '#domain/elastic/usage/usage-export.ts'
import { findUsageVersion } from '#server/modules/elastic/credentials/elastic-servers.queries.ts'
import { usageSource } from '#server/modules/elastic/usage/usage.list.ts'
import { loadUsageReport } from '#server/modules/elastic/usage/usage-report.ts'
import { makeDocument } from '#server/pdf/make-document.ts'
import { defineTask } from '#server/tasks/task-kind.ts'

const common = {
  noun: 'export',
  action: 'elastic.read',
  area: 'usage',
  keptDays: EXPORT_KEPT_DAYS,
  concurrency: 2,
  asOf: findUsageVersion,
} as const

/** A CSV file of all transactions that match, of any number. */
export const usageExportTask = defineTask<UsageExportRequest>({
  ...common,
  kind: USAGE_EXPORT,
  mediaType: 'text/csv; charset=utf-8',
  async run({ serverId = null, filter, sorting }, { customerNumber, services, timeZone, progress, write }) {
    const { db, lists } = await services.reads.findForTask()
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

/** A PDF file with the sums of all transactions that match, of any number, and the newest of them. */
export const usageReportTask = defineTask<UsageExportRequest>({
  ...common,
  kind: USAGE_REPORT,
  mediaType: 'application/pdf',
  async run({ serverId = null, ...request }, { customerNumber, services, timeZone, progress, write }) {
    const { clock } = services
    const { db, lists } = await services.reads.findForTask()
    const scope = { customerNumber, serverId }
    const total = await lists.count(db, usageSource, scope, request, { timeZone })
    await progress(0, total)
    const { described } = await loadUsageReport(db, { scope, request, timeZone, now: clock.now() })
    await write(await makeDocument(services, clock.now(), described))
    await progress(total, total)
  },
})
