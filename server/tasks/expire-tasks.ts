import { defineJob } from '#server/tasks/job.ts'
import { removeTaskFiles } from '#server/tasks/task-file.ts'
import { expireTask, listOutdatedTasks } from '#server/tasks/tasks.queries.ts'

/** Removes the files of tasks whose time is over. The tasks stay in the list. */
export const expireTasksJob = defineJob({
  queue: 'tasks-expire',
  cron: '17 * * * *',
  async run(_data, { clock, config, db }) {
    for (const row of await listOutdatedTasks(db, clock.now())) {
      await removeTaskFiles(config, row)
      await expireTask(db, { customerNumber: row.customer_number, id: row.id })
    }
  },
})
