import type { DecidedEntry, decideAccess as operation } from '#contract/access-review/access-review.ts'
import { accessId, isOfPerson, KIND_TEXTS } from '#domain/access-review/access.ts'
import { DECISION_TEXTS, type Decision, isDecidable, REASON_REQUIRED } from '#domain/access-review/decision.ts'
import {
  BatchRefusal,
  BusinessRefusal,
  ConflictError,
  HttpError,
  type Refusal,
  refusal,
} from '#server/http/http-error.ts'
import {
  type EntryRow,
  findReview,
  listAllEntries,
  listEntries,
  lockReviews,
  type ReviewKey,
  type ReviewRow,
  saveDecisions,
} from '#server/modules/access-review/access-review.queries.ts'
import { loadAccess } from '#server/modules/access-review/load-access.ts'
import { takeAway } from '#server/modules/access-review/take-away.ts'
import { endAccess } from '#server/modules/leavers/leavers.public.ts'
import { auditContext } from '#server/operations/guard.ts'
import type { Call, Result } from '#server/operations/route.ts'

type DecideCall = Call<typeof operation>

const REVIEW_CLOSED = 'This review is finished. Open a new one to decide again.'

/** The review is locked by the account's lock, so that it cannot be finished meanwhile. */
export async function requireOpenReview(
  call: Pick<DecideCall, 'db' | 'standing'>,
  reviewId: string,
): Promise<ReviewRow> {
  const key = { customerNumber: call.standing.customerNumber, reviewId }
  await lockReviews(call.db, key.customerNumber)
  const review = await findReview(call.db, key)
  if (!review) throw noSuchReview()
  if (review.finished_at !== null) throw new BusinessRefusal('REVIEW_CLOSED', REVIEW_CLOSED)
  return review
}

export const noSuchReview = () => new HttpError(404, 'There is no such access review.')

export async function decideAccess(call: DecideCall): Promise<Result<typeof operation>> {
  const { body, db, standing } = call
  const isTaking = body.act === 'take-away'
  if (isTaking && body.reason === '') throw new HttpError(400, REASON_REQUIRED)
  await requireOpenReview(call, body.reviewId)
  const key = { customerNumber: standing.customerNumber, reviewId: body.reviewId }
  const sent = new Map(body.entries.map(({ id, revision }) => [id, revision]))
  const found = new Map((await listEntries(db, key, [...sent.keys()])).map((entry) => [entry.entry_id, entry]))
  const refused = new Map<string, Refusal>()
  const decidable: EntryRow[] = []
  for (const [id, revision] of sent) {
    const entry = found.get(id)
    const why = refusalOf(entry, revision)
    if (why) refused.set(id, why)
    else if (entry) decidable.push(entry)
  }
  refuseSingleConflict(call, [...sent.keys()], found, refused)
  const decisions = isTaking ? await takeAllAway(call, key, decidable, refused) : await keepAll(call, key, decidable)
  const more = body.withEverything ? await endOthersOf(call, key, decidable, decisions) : []
  const lines = [...sent.keys()].map((id): DecidedEntry => {
    const entry = found.get(id)
    const why = refused.get(id)
    const decision = decisions.get(id)
    const revision = (entry?.revision ?? 0) + (decision === undefined ? 0 : 1)
    const about = { id, name: entry?.name ?? id, decision: decision ?? entry?.decision ?? 'open', revision }
    return why ? { ...about, status: 'FAILURE', ...why } : { ...about, status: 'SUCCESS' }
  })
  refuseIfAllRefused(lines)
  return { data: [...lines, ...more] }
}

function refusalOf(entry: EntryRow | undefined, revision: number): Refusal | undefined {
  if (!entry) return refusal('NOT_FOUND', 'The review has no such access.')
  if (entry.revision !== revision) return refusal('STALE', staleText(entry))
  return isDecidable(entry.decision) ? undefined : refusal('ALREADY_ENDED', 'This access has ended already.')
}

const staleText = ({ decided_by, decision }: EntryRow) =>
  `${decided_by ?? 'Somebody else'} has decided on this access in the meantime: ${DECISION_TEXTS[decision].toLowerCase()}.`

