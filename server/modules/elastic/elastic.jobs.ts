import { usageExportTask } from '#server/modules/elastic/usage-export.task.ts'
import { usagePartitionsJob } from '#server/modules/elastic/usage-partitions.ts'
import type { Job } from '#server/tasks/job.ts'
import type { AnyTaskKind } from '#server/tasks/task-kind.ts'

export const elasticJobs: readonly Job<never>[] = [usagePartitionsJob]
export const elasticTasks: readonly AnyTaskKind[] = [usageExportTask]
