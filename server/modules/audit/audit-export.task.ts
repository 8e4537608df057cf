import { AUDIT_COLUMNS, AUDIT_EXPORT, AUDIT_EXPORT_KEPT_DAYS } from '#contract/audit/audit.ts'
import type { FilterInput, SortInput } from '#domain/filter/filter.ts'
import { findHead } from '#server/audit/chain.queries.ts'
import { auditSource } from '#server/modules/audit/audit.list.ts'
import { defineTask } from '#server/tasks/task-kind.ts'

export type AuditExportRequest = { readonly filter?: FilterInput; readonly sorting?: readonly SortInput[] }

/** A CSV file of everything in the audit log of an account that matches, of any number. */
export const auditExportTask = defineTask<AuditExportRequest>({
  kind: AUDIT_EXPORT,
  noun: 'export',
  action: 'audit.read',
  area: 'audit',
  keptDays: AUDIT_EXPORT_KEPT_DAYS,
  mediaType: 'text/csv; charset=utf-8',
  async asOf(db, customerNumber) {
    return String((await findHead(db, customerNumber))?.sequence ?? 0)
  },
  async run({ filter, sorting }, { customerNumber, services, timeZone, progress, write }) {
    const { db, lists } = await services.reads.findForTask()
    const scope = { customerNumber }
    const total = await lists.count(db, auditSource, scope, { filter }, { timeZone })
    await progress(0, total)
    let rows = 0
    const request = { filter, sorting, columns: AUDIT_COLUMNS }
    for await (const piece of lists.csv(db, auditSource, scope, request, { timeZone })) {
      await write(piece.bytes)
      rows += piece.rows
      await progress(rows, total)
    }
  },
})
