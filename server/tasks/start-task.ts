import { createHash } from 'node:crypto'
import type { Operation } from '#contract/kit/operation.ts'
import type { Task } from '#contract/tasks/tasks.ts'
import type { Call } from '#server/operations/route.ts'
import { taskJob } from '#server/tasks/run-task.ts'
import type { TaskKind } from '#server/tasks/task-kind.ts'
import { hasPieces } from '#server/tasks/task-pieces.queries.ts'
import { refuseBeyondQuota } from '#server/tasks/task-quota.ts'
import { toTask } from '#server/tasks/tasks.mapping.ts'
import { findSameTask, insertTask, lockTasks } from '#server/tasks/tasks.queries.ts'

type AccountWrite = Operation & {
  access: { kind: 'account'; action: never; customerNumberIn: never }
  writes: true
}
type StartCall = Pick<Call<AccountWrite>, 'actor' | 'audit' | 'db' | 'now' | 'services' | 'standing'>

type NewTask<Request extends object> = {
  readonly request: Request
  /** Equal for equivalent requests, even if they are written differently. */
  readonly identity: unknown
  readonly fileName: string
}

/** An equal request gets the existing task, as long as a new one would give the same file. */
export async function startTask<Request extends object>(
  call: StartCall,
  kind: TaskKind<Request>,
  { request, identity, fileName }: NewTask<Request>,
): Promise<{ data: Task; reused: boolean }> {
  const { actor, db, now, services, standing } = call
  const owner = { customerNumber: standing.customerNumber, email: actor.email }
  const requestKey = createHash('sha256').update(JSON.stringify(identity)).digest()
  await lockTasks(db, owner)
  const asOf = await kind.asOf?.(db, owner.customerNumber)
  const same = await findSameTask(db, { kind: kind.kind, owner, requestKey, asOf, now })
  if (same && (same.state !== 'ready' || (await hasPieces(db, { ...owner, id: same.id }))))
    return { data: toTask(same, kind), reused: true }

  await refuseBeyondQuota(db, kind, owner, services.config)
  const row = await insertTask(db, { kind: kind.kind, owner, request, requestKey, fileName, at: now })
  await services.jobs.send(db, taskJob(kind), { customerNumber: owner.customerNumber, id: row.id })
  await call.audit({ target: row.id, after: row.request })
  return { data: toTask(row, kind), reused: false }
}
