import { randomUUID } from 'node:crypto'
import type { startSession as Start } from '#contract/elastic/sessions/elastic-sessions.ts'
import { isExportApproved } from '#domain/access/can.ts'
import { type Drawable, drawOrder, findBeginning, findFirstWithUnits } from '#domain/elastic/balances/draw-charge.ts'
import {
  BRAKED_PACE,
  FAILURES_BEFORE_BRAKE,
  guesserOf,
  isBraked,
  isLocked,
  isRefusedUntil,
} from '#domain/elastic/credentials/pin-guessing.ts'
import { formatSessionId, HEARTBEAT_SECONDS } from '#domain/elastic/sessions/session-life.ts'
import { SESSION_REFUSALS, type SessionRefusal } from '#domain/elastic/sessions/session-refusal.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { mailGuessing } from '#server/modules/elastic/credentials/guessing-mail.ts'
import {
  addPinFailure,
  deletePinFailures,
  insertRightAddress,
  lockPinAttempts,
  type PinCaller,
  takePinTurn,
} from '#server/modules/elastic/credentials/pin-failures.queries.ts'
import { pinTurns } from '#server/modules/elastic/credentials/pin-turns.ts'
import { checkAdmission } from '#server/modules/elastic/sessions/check-admission.ts'
import { insertDenial } from '#server/modules/elastic/sessions/denials.queries.ts'
import { recallStart, rememberStart } from '#server/modules/elastic/sessions/remembered-starts.ts'
import { beginUnlockedAttempt } from '#server/modules/elastic/sessions/start-attempts.ts'
import {
  findStartFacts,
  findStartFactsPlanned,
  type StartFacts,
} from '#server/modules/elastic/sessions/start-facts.queries.ts'
import {
  insertSession,
  insertSessionPlanned,
  insertSessionRelying,
  type NewSession,
} from '#server/modules/elastic/sessions/start-session.queries.ts'
import {
  addUnknownServerFailure,
  countUnknownServerRefusal,
  findUnknownServerCaller,
  takeUnknownServerTurn,
} from '#server/modules/elastic/sessions/unknown-servers.queries.ts'
import { dayOf } from '#server/modules/elastic/usage/day-of.ts'
import type { Call, Handler, Shortcut, ShortcutCall, WaitForTurn } from '#server/operations/route.ts'

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
    session =
      (await startFromMemory(call, guesser)) ?? (await inTurn(call, guesser, () => startFromFacts(call, guesser)))
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
  const decision = facts && !facts.failures && !isSlowed(facts, now) ? decideStart(facts, call) : undefined
  if (!facts || !decision || 'reason' in decision) return undefined
  const session = toSession(call, facts, decision)
  if (!(await insertSessionPlanned(services, session, { guesser, was_right: facts.was_right }))) return undefined
  rememberStart(services.pool, body, facts)
  return session
}

/**
 * Waits for the turn of a start that needs a transaction. It waits without one: guesses that wait for each other on
 * connections would leave none for anybody else.
 */
export const startInTurn: WaitForTurn<typeof Start> = (call, start) =>
  inTurn(call, guesserOf(call.body.externalIp), start)

const inTurn = <R>({ body, reply }: StartCall, guesser: string, start: () => Promise<R>): Promise<R> =>
  pinTurns.run(`${body.serverId} ${guesser}`, reply.raw, start)

/** Every other start: PINs that were wrong, refusals, and calls with an Idempotency-Key. */
export const startSession: Handler<typeof Start> = async (call) => {
  const { body, db, now } = call
  const guesser = guesserOf(body.externalIp)
  await lockPinAttempts(db, body.serverId, guesser)
  const facts = await findStartFacts(db, { ...body, guesser, now })
  if (!facts) return refuseUnknownServer(call, guesser)
  const key = { customer_number: facts.customer_number, server_id: body.serverId, external_ip: guesser }
  const until = await findLockedUntil(facts, now, () => takePinTurn(call.services.pools.access.db, key, now))
  const decision = decideStart(facts, call, until)
  if ('reason' in decision) return refuseStart(call, facts, guesser, decision)
  if (facts.failures) await deletePinFailures(db, key)
  if (!facts.was_right) await insertRightAddress(db, key, now)
  const session = toSession(call, facts, decision)
  if (!(await insertSession(db, session))) return refuseUnknownServer(call, guesser)
  return answerOf(session)
}

