import type { deleteTask, downloadTask, getTask, listTasks } from '#contract/tasks/tasks.ts'
import { can } from '#domain/access/can.ts'
import { HttpError } from '#server/http/http-error.ts'
import type { Call } from '#server/operations/route.ts'
import type { AnyTaskKind, TaskKinds } from '#server/tasks/task-kind.ts'
import { findOwnTask, type NamedTask } from '#server/tasks/tasks.queries.ts'

type OneTaskOperation = typeof getTask | typeof downloadTask | typeof deleteTask

/** The task that the call names, and its kind: 404 unless it is the caller's own, 403 without the right of its kind. */
export async function loadOwnTask<O extends OneTaskOperation>(
  call: Call<O>,
  kinds: TaskKinds,
): Promise<{ row: NamedTask; kind: AnyTaskKind }> {
  const { actor, db, params, standing } = call as Call<OneTaskOperation>
  const row = await findOwnTask(db, { customerNumber: standing.customerNumber, email: actor.email }, params.id)
  const kind = row && kinds.get(row.kind)
  if (!row || !kind) throw new HttpError(404, 'There is no such task')
  await refuseWithoutRight(call, kind)
  return { row, kind }
}

/** The guard has checked the account only. */
export async function refuseWithoutRight<O extends OneTaskOperation | typeof listTasks>(
  call: Call<O>,
  kind: AnyTaskKind,
): Promise<void> {
  const { actor, refuse, standing } = call as Call<OneTaskOperation>
  const decision = can(actor, kind.action, standing)
  if (decision.allowed) return
  await refuse(new HttpError(decision.hidden ? 404 : 403, decision.reason), { target: kind.kind })
}
