import { toWireOrderLine } from '#contract/fsa/order-entitlements.ts'
import type { draftRenewalPlan as operation } from '#contract/planner/planner.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { isOrderable } from '#domain/fsa/contract.ts'
import { durationLabel } from '#domain/fsa/duration.ts'
import { blankLine, changeCount, changeProduct, lineCost, MAX_LINES } from '#domain/fsa/order-line.ts'
import { costText } from '#domain/optimization/seat-cost.ts'
import { seatsToRenew } from '#domain/planner/proposals.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { loadSpendingAccounts, saveDraft } from '#server/modules/fsa/fsa.public.ts'
import { findPlan } from '#server/modules/planner/planner.queries.ts'
import { NO_SUCH_PLAN } from '#server/modules/planner/renewal-plans.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** A draft with the seats to renew of every product that the contract offers, at the prices of today. */
export async function draftRenewalPlan(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { body, db, now, standing, timeZone } = call
  const { customerNumber } = standing
  const plan = await findPlan(db, customerNumber, body.id)
  if (!plan) throw new HttpError(404, NO_SUCH_PLAN)
  const contracts = await loadSpendingAccounts(db, customerNumber)
  const contract = contracts.find(({ fsaId }) => fsaId === body.fsaID)
  if (!contract) throw new HttpError(404, `There is no FSA contract ${body.fsaID}`)
  const today = dayIn(timeZone, now)
  if (!isOrderable(contract, today))
    throw new BusinessRefusal('CONTRACT_EXPIRED', `The contract ${contract.fsaId} ended on ${contract.endDate}.`)
  const offered = new Map(contract.products.map(({ name, partNumber }) => [name, partNumber]))
  const toRenew = plan.lines.map((line) => ({ ...line, seats: seatsToRenew(line) })).filter(({ seats }) => seats > 0)
  const wanted = toRenew.filter(({ product }) => offered.has(product)).slice(0, MAX_LINES)
  if (wanted.length === 0)
    throw new BusinessRefusal('PRODUCT_NOT_OFFERED', 'The contract offers no product of which this plan renews seats.')
  const drafted = wanted.map((planned) => {
    const line = changeProduct(blankLine(contract), offered.get(planned.product) ?? '', contract, today)
    return { planned, line: changeCount(line, planned.seats) }
  })
  const products = drafted.map(({ line }) => toWireOrderLine(line))
  const draft = await saveDraft({
    ...call,
    body: { customerNumber, fsaID: contract.fsaId, name: plan.name, products },
  })
  const isDrafted = new Set(wanted.map(({ product }) => product))
  const left = toRenew.map(({ product }) => product).filter((product) => !isDrafted.has(product))
  const costs = drafted.map(({ planned, line }) => ({
    product: planned.product,
    planned: seatsCostText(planned, planned.seats),
    drafted: seatsCostText({ ...line, duration: line.duration && durationLabel(line.duration) }, planned.seats),
  }))
  const otherCosts = costs.filter((one) => one.planned !== one.drafted)
  return { data: { draftId: draft.data.id, fsaID: contract.fsaId, otherCosts, left } }
}

type Priced = { readonly unitCost: string | null; readonly currency: string | null; readonly duration: string | null }

function seatsCostText({ unitCost, currency, duration }: Priced, seats: number): string {
  if (unitCost === null) return 'no price'
  return costText({ cost: lineCost(unitCost, seats), currency: currency ?? '', duration: duration ?? '' })
}
