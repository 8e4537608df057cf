import { deleteTask, downloadTask, getTask, listTasks } from '#contract/tasks/tasks.ts'
import type { Route } from '#server/operations/route.ts'
import { deleteTask as remove } from '#server/tasks/delete-task.ts'
import { downloadTask as download } from '#server/tasks/download-task.ts'
import { listTasks as list } from '#server/tasks/list-tasks.ts'
import { loadOwnTask } from '#server/tasks/own-task.ts'
import type { TaskKinds } from '#server/tasks/task-kind.ts'
import { toTask } from '#server/tasks/tasks.mapping.ts'

export function tasksRoutes(route: Route, kinds: TaskKinds): void {
  route(listTasks, (call) => list(call, kinds))
  route(getTask, async (call) => {
    const { row, kind } = await loadOwnTask(call, kinds)
    return { data: toTask(row, kind) }
  })
  route(downloadTask, (call) => download(call, kinds))
  route(deleteTask, (call) => remove(call, kinds))
}
