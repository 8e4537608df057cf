import { randomUUID } from 'node:crypto'
import type { startSession as Start } from '#contract/elastic/elastic-sessions.ts'
import { isExportApproved } from '#domain/access/can.ts'
import { type Drawable, drawOrder, findBeginning, findFirstWithUnits } from '#domain/elastic/draw-charge.ts'
import { guesserOf, isLocked, isRefusedUntil } from '#domain/elastic/pin-guessing.ts'
import { formatSessionId, HEARTBEAT_SECONDS } from '#domain/elastic/session-life.ts'
import { SESSION_REFUSALS, type SessionRefusal } from '#domain/elastic/session-refusal.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { checkAdmission } from '#server/modules/elastic/check-admission.ts'
import { dayOf } from '#server/modules/elastic/day-of.ts'
import { insertDenial } from '#server/modules/elastic/denials.queries.ts'
import { addPinFailure, deletePinFailures, lockPinAttempts } from '#server/modules/elastic/pin-failures.queries.ts'
import { recallStart, rememberStart } from '#server/modules/elastic/remembered-starts.ts'
import { beginUnlockedAttempt } from '#server/modules/elastic/start-attempts.ts'
import { findStartFacts, findStartFactsPlanned, type StartFacts } from '#server/modules/elastic/start-facts.queries.ts'
import {
  insertSession,
  insertSessionPlanned,
  insertSessionRelying,
  type NewSession,
} from '#server/modules/elastic/start-session.queries.ts'
import type { Call, Handler, Shortcut, ShortcutCall } from '#server/operations/route.ts'

type StartCall = ShortcutCall<typeof Start>

/**
 * The usual start, without a transaction around it and without a lock: one statement if such a session was started before,
 * otherwise two. It is for a right PIN without failures before it. The statement that writes checks once more what may have
 * changed in between. Everything else answers undefined, and `startSession` decides.
 */
export const startSessionAtOnce: Shortcut<typeof Start> = async (call) => {
  const { body, now } = call
  const guesser = guesserOf(body.externalIp)
  const end = beginUnlockedAttempt(body.serverId, guesser, now)
  if (!end) return undefined
  let session: NewSession | undefined
  try {
    session = (await startFromMemory(call, guesser)) ?? (await startFromFacts(call, guesser))
  } finally {
    end(session !== undefined)
  }
  return session && answerOf(session)
}

async function startFromMemory(call: StartCall, guesser: string): Promise<NewSession | undefined> {
  const { body, services, now } = call
  const facts = recallStart(services.pool, body)
  const first = facts && findFirstWithUnits(ratedOrder(facts, now))
  const beginning = first && toBeginning(facts, first.entitlement)
  if (!beginning) return undefined
  const session = toSession(call, facts, beginning)
  const isStarted = await insertSessionRelying(services, session, {
    guesser,
    termsVersion: facts.terms_version,
    catalogVersion: facts.catalog_version,
    usedUp: first.usedUp.map(({ activationId }) => activationId),
  })
  return isStarted ? session : undefined
}

async function startFromFacts(call: StartCall, guesser: string): Promise<NewSession | undefined> {
  const { body, services, now } = call
  const facts = await findStartFactsPlanned(services, { ...body, guesser, now })
  const decision = facts && !facts.failures ? decideStart(facts, call) : undefined
  if (!facts || !decision || 'reason' in decision) return undefined
  const session = toSession(call, facts, decision)
  if (!(await insertSessionPlanned(services, session, guesser))) return undefined
  rememberStart(services.pool, body, facts)
  return session
}

/** Every other start: PINs that were wrong, refusals, and calls with an Idempotency-Key. */
export const startSession: Handler<typeof Start> = async (call) => {
  const { body, db, now } = call
  const guesser = guesserOf(body.externalIp)
  await lockPinAttempts(db, body.serverId, guesser)
  const facts = await findStartFacts(db, { ...body, guesser, now })
  if (!facts) throw unknownServer()
  const decision = decideStart(facts, call)
  if ('reason' in decision) return refuseStart(call, facts, guesser, decision)
  if (facts.failures) await deletePinFailures(db, toFailureKey(facts, body.serverId, guesser))
  const session = toSession(call, facts, decision)
  if (!(await insertSession(db, session))) throw unknownServer()
  return answerOf(session)
}

/** No account could see a denial, so none is written. The answer does not tell a guesser that the server is unknown. */
const unknownServer = () => new BusinessRefusal('WRONG_PIN', SESSION_REFUSALS.WRONG_PIN)

