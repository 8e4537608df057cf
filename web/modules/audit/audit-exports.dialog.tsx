import { AUDIT_EXPORT_KEPT_DAYS } from '#contract/audit/audit.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { ask } from '#web/lib/api/api-client.ts'
import { countText } from '#web/lib/format.ts'
import { auditExportKinds } from '#web/modules/audit/audit-export.kind.ts'
import { ExportsDialog } from '#web/parts/tasks/exports.dialog.tsx'

type Props = { customerNumber: string; filter: FilterInput; total: number; onClose(): void }

export function AuditExportsDialog({ customerNumber, filter, total, onClose }: Props) {
  return (
    <ExportsDialog
      customerNumber={customerNumber}
      kinds={auditExportKinds}
      keptDays={AUDIT_EXPORT_KEPT_DAYS}
      total={total}
      what={`${countText(total)} ${total === 1 ? 'entry' : 'entries'}`}
      unchanged="nothing has been logged since"
      start={() => ask('audit/exports/start', { body: { customerNumber, filter } })}
      onClose={onClose}
    />
  )
}
