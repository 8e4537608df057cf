import type { startUsageExport as operation } from '#contract/elastic/usage-exports.ts'
import { exportFileName } from '#domain/elastic/usage-export.ts'
import { orderOf, selectionOf } from '#server/lists/list-query.ts'
import { usageExportJob } from '#server/modules/elastic/run-usage-export.ts'
import { usageList } from '#server/modules/elastic/usage.list.ts'
import { toUsageExport } from '#server/modules/elastic/usage-export.mapping.ts'
import { insertUsageExport, lockUnfinishedExports } from '#server/modules/elastic/usage-export.queries.ts'
import { usageScope } from '#server/modules/elastic/usage-scope.ts'
import { Refusal } from '#server/plugins/problem.ts'
import type { Call, Result } from '#server/plugins/route.ts'

const AT_ONCE = 3

export async function startUsageExport(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now, services, standing, timeZone } = call
  const { customerNumber } = standing
  // A faulty filter is told now, not when the job finds it.
  selectionOf(usageList, usageScope(standing, body), body.filter, { timeZone })
  orderOf(usageList, body.sorting)
  if ((await lockUnfinishedExports(db, actor.email)) >= AT_ONCE)
    throw new Refusal(
      'TOO_MANY_EXPORTS',
      `${AT_ONCE} of your exports are still being made. Wait for one of them to finish.`,
    )

  const row = await insertUsageExport(db, {
    customerNumber,
    email: actor.email,
    request: {
      ...(body.serverId === undefined ? {} : { serverId: body.serverId }),
      ...(body.filter ? { filter: body.filter } : {}),
      ...(body.sorting ? { sorting: body.sorting } : {}),
    },
    fileName: exportFileName(customerNumber, body.filter, timeZone),
    at: now,
  })
  await services.jobs.send(db, usageExportJob, { customerNumber, id: row.id })
  await call.audit({ action: 'usage.export', target: row.id, after: row.request })
  return { data: toUsageExport(row) }
}
