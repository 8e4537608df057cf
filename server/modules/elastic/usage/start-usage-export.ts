import type { startUsageExport as operation } from '#contract/elastic/usage/usage-exports.ts'
import { exportFileName, financeFileName } from '#contract/elastic/usage/usage-exports.ts'
import { canonicalFilter } from '#domain/filter/parsed-filter.ts'
import { filterOf, orderOf } from '#server/lists/list-query.ts'
import { usageSource } from '#server/modules/elastic/usage/usage.list.ts'
import { usageExportTask, usageReportTask } from '#server/modules/elastic/usage/usage-export.task.ts'
import { loadWideUsageScope } from '#server/modules/elastic/usage/usage-scope.ts'
import type { Call, Result } from '#server/operations/route.ts'
import { startTask } from '#server/tasks/start-task.ts'

export async function startUsageExport(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { body, db, standing, timeZone } = call
  // Refuses an invalid filter or sorting now, not when the job runs.
  const filter = canonicalFilter(filterOf(usageSource, body.filter, { timeZone }))
  const order = orderOf(usageSource, body.sorting).map(({ name, descending }) => [name, descending])
  const { serverId } = await loadWideUsageScope(db, standing, body)
  const format = body.format ?? 'csv'
  const nameOf = format === 'pdf' ? financeFileName : exportFileName
  return startTask(call, format === 'pdf' ? usageReportTask : usageExportTask, {
    request: {
      ...(body.serverId === undefined ? {} : { serverId: body.serverId }),
      ...(body.filter ? { filter: body.filter } : {}),
      ...(body.sorting ? { sorting: body.sorting } : {}),
    },
    identity: [serverId, filter, order],
    fileName: `${nameOf(standing.customerNumber, body.filter, timeZone)}.${format}`,
  })
}
