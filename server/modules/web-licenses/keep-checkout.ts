import type { checkInWebLicense as CheckIn, keepWebCheckout as Keep } from '#contract/web-licenses/web-checkouts.ts'
import { isExportApproved } from '#domain/access/can.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { customerOfSession, HEARTBEAT_SECONDS, oldestHeartbeat } from '#domain/elastic/sessions/session-life.ts'
import { EXPIRED, remainingDays } from '#domain/entitlements/term.ts'
import { CHECKOUT_REFUSALS } from '#domain/web-licenses/checkout.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import {
  endCheckout,
  endSilentCheckouts,
  findCheckout,
  listAccountsWithSilentCheckouts,
  saveCheckoutHeartbeat,
} from '#server/modules/web-licenses/checkouts.queries.ts'
import type { Handler } from '#server/operations/route.ts'
import type { Services } from '#server/services.ts'
import { ofAccounts, tryEach } from '#server/tasks/try-each.ts'

const noSuchCheckout = () => new HttpError(404, 'No such checkout')
const keyOf = (checkoutId: string) => ({ customerNumber: customerOfSession(checkoutId), checkoutId })

/** A refused heartbeat is not saved: the checkout ends 15 minutes after the last accepted one. */
export const keepWebCheckout: Handler<typeof Keep> = async ({ params: { checkoutId }, db, now }) => {
  const kept = await saveCheckoutHeartbeat(db, keyOf(checkoutId), { now, oldest: oldestHeartbeat(now) })
  if (!kept) {
    if (!(await findCheckout(db, keyOf(checkoutId)))) throw noSuchCheckout()
    throw new BusinessRefusal('CHECKOUT_ENDED', 'This checkout is over. Start a new one.')
  }
  if (!isExportApproved(kept.exportControlStatus)) throw new BusinessRefusal('EXPORT', CHECKOUT_REFUSALS.EXPORT)
  if (remainingDays(kept.term, dayIn(kept.timeZone, now)) === EXPIRED)
    throw new BusinessRefusal('ENTITLEMENT_EXPIRED', CHECKOUT_REFUSALS.ENTITLEMENT_EXPIRED)
  return { data: { heartbeatSeconds: HEARTBEAT_SECONDS } }
}

/** Always possible, regardless of changes on the account since the checkout. */
export const checkInWebLicense: Handler<typeof CheckIn> = async ({ params: { checkoutId }, db, now }) => {
  const ended = (await endCheckout(db, keyOf(checkoutId), now)) ?? (await findCheckout(db, keyOf(checkoutId)))
  if (!ended) throw noSuchCheckout()
  return { data: { status: ended.status, hours: ended.hours ?? 0 } }
}

/** Ends checkouts 15 minutes after their last heartbeat, one account after the other. */
export async function closeSilentCheckouts({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const oldest = oldestHeartbeat(now)
  await tryEach(
    await listAccountsWithSilentCheckouts(db, oldest),
    { ...ofAccounts, complaint: 'silent checkouts could not be closed' },
    (customerNumber) => db.transaction().execute((tx) => endSilentCheckouts(tx, customerNumber, { now, oldest })),
  )
}
