import { useQuery } from '@tanstack/react-query'
import { auditExportKinds } from '#web/modules/audit/audit-export.kind.ts'
import { usageExportKinds } from '#web/modules/elastic/usage/usage-export.kind.ts'
import type { TaskKind } from '#web/parts/tasks/task-kind.ts'
import { TaskList } from '#web/parts/tasks/task-list.tsx'
import { tasksQuery } from '#web/parts/tasks/tasks.api.ts'
import { FailureNotice } from '#web/ui/failure-notice.tsx'

const KINDS: readonly TaskKind[] = [...usageExportKinds, ...auditExportKinds]

/** The background tasks of this person on all accounts. */
export function AllTasks() {
  const { data, error, refetch } = useQuery(tasksQuery)
  if (!data) return error && <FailureNotice failure={error} onRetry={() => void refetch()} />
  return <TaskList tasks={data} kinds={KINDS} label="Background tasks" empty="No background tasks." />
}