type Refused = { readonly reason: SessionRefusal; readonly hint?: string }
type Beginning = { readonly entitlement: Drawable; readonly unitsPerHour: string; readonly feature: string }

/** The checks come in the order of the refusals: nobody without the PIN learns what an account allows. */
function decideStart(facts: StartFacts, { body, now }: StartCall): Refused | Beginning {
  const { failures, failed_at } = facts
  if (!isExportApproved(facts.export_control_status)) return { reason: 'EXPORT' }
  const until = isRefusedUntil(failures && failed_at ? { failures, failedAt: failed_at } : undefined, now)
  if (until) return { reason: 'LOCKED', hint: `Try again after ${until.toISOString()}.` }
  const admission = checkAdmission(facts, body)
  if (!admission.admitted) return { reason: admission.reason === 'UNKNOWN_SERVER' ? 'WRONG_PIN' : admission.reason }
  return findBalance(facts, now)
}

function findBalance(facts: StartFacts, now: Date): Refused | Beginning {
  const rated = ratedOrder(facts, now)
  const isRated = rated.length > 0 || drawOrderOf(facts, now).length === 0
  if (!facts.rates || !isRated) return { reason: 'UNKNOWN_PRODUCT' }
  const entitlement = findBeginning(rated, new Map(Object.entries(facts.accrued)))
  return (entitlement && toBeginning(facts, entitlement)) ?? { reason: 'NO_BALANCE' }
}

const drawOrderOf = ({ entitlements, time_zone }: StartFacts, now: Date) =>
  drawOrder(entitlements, dayOf(time_zone, now))

/** Those of today that have a rate for the product. */
const ratedOrder = (facts: StartFacts, now: Date) =>
  drawOrderOf(facts, now).filter(({ rateTableVersion }) => facts.rates?.unitsPerHour[rateTableVersion] !== undefined)

function toBeginning({ rates }: StartFacts, entitlement: Drawable): Beginning | undefined {
  const unitsPerHour = rates?.unitsPerHour[entitlement.rateTableVersion]
  return rates && unitsPerHour !== undefined ? { entitlement, unitsPerHour, feature: rates.feature } : undefined
}

const toSession = (
  { body, now }: StartCall,
  { customer_number }: StartFacts,
  { entitlement, unitsPerHour, feature }: Beginning,
): NewSession => ({
  customerNumber: customer_number,
  serverId: body.serverId,
  sessionId: formatSessionId(customer_number, randomUUID()),
  startedAt: now,
  product: body.product,
  productVersion: body.version ?? '',
  productCount: body.count,
  feature,
  userName: body.username,
  host: body.host,
  project: body.project || null,
  externalIp: body.externalIp,
  rateTableVersion: entitlement.rateTableVersion,
  activationId: entitlement.activationId,
  currency: entitlement.currency,
  unitsPerHour,
})

const answerOf = ({ sessionId }: NewSession) => ({ data: { sessionId, heartbeatSeconds: HEARTBEAT_SECONDS } })

const toFailureKey = ({ customer_number }: StartFacts, server_id: string, external_ip: string) => ({
  customer_number,
  server_id,
  external_ip,
})

async function refuseStart(
  call: Call<typeof Start>,
  facts: StartFacts,
  guesser: string,
  { reason, hint }: Refused,
): Promise<never> {
  const { body, services, now } = call
  if (reason !== 'WRONG_PIN') throw await denied(call, facts, reason, hint)
  // Kept although this call's own transaction is rolled back.
  const count = await addPinFailure(services.pools.access.db, toFailureKey(facts, body.serverId, guesser), now)
  return call.refuse(await denied(call, facts, 'WRONG_PIN'), {
    customerNumber: facts.customer_number,
    target: body.serverId,
    after: { externalIp: body.externalIp, failures: count, locked: isLocked(count) },
  })
}

/** Writes the denial, which stays although the call's transaction is rolled back, and answers the refusal to throw. */
async function denied(
  { body, services, now }: StartCall,
  { customer_number }: StartFacts,
  reason: SessionRefusal,
  hint?: string,
): Promise<BusinessRefusal> {
  await insertDenial(services.pools.access.db, {
    customer_number,
    denied_at: now,
    reason,
    server_id: body.serverId,
    product: body.product,
    product_count: body.count,
    user_name: body.username,
    host: body.host,
    project: body.project || null,
    product_version: body.version ?? '',
    external_ip: body.externalIp,
  })
  const text = SESSION_REFUSALS[reason]
  return new BusinessRefusal(reason, hint ? `${text} ${hint}` : text)
}
