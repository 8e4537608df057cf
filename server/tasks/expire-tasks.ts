import { defineJob } from '#server/tasks/job.ts'
import { removeTaskFiles } from '#server/tasks/task-file.ts'
import { expireTask, failAbandonedTasks, listOutdatedTasks } from '#server/tasks/tasks.queries.ts'

/**
 * Removes the files of tasks whose time is over. The tasks stay in the list. A task whose last attempt died with its process
 * has no job any more: it has failed.
 */
export const expireTasksJob = defineJob({
  queue: 'tasks-expire',
  cron: '17 * * * *',
  async run(_data, { clock, config, db }) {
    await failAbandonedTasks(db, clock.now())
    for (const row of await listOutdatedTasks(db, clock.now())) {
      await removeTaskFiles(config, row)
      await expireTask(db, { customerNumber: row.customer_number, id: row.id })
    }
  },
})
