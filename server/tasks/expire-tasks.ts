import { defineJob } from '#server/tasks/job.ts'
import { deleteOutdatedPieces } from '#server/tasks/task-pieces.queries.ts'
import { expireTasks, failAbandonedTasks } from '#server/tasks/tasks.queries.ts'

/**
 * Removes the files of tasks whose time is over. The tasks stay in the list. A task whose last attempt died with its process
 * has no job any more: it has failed.
 */
export const expireTasksJob = defineJob({
  queue: 'tasks-expire',
  cron: '17 * * * *',
  async run(_data, { clock, db }) {
    await failAbandonedTasks(db, clock.now())
    await expireTasks(db, clock.now())
    await deleteOutdatedPieces(db, clock.now())
  },
})
