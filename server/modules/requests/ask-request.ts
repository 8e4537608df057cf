import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { askRequest as operation } from '#contract/requests/requests.ts'
import { can } from '#domain/access/can.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { EXPIRED, remainingDays } from '#domain/entitlements/term.ts'
import {
  expiryOf,
  isApprovedByRule,
  MAX_OPEN,
  mayAsk,
  NOBODY_MAY_ASK,
  READ_ACTIONS,
  type RequestRules,
  WRITE_ACTIONS,
} from '#domain/requests/request.ts'
import { EMAIL_FORMAT, readEmail } from '#domain/settings/email-address.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { requireHostName } from '#server/modules/activations/activations.public.ts'
import { lockEntitlements } from '#server/modules/entitlements/entitlements.public.ts'
import { requireOffer } from '#server/modules/fsa/fsa.public.ts'
import { toDecided } from '#server/modules/requests/decide-request.ts'
import { performRequest, type RequestCall, type Wanted } from '#server/modules/requests/perform-request.ts'
import { requestFacts } from '#server/modules/requests/request-facts.ts'
import { mailAdministrators, mailRequester } from '#server/modules/requests/request-mail.ts'
import {
  closeRequest,
  countOpenRequestsOf,
  insertRequest,
  loadRules,
  lockRequestsOf,
  type RequestRow,
} from '#server/modules/requests/requests.queries.ts'
import { lockSeatEntitlements } from '#server/modules/web-licenses/web-licenses.public.ts'
import type { Call, Result } from '#server/operations/route.ts'

export async function askRequest(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, standing } = call
  const { rules, savedBy } = await loadRules(call.db, standing.customerNumber)
  if (!mayAsk(rules, 'contact')) await call.refuse(new HttpError(403, NOBODY_MAY_ASK))
  const decision = can(actor, READ_ACTIONS[body.kind], standing)
  if (!decision.allowed) await call.refuse(new HttpError(403, decision.reason))
  if (can(actor, WRITE_ACTIONS[body.kind], standing).allowed)
    throw new BusinessRefusal('NO_REQUEST_NEEDED', 'You may do this yourself. Nobody needs to approve it.')
  return { data: toDecided(await ask(call, body, { rules, ruleOf: savedBy })) }
}

type Asked = Wanted & { readonly reason: string }

/** Stores a request, and approves it if a rule says so and nothing refuses the act. Administrators are told either way. */
export async function ask(
  call: RequestCall,
  asked: Asked,
  { rules, ruleOf }: { readonly rules: RequestRules; readonly ruleOf: string | null },
): Promise<RequestRow> {
  const { actor, db, now, services, standing } = call
  const { customerNumber } = standing
  // Before the locks of what is wanted, which approvals take as well.
  await lockRequestsOf(db, customerNumber, actor.email)
  const wanted = await checkWanted(call, asked)
  if ((await countOpenRequestsOf(db, customerNumber, actor.email)) >= MAX_OPEN)
    throw new BusinessRefusal(
      'TOO_MANY_OPEN_REQUESTS',
      `You have ${MAX_OPEN} open requests. Withdraw some of them first.`,
    )
  const request = await insertRequest(db, {
    customer_number: customerNumber,
    request_id: randomUUID(),
    kind: asked.kind,
    state: 'open',
    item: wanted.item,
    product: wanted.product,
    target: wanted.target,
    target_name: wanted.targetName,
    quantity: wanted.quantity,
    reason: asked.reason,
    requested_by: actor.email,
    requested_at: now,
    expires_at: expiryOf(rules, now),
  })
  if (!request)
    throw new BusinessRefusal('ALREADY_REQUESTED', 'You have asked for this already. It is not decided yet.')
  const { kind, item, product, target, quantity, reason } = request
  const after = { ...requestFacts(request), kind, item, product, target, quantity, reason }
  await call.audit({ customerNumber, target: request.request_id, after })
  const approved = ruleOf !== null && (await approveByRule(call, request, { rules, ruleOf }))
  if (approved) return approved
  await mailAdministrators(db, services, request, 'asked')
  return request
}

/** Undefined if no rule applies, or if the act is refused: then the request waits for a person. */
async function approveByRule(
  call: RequestCall,
  request: RequestRow,
  { rules, ruleOf }: { readonly rules: RequestRules; readonly ruleOf: string },
): Promise<RequestRow | undefined> {
  const { db, now, services } = call
  const { kind, item, target, quantity, requested_by } = request
  if (!isApprovedByRule(rules, kind)) return undefined
  // A person gets a license by rule for themselves only.
  if (kind === 'web-license' && target !== requested_by) return undefined
  await sql`savepoint act`.execute(db)
  try {
    await performRequest(call, { ...request, ruleOf }, { kind, item, target, quantity })
  } catch (error) {
    if (!(error instanceof BusinessRefusal)) throw error
    await sql`rollback to savepoint act`.execute(db)
    return undefined
  }
  const approved = await closeRequest(db, request, {
    state: 'approved',
    decided_by: ruleOf,
    decided_at: now,
    is_by_rule: true,
    granted_quantity: quantity,
  })
  await mailRequester(db, services, { ...approved, state: 'approved' })
  await mailAdministrators(db, services, approved, 'approved by rule')
  return approved
}

type CheckedWanted = Wanted & { readonly product: string; readonly targetName: string }

/** Refuses what nobody could approve. Free seats are not checked: administrators can make room. */
async function checkWanted(call: RequestCall, { kind, item, target, quantity }: Asked): Promise<CheckedWanted> {
  const { db, now, standing, timeZone } = call
  const { customerNumber } = standing
  switch (kind) {
    case 'web-license': {
      const email = readEmail(target)
      if (email === undefined) throw new BusinessRefusal('INVALID_EMAIL', EMAIL_FORMAT)
      const license = (await lockSeatEntitlements(db, customerNumber, [item])).get(item)
      if (!license) throw new BusinessRefusal('NO_SUCH_ACTIVATION', 'The account has no such web license.')
      if (remainingDays(license.term, dayIn(timeZone, now)) === EXPIRED)
        throw new BusinessRefusal('ENTITLEMENT_EXPIRED', `${license.product} has expired.`)
      if (license.users.has(email))
        throw new BusinessRefusal('ALREADY_ASSIGNED', `${email} has a license of ${license.product} already.`)
      return { kind, item, target: email, quantity: 1, product: license.product, targetName: email }
    }
    case 'seats': {
      const host = await requireHostName(call, target)
      const sold = (await lockEntitlements(db, customerNumber, [item])).get(item)
      if (!sold) throw new BusinessRefusal('NO_SUCH_ACTIVATION', `The account has no activation ${item}.`)
      if (sold.kind !== 'SSL' || sold.state !== 'Deployed' || sold.is_manual)
        throw new BusinessRefusal('NOT_ACTIVATABLE', `${sold.product_name} cannot be activated on license servers.`)
      if (remainingDays({ startDate: sold.start_date, endDate: sold.end_date }, dayIn(timeZone, now)) === EXPIRED)
        throw new BusinessRefusal('ENTITLEMENT_EXPIRED', `${sold.product_name} has expired.`)
      return { kind, item, target: host.serverId, quantity, product: sold.product_name, targetName: host.name }
    }
    case 'order': {
      const { contract, product } = await requireOffer(call, { fsaId: target, partNumber: item })
      return { kind, item, target, quantity, product: product.name, targetName: contract.fsaId }
    }
  }
}
