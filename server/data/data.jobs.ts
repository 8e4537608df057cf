import { deleteOldRemovals } from '#server/data/removals.queries.ts'
import { defineJob, type Job } from '#server/tasks/job.ts'

const oldRemovalsJob = defineJob({
  queue: 'data-old-removals',
  cron: '37 3 * * *',
  async run(_data, { db }) {
    await deleteOldRemovals(db)
  },
})

export const dataJobs: readonly Job<never>[] = [oldRemovalsJob]
