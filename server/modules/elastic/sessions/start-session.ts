import { randomUUID } from 'node:crypto'
import type { Insertable, Transaction } from 'kysely'
import type { startSession as Start } from '#contract/elastic/sessions/elastic-sessions.ts'
import { isExportApproved } from '#domain/access/can.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { Balances, type Beginning } from '#domain/elastic/balances/draw-charge.ts'
import {
  BRAKED_PACE,
  FAILURES_BEFORE_BRAKE,
  guesserOf,
  isBraked,
  isLocked,
  isRefusedUntil,
} from '#domain/elastic/credentials/pin-guessing.ts'
import { leastCharge, reachedLimit } from '#domain/elastic/limits/decide-start.ts'
import { isProductAllowed } from '#domain/elastic/limits/product-rules.ts'
import { formatSessionId, HEARTBEAT_SECONDS } from '#domain/elastic/sessions/session-life.ts'
import { SESSION_REFUSALS, type SessionRefusal } from '#domain/elastic/sessions/session-refusal.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { mailGuessing } from '#server/modules/elastic/credentials/guessing-mail.ts'
import {
  type AttemptedServer,
  addPinFailure,
  deletePinFailures,
  insertRightAddress,
  lockPinAttempts,
  type PinCaller,
  takePinTurn,
} from '#server/modules/elastic/credentials/pin-failures.queries.ts'
import type { PinTurns } from '#server/modules/elastic/credentials/pin-turns.ts'
import { lockLimits } from '#server/modules/elastic/limits/limits-lock.queries.ts'
import {
  deniedBy,
  type LimitReached,
  LimitRefusal,
  notifyOfLimit,
} from '#server/modules/elastic/limits/refuse-start.ts'
import { checkAdmission } from '#server/modules/elastic/sessions/check-admission.ts'
import { insertDenial } from '#server/modules/elastic/sessions/denials.queries.ts'
import { loadStartFacts, type StartFacts } from '#server/modules/elastic/sessions/start-facts.queries.ts'
import { insertSession, type NewSession } from '#server/modules/elastic/sessions/start-session.queries.ts'
import {
  addUnknownServerFailure,
  countUnknownServerRefusal,
  findUnknownServerCaller,
  takeUnknownServerTurn,
} from '#server/modules/elastic/sessions/unknown-servers.queries.ts'
import { writeDenial } from '#server/modules/webhooks/webhooks.public.ts'
import type { Call, EarlyCall, Handler, WaitForTurn } from '#server/operations/route.ts'

type StartCall = EarlyCall<typeof Start>

/**
 * Waits for the turn of a start, without a transaction: guesses that wait on connections would leave none for others.
 */
export const startInTurn =
  (turns: PinTurns): WaitForTurn<typeof Start> =>
  ({ body, reply }, start) =>
    turns.run(`${body.serverId} ${guesserOf(body.externalIp)}`, reply.raw, start)

export const startSession: Handler<typeof Start> = async (call) => {
  const { body, db, now } = call
  const guesser = guesserOf(body.externalIp)
  const server = await lockPinAttempts(db, body.serverId, guesser)
  const facts = server && (await loadFacts(call, server, guesser))
  if (!facts) return refuseUnknownServer(call, guesser)
  const key = { customer_number: facts.customer_number, server_id: body.serverId, external_ip: guesser }
  const until = await findLockedUntil(facts, now, () => takePinTurn(call.services.pools.access.db, key, now))
  const decision = decideStart(facts, call, until)
  if ('reason' in decision) return refuseStart(call, facts, guesser, decision)
  if (facts.failures) await deletePinFailures(db, key)
  if (!facts.was_right) await insertRightAddress(db, key, now)
  const session = toSession(call, facts, decision)
  await insertSession(db, session)
  return { data: { sessionId: session.sessionId, heartbeatSeconds: HEARTBEAT_SECONDS } }
}

