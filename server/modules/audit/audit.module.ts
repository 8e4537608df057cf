import { auditList, exportAuditLines, listAuditCheckpoints, startAuditExport } from '#contract/audit/audit.ts'
import { listCheckpoints } from '#server/audit/checkpoints.queries.ts'
import { signCheckpoints, toCheckpoint } from '#server/audit/checkpoints.ts'
import { removeOld } from '#server/audit/remove-old.ts'
import { contextOfPortal } from '#server/identity/principal.ts'
import { auditSource } from '#server/modules/audit/audit.list.ts'
import { auditExportTask } from '#server/modules/audit/audit-export.task.ts'
import { exportAudit, exportLines } from '#server/modules/audit/export-audit.ts'
import { namedChain } from '#server/modules/audit/named-chain.ts'
import { startExport } from '#server/modules/audit/start-audit-export.ts'
import type { Module } from '#server/modules/module.ts'
import type { Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'
import { defineJob } from '#server/tasks/job.ts'

/** Signs, once a day, every chain that has grown since its last checkpoint. */
const checkpointsJob = defineJob({
  queue: 'audit-checkpoints',
  cron: '55 23 * * *',
  async run(_data, { clock, db, secrets }, { signal }) {
    await signCheckpoints(db, secrets, contextOfPortal(clock.now()), signal)
  },
})

/** Applies the retention, after the checkpoints of the day. */
const retentionJob = defineJob({
  queue: 'audit-retention',
  cron: '25 0 * * *',
  async run(_data, { clock, config, db }, { signal }) {
    if (config.auditRetentionDays === undefined) return
    await removeOld(db, contextOfPortal(clock.now()), signal)
  },
})

export const auditModule: Module = {
  name: 'audit',
  mayUse: [],
  isShared: true,
  jobs: [checkpointsJob, retentionJob],
  tasks: [auditExportTask],
  routes,
}

function routes(route: Route): void {
  routeList(route, auditList, { source: auditSource, scope: namedChain, exportCsv: exportAudit })
  route(startAuditExport, startExport)
  route(exportAuditLines, exportLines)
  route(listAuditCheckpoints, async (call) => {
    const { customerNumber } = await namedChain(call)
    return { data: (await listCheckpoints(call.db, customerNumber)).map(toCheckpoint) }
  })
}
