import type { UsageExport } from '#contract/elastic/usage-exports.ts'
import { exportFailureText } from '#domain/elastic/usage-export.ts'
import type { UsageExportRow } from '#server/modules/elastic/usage-export.queries.ts'

export function toUsageExport(row: UsageExportRow): UsageExport {
  return {
    id: row.id,
    state: row.state,
    fileName: row.file_name,
    total: row.total,
    written: row.written,
    bytes: Number(row.bytes),
    requestedAt: row.requested_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    keptUntil: row.kept_until?.toISOString() ?? null,
    failure: row.failure === null ? null : exportFailureText(row.failure),
  }
}