/** The first limit of an account may be saved while a start is under way: then it waits and reads again. */
async function loadFacts(
  { body, db, now }: Call<typeof Start>,
  { owner: customerNumber, isLimited }: AttemptedServer,
  guesser: string,
): Promise<StartFacts | undefined> {
  const request = { ...body, customerNumber, guesser, now }
  const facts = await loadStartFacts(db, request)
  if (isLimited || !facts || facts.limits.length === 0) return facts
  await lockLimits(db, customerNumber)
  return loadStartFacts(db, request)
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

type Refused = { readonly reason: SessionRefusal; readonly until?: Date; readonly limit?: LimitReached }
type Allowed = Beginning & { readonly feature: string }

/** The checks come in the order of the refusals: nobody without the PIN learns what an account allows. */
function decideStart(facts: StartFacts, { body, now, services }: StartCall, lockedUntil?: Date): Refused | Allowed {
  if (!isExportApproved(facts.export_control_status)) return { reason: 'EXPORT' }
  if (lockedUntil) return { reason: 'LOCKED', until: lockedUntil }
  const refused = checkAdmission(facts, services.secrets, body)
  if (refused) return { reason: refused }
  const { rates, entitlements, accrued, time_zone, limits, product_rules, person } = facts
  if (!rates) return { reason: 'UNKNOWN_PRODUCT' }
  if (!isProductAllowed(product_rules, body.username, body.product)) return { reason: 'PRODUCT_NOT_ALLOWED' }
  const day = dayIn(time_zone, now)
  const beginning = new Balances(entitlements).beginNow(day, rates.unitsPerHour, accrued)
  if (typeof beginning === 'string') return { reason: beginning }
  const { currency } = beginning.entitlement
  const cost = leastCharge({ productCount: body.count, unitsPerHour: beginning.unitsPerHour })
  const names = { user: body.username, project: body.project ?? '', product: body.product, ...person }
  const reached = reachedLimit(limits, { names, day, currency, cost })
  if (reached) return { reason: 'LIMIT', limit: { reached, names, timeZone: time_zone } }
  return { ...beginning, feature: rates.feature }
}

const toSession = (
  { body, now }: StartCall,
  { customer_number }: StartFacts,
  { entitlement, unitsPerHour, feature }: Allowed,
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

/** Written in a separate transaction, which stays when the call's transaction is rolled back. */
async function refuseStart(
  call: Call<typeof Start>,
  { customer_number: customerNumber }: StartFacts,
  guesser: string,
  { reason, until, limit }: Refused,
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
    ...deniedBy(limit),
  }
  if (reason !== 'WRONG_PIN') {
    await db.transaction().execute(async (tx) => {
      await insertDenial(tx, denial)
      await notifyOfDenial(tx, denial)
      if (limit) await notifyOfLimit(tx, customerNumber, now, limit, body)
    })
    throw limit ? new LimitRefusal(limit, now) : refusal(reason, until)
  }
  const counts = await db.transaction().execute(async (tx) => {
    await notifyOfDenial(tx, denial)
    const added = await addPinFailure(tx, denial, guesser)
    if (added.ofServer === FAILURES_BEFORE_BRAKE)
      await mailGuessing(tx, services, { customerNumber, serverId: body.serverId, now })
    return added
  })
  return call.refuse(refusal(reason), { customerNumber, ...wrongPinEntry(call, counts.ofAddress) })
}

function notifyOfDenial(tx: Transaction<DB>, denial: Insertable<DB['elastic_denial']>): Promise<void> {
  const { customer_number, denied_at, reason, server_id, product, product_count, user_name, host } = denial
  const { project = null, external_ip = null } = denial
  const about = { reason, product, username: user_name, host, serverId: server_id, count: product_count }
  return writeDenial(tx, customer_number, new Date(denied_at), {
    type: 'session.denied',
    data: { ...about, project, externalIp: external_ip },
  })
}

/** Answers like a server with another PIN. No account could see a denial, so none is written. */
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
