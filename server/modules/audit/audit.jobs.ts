import { signCheckpoints } from '#server/audit/checkpoints.ts'
import { auditExportTask } from '#server/modules/audit/audit-export.task.ts'
import { defineJob, type Job } from '#server/tasks/job.ts'
import type { AnyTaskKind } from '#server/tasks/task-kind.ts'

/** Signs, once a day, every chain that has grown since its last checkpoint. */
const checkpointsJob = defineJob({
  queue: 'audit-checkpoints',
  cron: '55 23 * * *',
  async run(_data, { clock, db }, { signal }) {
    await signCheckpoints(db, clock.now(), signal)
  },
})

export const auditJobs: readonly Job<never>[] = [checkpointsJob]
export const auditTasks: readonly AnyTaskKind[] = [auditExportTask]