/** Somebody who decides on one access gets both versions, as with every save of one thing. */
function refuseSingleConflict(
  { body }: DecideCall,
  ids: readonly string[],
  found: ReadonlyMap<string, EntryRow>,
  refused: ReadonlyMap<string, Refusal>,
): void {
  const [id = ''] = ids
  const entry = found.get(id)
  if (ids.length > 1 || !entry || refused.get(id)?.code !== 'STALE') return
  const { decision, decided_by: decidedBy, reason, revision } = entry
  throw new ConflictError(staleText(entry), {
    current: { id, decision, decidedBy, reason, revision },
    yours: { id, act: body.act, reason: body.reason },
  })
}

async function keepAll({ actor, audit, body, db, now }: DecideCall, key: ReviewKey, entries: readonly EntryRow[]) {
  const ids = entries.map(({ entry_id }) => entry_id)
  await saveDecisions(db, key, ids, { decision: 'kept', by: actor.email, at: now, reason: body.reason })
  if (ids.length > 0)
    await audit({ target: key.reviewId, after: { count: ids.length, reason: body.reason, kept: ids } })
  return new Map<string, Decision>(ids.map((id) => [id, 'kept']))
}

/** Adds what is refused to `refused`. Every access that ended has an entry of its own in the audit log. */
async function takeAllAway(
  call: DecideCall,
  key: ReviewKey,
  entries: readonly EntryRow[],
  refused: Map<string, Refusal>,
): Promise<Map<string, Decision>> {
  const { actor, audit, body, db, now, request, services } = call
  const { customerNumber } = key
  const by = auditContext(services, request, request.principal)
  const endPerson = (email: string) => endAccess(db, services, { customerNumber, email, reason: body.reason }, by)
  const outcomes = await takeAway({ ...call, endPerson: body.withEverything ? endPerson : undefined }, entries)
  const decisions = new Map<string, Decision>()
  for (const [id, outcome] of outcomes)
    if (typeof outcome === 'string') decisions.set(id, outcome)
    else refused.set(id, outcome)
  for (const decision of ['taken-away', 'gone'] as const) {
    const ids = [...decisions].filter(([, one]) => one === decision).map(([id]) => id)
    await saveDecisions(db, key, ids, { decision, by: actor.email, at: now, reason: body.reason })
  }
  for (const entry of entries)
    if (decisions.get(entry.entry_id) === 'taken-away')
      await audit({
        target: entry.key,
        before: factsOf(entry),
        after: { access: accessText(entry), reason: body.reason, review: key.reviewId },
      })
  return decisions
}

/** What else the persons had is gone by now, so their other entries are decided with it. */
async function endOthersOf(
  { actor, body, db, now }: DecideCall,
  key: ReviewKey,
  taken: readonly EntryRow[],
  decisions: ReadonlyMap<string, Decision>,
): Promise<DecidedEntry[]> {
  const isWhole = ({ entry_id, kind }: EntryRow) => isOfPerson(kind) && decisions.get(entry_id) === 'taken-away'
  const persons = new Set(taken.filter(isWhole).map(({ holder }) => holder))
  if (persons.size === 0) return []
  const present = new Set((await loadAccess(db, key.customerNumber, now)).map(accessId))
  const others = (await listAllEntries(db, key)).filter(
    ({ entry_id, decision, holder }) => persons.has(holder) && isDecidable(decision) && !present.has(entry_id),
  )
  const ids = others.map(({ entry_id }) => entry_id)
  await saveDecisions(db, key, ids, { decision: 'taken-away', by: actor.email, at: now, reason: body.reason })
  return others.map(({ entry_id: id, name, revision }) => ({
    id,
    name,
    status: 'SUCCESS',
    decision: 'taken-away',
    revision: revision + 1,
  }))
}

const factsOf = ({ kind, name, holder, role, source }: EntryRow) => ({ kind, name, holder, role, source })

/** "the API token ERP of ada@x.example" */
const accessText = ({ kind, name, holder, role }: EntryRow) => {
  if (kind === 'grant') return `${role} from ${holder}`
  const what = kind === 'contact' ? `the ${role}` : `the ${KIND_TEXTS[kind].toLowerCase()}`
  return name === holder ? `${what} ${holder}` : `${what} ${name} of ${holder}`
}

function refuseIfAllRefused(lines: readonly DecidedEntry[]): void {
  const [first] = lines
  if (!first || lines.some(({ status }) => status === 'SUCCESS')) return
  const more = lines.length > 1 ? ` ${lines.length} accesses were refused.` : ''
  throw new BatchRefusal(first.code ?? 'INVALID_REQUEST', `${first.err ?? ''}${more}`, lines)
}