/** Somebody guesses the PIN of this server, and this address has not sent the right one before. */
const isSlowed = ({ server_failures, server_since, was_right }: PinCaller, now: Date): boolean =>
  !was_right &&
  isBraked(server_failures && server_since ? { failures: server_failures, since: server_since } : undefined, now)

/** Until when no PIN is accepted. Where attempts are slowed, the caller takes the turn if nobody else has it. */
async function findLockedUntil(
  caller: PinCaller,
  now: Date,
  takeTurn: () => Promise<boolean>,
): Promise<Date | undefined> {
  const { failures, failed_at } = caller
  const until = isRefusedUntil(failures && failed_at ? { failures, failedAt: failed_at } : undefined, now)
  if (until || !isSlowed(caller, now) || (await takeTurn())) return until
  return new Date(now.getTime() + BRAKED_PACE)
}

type Refused = { readonly reason: SessionRefusal; readonly until?: Date }
type Beginning = { readonly entitlement: Drawable; readonly unitsPerHour: string; readonly feature: string }

/** The checks come in the order of the refusals: nobody without the PIN learns what an account allows. */
function decideStart(facts: StartFacts, { body, now }: StartCall, lockedUntil?: Date): Refused | Beginning {
  if (!isExportApproved(facts.export_control_status)) return { reason: 'EXPORT' }
  if (lockedUntil) return { reason: 'LOCKED', until: lockedUntil }
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

/** What is written stays although the call's own transaction is rolled back. */
async function refuseStart(
  call: Call<typeof Start>,
  { customer_number: customerNumber }: StartFacts,
  guesser: string,
  { reason, until }: Refused,
): Promise<never> {
  const { body, services, now } = call
  const { db } = services.pools.access
  const denial = {
    customer_number: customerNumber,
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
  }
  if (reason !== 'WRONG_PIN') {
    await insertDenial(db, denial)
    throw refusal(reason, until)
  }
  const counts = await db.transaction().execute(async (tx) => {
    const added = await addPinFailure(tx, denial, guesser)
    if (added.ofServer === FAILURES_BEFORE_BRAKE)
      await mailGuessing(tx, services, { customerNumber, serverId: body.serverId, now })
    return added
  })
  return call.refuse(refusal(reason), { customerNumber, ...wrongPinEntry(call, counts.ofAddress) })
}

/** Answers as a server with another PIN does. No account could see a denial, so none is written. */
async function refuseUnknownServer(call: Call<typeof Start>, guesser: string): Promise<never> {
  const { body, services, now } = call
  const { serverId } = body
  const { db } = services.pools.access
  const caller = await findUnknownServerCaller(call.db, serverId, guesser)
  const until = await findLockedUntil(caller, now, () => takeUnknownServerTurn(db, serverId, now))
  if (until) {
    await countUnknownServerRefusal(db, serverId)
    throw refusal('LOCKED', until)
  }
  const counts = await db.transaction().execute((tx) => addUnknownServerFailure(tx, { serverId, guesser, now }))
  return call.refuse(refusal('WRONG_PIN'), wrongPinEntry(call, counts.ofAddress))
}

const wrongPinEntry = ({ body }: StartCall, failures: number) => ({
  target: body.serverId,
  after: { externalIp: body.externalIp, failures, locked: isLocked(failures) },
})

const refusal = (reason: SessionRefusal, until?: Date): BusinessRefusal => {
  const text = SESSION_REFUSALS[reason]
  return new BusinessRefusal(reason, until ? `${text} Try again after ${until.toISOString()}.` : text)
}
