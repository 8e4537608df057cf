import { randomUUID } from 'node:crypto'
import type { startWebCheckout as Start } from '#contract/web-licenses/web-checkouts.ts'
import { isExportApproved } from '#domain/access/can.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { formatSessionId, HEARTBEAT_SECONDS, oldestHeartbeat } from '#domain/elastic/sessions/session-life.ts'
import { normalizedEmail } from '#domain/settings/email-address.ts'
import { CHECKOUT_REFUSALS, type CheckoutRefusal, chooseEntitlement } from '#domain/web-licenses/checkout.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import {
  endSilentCheckouts,
  findCheckoutAccount,
  insertCheckout,
  lockProductEntitlements,
  lockRunningCounts,
  type ProductEntitlement,
} from '#server/modules/web-licenses/checkouts.queries.ts'
import { insertWebDenial } from '#server/modules/web-licenses/web-denials.queries.ts'
import { writeDenial } from '#server/modules/webhooks/webhooks.public.ts'
import type { Call, Handler } from '#server/operations/route.ts'

type StartCall = Call<typeof Start>

export const startWebCheckout: Handler<typeof Start> = async (call) => {
  const { body, db, now } = call
  const { customerNumber, product } = body
  const email = normalizedEmail(body.username)
  const account = await findCheckoutAccount(db, customerNumber)
  // Without an account, nobody could see the denial.
  if (!account) throw new HttpError(404, 'No such account')
  if (!isExportApproved(account.exportControlStatus)) throw await denied(call, email, 'EXPORT')
  const entitlements = await lockProductEntitlements(db, { customerNumber, product, email })
  const today = dayIn(account.timeZone, now)
  const choice = await choose(call, entitlements, today)
  if ('refusal' in choice) throw await denied(call, email, choice.refusal)
  const { activationId, kind } = choice.entitlement
  const checkoutId = formatSessionId(customerNumber, randomUUID())
  await insertCheckout(db, {
    customer_number: customerNumber,
    checkout_id: checkoutId,
    activation_id: activationId,
    product,
    kind,
    email,
    host: body.host,
    product_version: body.version ?? '',
    external_ip: body.externalIp ?? null,
    started_at: now,
    last_heartbeat_at: now,
  })
  return { data: { checkoutId, activationId, heartbeatSeconds: HEARTBEAT_SECONDS } }
}

/** Ends checkouts without heartbeats before a user is denied, so that their seats are free. */
async function choose({ body, db, now }: StartCall, entitlements: readonly ProductEntitlement[], today: string) {
  const { customerNumber } = body
  const activationIds = entitlements.filter(({ isAssigned }) => isAssigned).map((one) => one.activationId)
  const chooseNow = async () => {
    const running = await lockRunningCounts(db, customerNumber, activationIds)
    const withRunning = entitlements.map((one) => ({ ...one, running: running.get(one.activationId) ?? 0 }))
    return chooseEntitlement(withRunning, today)
  }
  const choice = await chooseNow()
  if (!('refusal' in choice) || choice.refusal !== 'NO_SEAT') return choice
  const ended = await endSilentCheckouts(db, customerNumber, { activationIds, now, oldest: oldestHeartbeat(now) })
  return ended > 0 ? chooseNow() : choice
}

/**
 * Writes the denial in a separate transaction, which stays when the call's is rolled back, and returns the refusal to
 * throw.
 */
async function denied(
  { body, services, now }: StartCall,
  email: string,
  reason: CheckoutRefusal,
): Promise<BusinessRefusal> {
  const { customerNumber, product, host, externalIp = null } = body
  await services.pools.access.db.transaction().execute(async (tx) => {
    await insertWebDenial(tx, {
      customer_number: customerNumber,
      denied_at: now,
      reason,
      product,
      email,
      host,
      product_version: body.version ?? '',
      external_ip: externalIp,
    })
    await writeDenial(tx, customerNumber, now, {
      type: 'checkout.denied',
      data: { reason, product, username: email, host, externalIp },
    })
  })
  return new BusinessRefusal(reason, CHECKOUT_REFUSALS[reason])
}
