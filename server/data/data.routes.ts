import { recordOperations } from '#contract/data/record-operations.ts'
import { DEFAULT_PAGE } from '#contract/data/record-pages.ts'
import { listRemoved } from '#contract/data/removed-records.ts'
import { recordChecker } from '#server/data/check-record.ts'
import type { DataKind, RowOutcome, SaveContext } from '#server/data/data-kind.ts'
import { DATA_KINDS } from '#server/data/data-kinds.ts'
import { readRemovals } from '#server/data/read-removals.ts'
import { changesComeAfter } from '#server/data/removals.queries.ts'
import { successJson } from '#server/http/envelope.ts'
import { HttpError } from '#server/http/http-error.ts'
import { auditContext } from '#server/operations/guard.ts'
import type { Call, Route } from '#server/operations/route.ts'

/** Once per process: tests build the portal many times, and compiled schemas are found by their objects. */
const DECLARED = DATA_KINDS.map((data) => ({
  data,
  operations: recordOperations(data.kind),
  removed: data.kind.canBeRemoved ? listRemoved(data.kind) : undefined,
  check: recordChecker(data.kind),
}))
type Declared = (typeof DECLARED)[number]

/** The service API for the records of the vendor's own systems: the same calls for every kind. */
export function dataRoutes(route: Route): void {
  for (const declared of DECLARED) {
    routeKind(route, declared)
    if (declared.removed) routeRemoved(route, declared.data, declared.removed)
  }
}

function routeKind(route: Route, { data, operations, check }: Declared): void {
  const { save, list, get, revoke } = operations
  route(save, async (call) => {
    const checked = call.body.records.map((record) => ({ record, ...check(asSent(record)) }))
    const rows = checked.flatMap((one) => ('row' in one ? [one.row] : []))
    const saved = (await data.save(call.db, rows, contextOf(call))).values()
    const outcomes = checked.map((one): RowOutcome => {
      if ('row' in one) return saved.next().value as RowOutcome
      return { key: idOf(data, one.record), result: 'refused', ...one.refusal }
    })
    return { data: outcomes.map(toLine) }
  })
  route(list, async ({ db, query }) => {
    const { after, changedSince, limit = DEFAULT_PAGE } = query
    const walk: Walk = after === undefined ? { until: await changesComeAfter(db) } : openWalk(after)
    const since = changedSince === undefined ? undefined : new Date(changedSince)
    const { rows, next } = await data.read(db, {
      limit,
      ...(since === undefined ? {} : { changedSince: since }),
      ...(walk.next === undefined ? {} : { after: walk.next }),
    })
    // The rows are valid records already; validating 1,000 of them again would block the event loop for others.
    return successJson(JSON.stringify(rows), {
      until: walk.until,
      ...(next === undefined ? {} : { next: walkToken({ ...walk, next }) }),
    })
  })
  route(get, async ({ db, params: { id } }) => {
    const [row] = await data.find(db, [id])
    if (!row) throw new HttpError(404, `There is no record ${id}`)
    return { data: row as never }
  })
  route(revoke, async (call) => {
    const outcomes = await data.revoke(call.db, call.body.ids, contextOf(call))
    return { data: outcomes.map(toLine) }
  })
}

/** A record that was read can be sent back: its time of change is ignored. */
const asSent = ({ changedAt: _, ...record }: { changedAt?: unknown }) => record

function routeRemoved(route: Route, data: DataKind, removed: ReturnType<typeof listRemoved>): void {
  route(removed, async ({ db, query }) => {
    const { after, removedSince, limit = DEFAULT_PAGE } = query
    const walk: Walk = after === undefined ? { until: await changesComeAfter(db) } : openWalk(after)
    const { rows, next } = await readRemovals(db, data, { since: new Date(removedSince), after: walk.next, limit })
    const page = { data: rows, until: walk.until }
    return next === undefined ? page : { ...page, next: walkToken({ ...walk, next }) }
  })
}

function contextOf({
  services,
  request,
  now,
}: Pick<Call<ReturnType<typeof recordOperations>['save']>, 'services' | 'request' | 'now'>): SaveContext {
  return { audit: auditContext(services, request, request.principal), now }
}

/** The id of an invalid record, as far as it can be determined. */
function idOf({ kind }: DataKind, record: object): string {
  const known = Object.entries(record).filter(([, value]) => ['string', 'number'].includes(typeof value))
  return kind.keyOf(Object.fromEntries(known)).slice(0, 400)
}

function toLine(outcome: RowOutcome) {
  const { key: id, result } = outcome
  if (result !== 'refused') return { id, status: 'SUCCESS' as const, result }
  return { id, status: 'FAILURE' as const, code: outcome.code, err: outcome.err }
}

/** A cursor: where a reader is in a list, and the `changedSince` of the next walk, which the first page decided. */
export type Walk = { readonly until: string; readonly next?: string }

export const walkToken = (walk: Walk): string =>
  Buffer.from(JSON.stringify([walk.until, walk.next])).toString('base64url')

function openWalk(token: string): Walk {
  const [until, next] = parse(token)
  if (typeof until !== 'string' || Number.isNaN(Date.parse(until)) || typeof next !== 'string')
    throw new HttpError(400, 'after is not the value of next in an earlier answer')
  return { until, next }
}

function parse(token: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, 'base64url').toString())
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}
