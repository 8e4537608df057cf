import { deleteTask, downloadTask, getTask, listTasks } from '#contract/tasks/tasks.ts'
import type { Route } from '#server/operations/route.ts'
import {
  downloadTask as download,
  listTasks as list,
  loadOwnTask,
  deleteTask as remove,
} from '#server/tasks/own-tasks.ts'
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
