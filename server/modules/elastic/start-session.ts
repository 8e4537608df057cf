import { randomUUID } from 'node:crypto'
import type { startSession as Start } from '#contract/elastic/elastic-sessions.ts'
import { isExportApproved } from '#domain/access/can.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { drawOrder, findBeginning } from '#domain/elastic/draw-charge.ts'
import { guesserOf, isLocked, isRefusedUntil } from '#domain/elastic/pin-guessing.ts'
import { formatSessionId, HEARTBEAT_SECONDS } from '#domain/elastic/session-life.ts'
import { SESSION_REFUSALS, type SessionRefusal } from '#domain/elastic/session-refusal.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { checkAdmission } from '#server/modules/elastic/check-admission.ts'
import { insertDenial } from '#server/modules/elastic/denials.queries.ts'
import { addPinFailure, deletePinFailures, lockPinAttempts } from '#server/modules/elastic/pin-failures.queries.ts'
import { findSessionFacts, type SessionFacts } from '#server/modules/elastic/sessions.queries.ts'
import { insertSession } from '#server/modules/elastic/usage-booking.queries.ts'
import type { Call, Handler } from '#server/operations/route.ts'

type StartCall = Call<typeof Start>

/** The checks come in the order of the refusals: nobody without the PIN learns what an account allows. */
export const startSession: Handler<typeof Start> = async (call) => {
  const { body, db, now } = call
  const guesser = guesserOf(body.externalIp)
  await lockPinAttempts(db, body.serverId, guesser)
  const facts = await findSessionFacts(db, { ...body, guesser, now })
  // There is no account that could see the denial. Whoever guesses learns no more than that something is wrong.
  if (!facts) throw new BusinessRefusal('WRONG_PIN', SESSION_REFUSALS.WRONG_PIN)
  if (!isExportApproved(facts.export_control_status)) throw await denied(call, facts, 'EXPORT')
  await checkPin(call, facts, guesser)
  const { beginning, unitsPerHour, feature } = await findBalance(call, facts)
  const sessionId = formatSessionId(facts.customer_number, randomUUID())
  await insertSession(
    db,
    {
      customer_number: facts.customer_number,
      server_id: body.serverId,
      session_id: sessionId,
      session_status: 'Active',
      started_at: now,
      product: body.product,
      product_version: body.version ?? '',
      product_count: body.count,
      feature,
      feature_count: body.count,
      user_name: body.username,
      host: body.host,
      project: body.project || null,
      external_ip: body.externalIp,
      acquisition: 'Online',
      rate_table_version: beginning.rateTableVersion,
      currency: beginning.currency,
      arrived_at: now,
    },
    { activation_id: beginning.activationId, units_per_hour: unitsPerHour },
  )
  return { data: { sessionId, heartbeatSeconds: HEARTBEAT_SECONDS } }
}

async function checkPin(call: StartCall, facts: SessionFacts, guesser: string): Promise<void> {
  const { body, db, now, services, refuse } = call
  const { customer_number, failures, failed_at } = facts
  const key = { customer_number, server_id: body.serverId, external_ip: guesser }
  const until = isRefusedUntil(failures && failed_at ? { failures, failedAt: failed_at } : undefined, now)
  if (until) throw await denied(call, facts, 'LOCKED', `Try again after ${until.toISOString()}.`)
  const admission = await checkAdmission(db, body)
  const reason = admission.admitted ? undefined : admission.reason
  if (reason === 'WRONG_PIN' || reason === 'UNKNOWN_SERVER') {
    // Kept although this call's own transaction is rolled back.
    const count = await addPinFailure(services.pools.access.db, key, now)
    const after = { externalIp: body.externalIp, failures: count, locked: isLocked(count) }
    await refuse(await denied(call, facts, 'WRONG_PIN'), {
      customerNumber: customer_number,
      target: body.serverId,
      after,
    })
  } else if (failures) await deletePinFailures(db, key)
  if (reason) throw await denied(call, facts, reason as SessionRefusal)
}

async function findBalance(call: StartCall, facts: SessionFacts) {
  const { now } = call
  const { rates } = facts
  const order = drawOrder(facts.entitlements, dayIn(facts.time_zone, now))
  const rated = order.filter(({ rateTableVersion }) => rates?.unitsPerHour[rateTableVersion] !== undefined)
  if (!rates || (order.length > 0 && rated.length === 0)) throw await denied(call, facts, 'UNKNOWN_PRODUCT')
  const beginning = findBeginning(rated, new Map(Object.entries(facts.accrued)))
  const unitsPerHour = beginning && rates.unitsPerHour[beginning.rateTableVersion]
  if (!beginning || unitsPerHour === undefined) throw await denied(call, facts, 'NO_BALANCE')
  return { beginning, unitsPerHour, feature: rates.feature }
}

/** Writes the denial, which stays although the call's transaction is rolled back, and answers the refusal to throw. */
async function denied(
  { body, services, now }: StartCall,
  { customer_number }: SessionFacts,
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
