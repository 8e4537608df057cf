import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import {
  lineNames,
  type orderEntitlements as operation,
  readOrderLine,
  type WireOrderLine,
} from '#contract/fsa/order-entitlements.ts'
import { can, NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { decideOrder } from '#domain/fsa/check-order.ts'
import { isOrderable, NO_PRODUCTS } from '#domain/fsa/contract.ts'
import { countOf, type OrderLine } from '#domain/fsa/order-line.ts'
import { ORDER_INCOMPLETE, wrongCurrency } from '#domain/fsa/order-texts.ts'
import { toFixedText } from '#domain/money/decimal.ts'
import type { DB } from '#server/db/schema.ts'
import { BatchRefusal, BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { listFsaPrices } from '#server/modules/catalog/catalog.public.ts'
import { insertEntitlements } from '#server/modules/entitlements/entitlements.public.ts'
import { type ContractRow, lockContract } from '#server/modules/fsa/contracts.queries.ts'
import { type DraftRow, lockDraft, removeDraft, updateDraft } from '#server/modules/fsa/drafts.queries.ts'
import { requireRevision } from '#server/modules/fsa/drafts.ts'
import { toContract, toProducts } from '#server/modules/fsa/fsa.mapping.ts'
import { orderMail } from '#server/modules/fsa/order-mail.ts'
import { queueMail } from '#server/modules/messages/messages.public.ts'
import { writeEvents } from '#server/modules/webhooks/webhooks.public.ts'
import type { Call, Result } from '#server/operations/route.ts'

type OrderCall = Call<typeof operation>

/** Decides every line of an order against the locked balance, and books those that can be ordered. */
export async function orderEntitlements(call: OrderCall): Promise<Result<typeof operation>> {
  const { actor, body, db, now, standing, timeZone } = call
  const { customerNumber } = standing
  refuseOtherAccounts(call)
  const isBusops = can(actor, 'fsa.manual-lines', standing).allowed
  const hasManualLines = body.products.some(({ manualentry }) => manualentry)
  if (hasManualLines && !isBusops) await call.refuse(new HttpError(403, NOT_ENOUGH_PERMISSIONS))

  const row = await lockContract(db, customerNumber, body.fsaID)
  if (!row) throw new HttpError(404, `There is no FSA contract ${body.fsaID}`)
  if ((body.ansyscurrency ?? row.currency) !== row.currency) throw new HttpError(400, wrongCurrency(row.currency))
  const today = dayIn(timeZone, now)
  if (!isOrderable({ endDate: row.end_date }, today))
    throw new BusinessRefusal('CONTRACT_EXPIRED', `The contract ${row.fsa_id} ended on ${row.end_date}.`)
  const contract = toContract(row, toProducts(await listFsaPrices(db, [row.currency]), row.currency))
  const draft = await draftToOrder(call, isBusops)
  const isAllManual = body.products.every(({ manualentry }) => manualentry)
  if (contract.products.length === 0 && !isAllManual)
    throw new BusinessRefusal('CONTRACT_WITHOUT_PRODUCTS', NO_PRODUCTS)

  const lines = body.products.map((product) => readOrderLine(product, contract))
  const decision = decideOrder(lines, { contract, today, isBusops, available: row.available })
  const booked = lines.map((line, index) => (decision.errors[index] ? undefined : bookingOf(line, row, call)))
  const results = body.products.map((product, index) => {
    const names = lineNames(product, lines[index]!)
    const error = decision.errors[index]
    if (error) return { ...names, status: 'FAILURE' as const, code: error.code, err: error.message }
    const { entitlement_id, activation_id, price } = booked[index]!
    return {
      ...names,
      ansysprice: price,
      status: 'SUCCESS' as const,
      EntitlementID: entitlement_id,
      ActivationId: activation_id,
    }
  })
  const entitlements = booked.filter((one) => one !== undefined)
  const [firstError] = decision.errors
  if (entitlements.length === 0 && firstError) throw new BatchRefusal(firstError.code, ORDER_INCOMPLETE, results)

  await insertEntitlements(db, entitlements)
  const refused = body.products.filter((_, index) => decision.errors[index])
  if (draft) await leaveInDraft(call, draft, refused)
  const ordered = lines.filter((_, index) => !decision.errors[index])
  await notifyBusinessOperations(call, { contract: row, lines: ordered, ...decision })
  await call.audit({
    target: row.fsa_id,
    before: { available: row.available },
    after: {
      available: decision.balanceAfter,
      lines: entitlements.map(toAudited),
      ...(draft ? { draft: draft.draft_id, draftedBy: draft.saved_by } : {}),
    },
  })
  await notifyWebhooks(call, row, entitlements, decision)
  return { data: results, available: decision.balanceAfter }
}

/** Manual entries are bookings: they are part of the order, and no entitlements. */
async function notifyWebhooks(
  { actor, db, now, standing }: OrderCall,
  { fsa_id, currency }: ContractRow,
  booked: readonly ReturnType<typeof bookingOf>[],
  { totalCost, balanceAfter }: { readonly totalCost: string; readonly balanceAfter: string },
): Promise<void> {
  const lines = booked.map((one) => ({
    activationId: one.activation_id,
    product: one.product_name,
    partNumber: one.part_number,
    quantity: one.line_item_quantity,
    startDate: one.start_date,
    endDate: one.end_date,
  }))
  const added = booked.flatMap(({ is_manual, license_model }, index) =>
    is_manual || !lines[index] ? [] : { ...lines[index], licenseModel: license_model, state: 'Deployed' },
  )
  await writeEvents(db, standing.customerNumber, now, [
    {
      type: 'spending_account.ordered',
      data: {
        fsaId: fsa_id,
        currency,
        cost: totalCost,
        available: balanceAfter,
        lines: lines.map((line, index) => ({ ...line, cost: booked[index]?.price ?? '0.00' })),
        by: actor.email,
      },
    },
    ...added.map((data) => ({ type: 'entitlement.added' as const, data })),
  ])
}

async function draftToOrder({ body, db, standing }: OrderCall, isBusops: boolean): Promise<DraftRow | undefined> {
  if (!body.draft) return undefined
  const found = await lockDraft(db, standing.customerNumber, body.draft.id)
  const draft = requireRevision(found, isBusops, body.draft.revision, { products: body.products })
  if (draft.fsa_id !== body.fsaID) throw new HttpError(400, `The draft is for the contract ${draft.fsa_id}`)
  return draft
}

/** Ordered lines leave the draft; refused ones stay in it. */
async function leaveInDraft({ db }: OrderCall, draft: DraftRow, refused: readonly WireOrderLine[]): Promise<void> {
  if (refused.length === 0) await removeDraft(db, draft)
  else await updateDraft(db, draft, { lines: JSON.stringify(refused) })
}

/** A line for another account is a mistake of the caller, never an order. */
function refuseOtherAccounts({ body, standing }: OrderCall): void {
  const named = [body.accountid, ...body.products.map((product) => product.customerNumber)]
  if (named.some((number) => number !== undefined && number !== standing.customerNumber))
    throw new HttpError(400, 'accountid and products must name the account of customerNumber')
}

function bookingOf(line: OrderLine, contract: ContractRow, { actor, now, standing }: OrderCall) {
  const { customerNumber } = standing
  return {
    customer_number: customerNumber,
    activation_id: randomUUID(),
    entitlement_id: `ENT-${customerNumber}-${randomUUID().slice(0, 8).toUpperCase()}`,
    part_number: line.partNumber ?? '',
    product_name: line.productName,
    license_model: 'FSA',
    type: 'Lease',
    subtype: 'FSA',
    line_item_quantity: countOf(line),
    start_date: line.startDate,
    end_date: line.endDate,
    version_date: line.endDate,
    po_number: contract.po_number,
    order_id: contract.order_id,
    currency: contract.currency,
    price: toFixedText(line.cost ?? 0, 2),
    fsa_id: contract.fsa_id,
    is_manual: line.isManual,
    requester_email: actor.email,
    ordered_at: now,
    created_at: now,
  } satisfies Insertable<DB['entitlement']>
}

function toAudited(one: ReturnType<typeof bookingOf>) {
  return {
    activationId: one.activation_id,
    partNumber: one.part_number,
    product: one.product_name,
    count: one.line_item_quantity,
    startDate: one.start_date,
    endDate: one.end_date,
    cost: one.price,
    isManual: one.is_manual,
  }
}

async function notifyBusinessOperations(
  { actor, db, services, standing }: OrderCall,
  order: { contract: ContractRow; lines: readonly OrderLine[]; totalCost: string; balanceAfter: string },
): Promise<void> {
  if (order.contract.business_operations_emails.length === 0) return
  const account = await loadAccount(db, standing.customerNumber)
  const mail = orderMail({ ...order, account, requestedBy: actor.email }, services.config)
  // Business operations get an email about every order, and an order never fails because of its email.
  await queueMail(db, services, mail, 'no limit')
}
