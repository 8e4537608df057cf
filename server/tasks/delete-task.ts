import type { deleteTask as operation } from '#contract/tasks/tasks.ts'
import type { Call, Result } from '#server/operations/route.ts'
import { loadOwnTask } from '#server/tasks/own-task.ts'
import { removeTaskFiles } from '#server/tasks/task-file.ts'
import type { TaskKinds } from '#server/tasks/task-kind.ts'
import { deleteTaskRow } from '#server/tasks/tasks.queries.ts'

/** A job that is writing the file finds its task gone, and stops. */
export async function deleteTask(call: Call<typeof operation>, kinds: TaskKinds): Promise<Result<typeof operation>> {
  const { row } = await loadOwnTask(call, kinds)
  await deleteTaskRow(call.db, { customerNumber: row.customer_number, id: row.id })
  await removeTaskFiles(call.services.config, row)
  await call.audit({
    target: row.id,
    before: { kind: row.kind, fileName: row.file_name, state: row.state, request: row.request },
  })
  return { data: null }
}
