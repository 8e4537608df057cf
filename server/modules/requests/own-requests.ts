import type { Kysely } from 'kysely'
import type { askWebLicense as Ask, OwnRequests, withdrawOwnRequest as Withdraw } from '#contract/requests/requests.ts'
import { isExportApproved } from '#domain/access/can.ts'
import { type Actor, isWithinReach } from '#domain/access/standing.ts'
import { DEFAULT_RULES, mayAsk } from '#domain/requests/request.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { findStandings } from '#server/modules/accounts/accounts.public.ts'
import { ask } from '#server/modules/requests/ask-request.ts'
import { NO_SUCH_REQUEST, toDecided, withdraw } from '#server/modules/requests/decide-request.ts'
import { listRules, listWebRequestsOf, loadRules } from '#server/modules/requests/requests.queries.ts'
import { listWebOffers, listWebUsers, type WebOfferRow } from '#server/modules/web-licenses/web-licenses.public.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** More licenses and requests than anybody reads. */
const MAX_LICENSES = 500
const MAX_REQUESTS = 50

/** What a web user has requested, and the licenses of their accounts that they can request. */
export async function loadOwnRequests(db: Kysely<DB>, actor: Actor, now: Date): Promise<OwnRequests> {
  const isOpen = ({ customer_number }: { customer_number: string }) => isWithinReach(actor, customer_number)
  const rows = (await listWebOffers(db, actor.email, { now, limit: MAX_LICENSES })).filter(isOpen)
  const accounts = Map.groupBy(rows, ({ customer_number }) => customer_number)
  const rules = await listRules(db, [...accounts.keys()])
  const requests = (await listWebRequestsOf(db, actor.email, MAX_REQUESTS)).filter(isOpen)
  const waiting = new Set(requests.filter(({ state }) => state === 'open').map(({ item }) => item))
  const toLicense = ({ activation_id, product_name, is_assigned }: WebOfferRow) => ({
    activationId: activation_id,
    product: product_name,
    isAssigned: is_assigned,
    isRequested: waiting.has(activation_id),
  })
  return {
    offers: [...accounts]
      .filter(([customerNumber]) => mayAsk(rules.get(customerNumber) ?? DEFAULT_RULES, 'web user'))
      .map(([customerNumber, licenses]) => ({
        customerNumber,
        customerName: licenses[0]?.customer_name ?? '',
        licenses: licenses.map(toLicense),
      })),
    requests: requests.map((one) => ({
      customerNumber: one.customer_number,
      id: one.request_id,
      product: one.product,
      state: one.state,
      requestedAt: one.requested_at.toISOString(),
      decision: one.decision,
      grantedProduct: one.granted_product,
      grantedTarget: one.granted_target_name,
    })),
  }
}

const NOT_A_USER = 'You are not a web user of this account, or it does not take requests.'

/** Refuses every account in equal words, so that nobody learns which accounts there are. */
export async function askWebLicense(call: Call<typeof Ask>): Promise<Result<typeof Ask>> {
  const { actor, body, db } = call
  const { customerNumber, activationId, reason } = body
  const account = (await findStandings(db, actor.email, [customerNumber])).get(customerNumber)
  const isUser = (await listWebUsers(db, customerNumber, [actor.email])).has(actor.email)
  const { rules, savedBy } = await loadRules(db, customerNumber)
  const isReached = isWithinReach(actor, customerNumber)
  const isOpen =
    account && isReached && isExportApproved(account.standing.exportControlStatus) && !account.standing.isAccessDisabled
  if (!account || !isOpen || !isUser || !mayAsk(rules, 'web user'))
    return call.refuse(new BusinessRefusal('NO_SUCH_USER', NOT_A_USER), { customerNumber })
  const { standing, timeZone } = account
  const asked = { kind: 'web-license', item: activationId, target: actor.email, quantity: 1, reason } as const
  const request = await ask({ ...call, standing, timeZone }, asked, { rules, ruleOf: savedBy })
  return { data: toDecided(request) }
}

export async function withdrawOwnRequest(call: Call<typeof Withdraw>): Promise<Result<typeof Withdraw>> {
  if (!isWithinReach(call.actor, call.body.customerNumber))
    throw new BusinessRefusal('NO_SUCH_REQUEST', NO_SUCH_REQUEST)
  const withdrawn = await withdraw(call, call.body.customerNumber).catch((error: unknown) => {
    if (!(error instanceof HttpError) || error.statusCode !== 404) throw error
    throw new BusinessRefusal('NO_SUCH_REQUEST', error.message)
  })
  return { data: toDecided(withdrawn) }
}
