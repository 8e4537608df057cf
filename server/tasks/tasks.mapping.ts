import type { Task } from '#contract/tasks/tasks.ts'
import { taskFailureText } from '#domain/tasks/task.ts'
import type { AnyTaskKind } from '#server/tasks/task-kind.ts'
import type { NamedTask } from '#server/tasks/tasks.queries.ts'

export function toTask(row: NamedTask, { noun }: AnyTaskKind): Task {
  return {
    id: row.id,
    customerNumber: row.customer_number,
    accountName: row.account_name,
    timeZone: row.time_zone,
    kind: row.kind,
    request: row.request,
    requestedBy: row.requested_by,
    state: row.state,
    fileName: row.file_name,
    total: row.total,
    done: row.done,
    bytes: Number(row.bytes),
    requestedAt: row.requested_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    keptUntil: row.kept_until?.toISOString() ?? null,
    downloadedAt: row.downloaded_at?.toISOString() ?? null,
    failure: row.failure === null ? null : taskFailureText(row.failure, noun),
  }
}
