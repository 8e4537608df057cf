import { deleteTask, downloadTask, getTask, listTasks } from '#contract/tasks/tasks.ts'
import { can } from '#domain/access/can.ts'
import type { Route } from '#server/operations/route.ts'
import { deleteTask as remove } from '#server/tasks/delete-task.ts'
import { downloadTask as download } from '#server/tasks/download-task.ts'
import { loadOwnTask, refuseWithoutRight } from '#server/tasks/own-task.ts'
import type { TaskKinds } from '#server/tasks/task-kind.ts'
import { toTask } from '#server/tasks/tasks.mapping.ts'
import { listOwnTasks } from '#server/tasks/tasks.queries.ts'

export function tasksRoutes(route: Route, kinds: TaskKinds): void {
  route(listTasks, async (call) => {
    const { actor, db, query, standing } = call
    const named = query.kind === undefined ? undefined : kinds.get(query.kind)
    if (named) await refuseWithoutRight(call, named)
    const requested = query.kind === undefined ? [...kinds.values()] : named ? [named] : []
    const allowed = new Map(
      requested.filter(({ action }) => can(actor, action, standing).allowed).map((kind) => [kind.kind, kind]),
    )
    const owner = { customerNumber: standing.customerNumber, email: actor.email }
    const rows = await listOwnTasks(db, owner, [...allowed.keys()])
    return { data: rows.map((row) => toTask(row, allowed.get(row.kind)!)) }
  })
  route(getTask, async (call) => {
    const { row, kind } = await loadOwnTask(call, kinds)
    return { data: toTask(row, kind) }
  })
  route(downloadTask, (call) => download(call, kinds))
  route(deleteTask, (call) => remove(call, kinds))
}
