import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type * as operations from '#contract/tasks/tasks.ts'
import { can } from '#domain/access/can.ts'
import type { Standing } from '#domain/access/standing.ts'
import { hasScope, missingScope, scopeIn } from '#domain/tokens/token-areas.ts'
import { HttpError } from '#server/http/http-error.ts'
import { findCaller, signInSessionIdOf } from '#server/identity/sign-in-session.ts'
import { type Call, type Result, SentFile } from '#server/operations/route.ts'
import { readTaskFile } from '#server/tasks/task-file.ts'
import type { AnyTaskKind, TaskKinds } from '#server/tasks/task-kind.ts'
import { hasPieces } from '#server/tasks/task-pieces.queries.ts'
import { toTask } from '#server/tasks/tasks.mapping.ts'
import { deleteTaskRow, findOwnTask, listOwnTasks, type NamedTask, noteDownload } from '#server/tasks/tasks.queries.ts'

/** Leaves out tasks whose kind the caller may not see on the account. A kind that is named is refused instead. */
export async function listTasks(
  call: Call<typeof operations.listTasks>,
  kinds: TaskKinds,
): Promise<Result<typeof operations.listTasks>> {
  const { actor, db, query, standing } = call
  const named = query.kind === undefined ? undefined : kinds.get(query.kind)
  if (named && standing) await refuseWithoutRight(call, named)
  const requested = query.kind === undefined ? [...kinds.keys()] : named ? [named.kind] : []
  const rows = await listOwnTasks(db, { customerNumber: standing?.customerNumber, email: actor.email }, requested)
  const standings = await loadStandings(call, new Set(rows.map((row) => row.customer_number)))
  return {
    data: rows.flatMap((row) => {
      const kind = kinds.get(row.kind)
      if (!kind || missingScopeOf(call, kind) !== undefined) return []
      return can(actor, kind.action, standings.get(row.customer_number)).allowed ? [toTask(row, kind)] : []
    }),
  }
}

/** The guard has loaded the standing on the account that the call names, if it names one. */
async function loadStandings(
  { request, services, standing }: Call<typeof operations.listTasks>,
  customerNumbers: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Standing>> {
  if (standing) return new Map([[standing.customerNumber, standing]])
  const sessionId = signInSessionIdOf(request, services.config)
  if (sessionId === undefined || customerNumbers.size === 0) return new Map()
  const caller = await findCaller(services, sessionId, [...customerNumbers], true)
  return caller?.standings ?? new Map()
}

type OneTaskOperation = typeof operations.getTask | typeof operations.downloadTask | typeof operations.deleteTask

/**
 * The task that the call names, with its kind: 404 unless it belongs to the caller, 403 without the right of its kind.
 */
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

/** The guard has checked the account, and that a token has the scope of some kind. */
async function refuseWithoutRight<O extends OneTaskOperation | typeof operations.listTasks>(
  call: Call<O>,
  kind: AnyTaskKind,
): Promise<void> {
  const { actor, refuse, standing } = call as Call<OneTaskOperation>
  const missing = missingScopeOf(call, kind)
  if (missing !== undefined) await refuse(new HttpError(403, missing), { target: kind.kind })
  const decision = can(actor, kind.action, standing)
  if (decision.allowed) return
  await refuse(new HttpError(decision.hidden ? 404 : 403, decision.reason), { target: kind.kind })
}

/** Why the token of the call may not see tasks of this kind; undefined if it may, or for a person. */
function missingScopeOf({ request }: { request: FastifyRequest }, { area }: AnyTaskKind): string | undefined {
  const { method, principal } = request
  if (principal?.kind !== 'token') return undefined
  const scope = scopeIn(area, method !== 'GET')
  return hasScope(principal.scopes, scope) ? undefined : missingScope(scope)
}

export async function downloadTask(call: Call<typeof operations.downloadTask>, kinds: TaskKinds): Promise<SentFile> {
  const { row, kind } = await loadOwnTask(call, kinds)
  if (row.state === 'waiting' || row.state === 'running') throw new HttpError(409, `The ${kind.noun} is not ready yet`)
  const isKept = row.state === 'ready' && row.kept_until !== null && row.kept_until > call.now
  const run = { customerNumber: row.customer_number, id: row.id, attempt: row.attempt }
  if (!isKept || !(await hasPieces(call.db, run)))
    throw new HttpError(404, `The file of this ${kind.noun} is no longer kept`)
  await noteDownload(call.db, run, call.now)
  await call.audit({ target: row.id, after: row.request })
  const size = Number(row.bytes)
  const pieces = readTaskFile(call.services.db, run, size)
  // A byte stream, so that no more than the next piece is read ahead.
  return new SentFile(row.file_name, Readable.from(pieces, { objectMode: false }), size, kind.mediaType)
}

/** Deletes a task with its file. A job that is writing the file finds the task deleted, and stops. */
export async function deleteTask(
  call: Call<typeof operations.deleteTask>,
  kinds: TaskKinds,
): Promise<Result<typeof operations.deleteTask>> {
  const { row } = await loadOwnTask(call, kinds)
  await deleteTaskRow(call.db, { customerNumber: row.customer_number, id: row.id })
  await call.audit({
    target: row.id,
    before: { kind: row.kind, fileName: row.file_name, state: row.state, request: row.request },
  })
  return { data: null }
}
