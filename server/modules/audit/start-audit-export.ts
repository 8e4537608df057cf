import type { startAuditExport as operation } from '#contract/audit/audit.ts'
import { canonicalFilter } from '#domain/filter/parsed-filter.ts'
import { filterOf, orderOf } from '#server/lists/list-query.ts'
import { auditSource } from '#server/modules/audit/audit.list.ts'
import { auditExportTask } from '#server/modules/audit/audit-export.task.ts'
import { auditFileName } from '#server/modules/audit/export-audit.ts'
import type { Call, Result } from '#server/operations/route.ts'
import { startTask } from '#server/tasks/start-task.ts'

export async function startExport(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { body, now, standing, timeZone } = call
  // Refuses an invalid filter or sorting now, not when the job runs.
  const filter = canonicalFilter(filterOf(auditSource, body.filter, { timeZone }))
  const order = orderOf(auditSource, body.sorting).map(({ name, descending }) => [name, descending])
  return startTask(call, auditExportTask, {
    request: {
      ...(body.filter ? { filter: body.filter } : {}),
      ...(body.sorting ? { sorting: body.sorting } : {}),
    },
    identity: [filter, order],
    fileName: `${auditFileName(standing.customerNumber, now)}.csv`,
  })
}
