import { auditList, exportAuditLines, listAuditCheckpoints, startAuditExport } from '#contract/audit/audit.ts'
import { listCheckpoints } from '#server/audit/checkpoints.queries.ts'
import { toCheckpoint } from '#server/audit/checkpoints.ts'
import { auditSource } from '#server/modules/audit/audit.list.ts'
import { exportAudit, exportLines } from '#server/modules/audit/export-audit.ts'
import { namedChain } from '#server/modules/audit/named-chain.ts'
import { startExport } from '#server/modules/audit/start-audit-export.ts'
import type { Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'

export function auditRoutes(route: Route): void {
  routeList(route, auditList, { source: auditSource, scope: namedChain, exportCsv: exportAudit })
  route(startAuditExport, startExport)
  route(exportAuditLines, exportLines)
  route(listAuditCheckpoints, async (call) => {
    const { customerNumber } = await namedChain(call)
    return { data: (await listCheckpoints(call.db, customerNumber)).map(toCheckpoint) }
  })
}
