import { signCheckpoints } from '#server/audit/checkpoints.ts'
import { removeOld } from '#server/audit/remove-old.ts'
import { contextOfPortal } from '#server/identity/principal.ts'
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

/** Applies the retention, after the checkpoints of the day. */
const retentionJob = defineJob({
  queue: 'audit-retention',
  cron: '25 0 * * *',
  async run(_data, { clock, config, db }, { signal }) {
    if (config.auditRetentionDays === undefined) return
    await removeOld(db, contextOfPortal(clock.now()), signal)
  },
})

export const auditJobs: readonly Job<never>[] = [checkpointsJob, retentionJob]
export const auditTasks: readonly AnyTaskKind[] = [auditExportTask]
