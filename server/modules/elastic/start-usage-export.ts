import { createHash } from 'node:crypto'
import type { startUsageExport as operation } from '#contract/elastic/usage-exports.ts'
import { exportFileName } from '#domain/elastic/usage-export.ts'
import { canonicalFilter } from '#domain/filter/canonical-filter.ts'
import { filterOf, orderOf } from '#server/lists/list-query.ts'
import { usageExportJob } from '#server/modules/elastic/run-usage-export.ts'
import { usageSource } from '#server/modules/elastic/usage.list.ts'
import { toUsageExport } from '#server/modules/elastic/usage-export.mapping.ts'
import { findSameExport, insertUsageExport, lockExports } from '#server/modules/elastic/usage-export.queries.ts'
import { findExportFile } from '#server/modules/elastic/usage-export-file.ts'
import { refuseBeyondQuota } from '#server/modules/elastic/usage-export-quota.ts'
import { wideUsageScope } from '#server/modules/elastic/usage-scope.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** The same request gets the export that is there, as long as a new one would hold the same. */
export async function startUsageExport(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now, services, standing, timeZone } = call
  const owner = { customerNumber: standing.customerNumber, email: actor.email }
  const requestKey = await requestKeyOf(call)
  await lockExports(db, owner)
  const same = await findSameExport(db, owner, requestKey, now)
  if (same && (same.state !== 'ready' || (await findExportFile(services.config, same.id))))
    return { data: toUsageExport(same), reused: true }

  await refuseBeyondQuota(db, owner, services.config)
  const row = await insertUsageExport(db, {
    owner,
    request: {
      ...(body.serverId === undefined ? {} : { serverId: body.serverId }),
      ...(body.filter ? { filter: body.filter } : {}),
      ...(body.sorting ? { sorting: body.sorting } : {}),
    },
    requestKey,
    fileName: exportFileName(owner.customerNumber, body.filter, timeZone),
    at: now,
  })
  await services.jobs.send(db, usageExportJob, { customerNumber: owner.customerNumber, id: row.id })
  await call.audit({ target: row.id, after: row.request })
  return { data: toUsageExport(row), reused: false }
}

/** Equal for requests that mean the same. A wrong filter or sorting is refused here, not when the job finds it. */
async function requestKeyOf({ body, db, standing, timeZone }: Call<typeof operation>): Promise<Buffer> {
  const filter = canonicalFilter(filterOf(usageSource, body.filter, { timeZone }))
  const order = orderOf(usageSource, body.sorting).map(({ name, descending }) => [name, descending])
  const { serverId } = await wideUsageScope(db, standing, body)
  return createHash('sha256')
    .update(JSON.stringify([serverId, filter, order]))
    .digest()
}
