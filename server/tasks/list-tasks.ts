import type { listTasks as operation } from '#contract/tasks/tasks.ts'
import { can } from '#domain/access/can.ts'
import type { Standing } from '#domain/access/standing.ts'
import type { Call, Result } from '#server/operations/route.ts'
import { findCaller, sessionIdOf } from '#server/session/session.ts'
import { refuseWithoutRight } from '#server/tasks/own-task.ts'
import type { TaskKinds } from '#server/tasks/task-kind.ts'
import { toTask } from '#server/tasks/tasks.mapping.ts'
import { listOwnTasks } from '#server/tasks/tasks.queries.ts'

/** Leaves out tasks whose kind the caller may no longer see on the account. A kind that is named is refused instead. */
export async function listTasks(call: Call<typeof operation>, kinds: TaskKinds): Promise<Result<typeof operation>> {
  const { actor, db, query, standing } = call
  const named = query.kind === undefined ? undefined : kinds.get(query.kind)
  if (named && standing) await refuseWithoutRight(call, named)
  const requested = query.kind === undefined ? [...kinds.keys()] : named ? [named.kind] : []
  const rows = await listOwnTasks(db, { customerNumber: standing?.customerNumber, email: actor.email }, requested)
  const standings = await loadStandings(call, new Set(rows.map((row) => row.customer_number)))
  return {
    data: rows.flatMap((row) => {
      const kind = kinds.get(row.kind)
      return kind && can(actor, kind.action, standings.get(row.customer_number)).allowed ? [toTask(row, kind)] : []
    }),
  }
}

/** The guard has loaded the standing on the account that the call names, if it names one. */
async function loadStandings(
  { request, services, standing }: Call<typeof operation>,
  customerNumbers: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Standing>> {
  if (standing) return new Map([[standing.customerNumber, standing]])
  const sessionId = sessionIdOf(request, services.config)
  if (sessionId === undefined || customerNumbers.size === 0) return new Map()
  const caller = await findCaller(services, sessionId, [...customerNumbers], true)
  return caller?.standings ?? new Map()
}
