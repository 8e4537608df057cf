import { type orderEntitlements as operation, toWireOrderLine } from '#contract/fsa/order-entitlements.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { findProduct, isOrderable } from '#domain/fsa/contract.ts'
import { blankLine, changeCount, changeProduct } from '#domain/fsa/order-line.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { orderEntitlements } from '#server/modules/fsa/order-entitlements.ts'
import { loadSpendingAccounts } from '#server/modules/fsa/spending-accounts.ts'
import type { Call } from '#server/operations/route.ts'

type OrderCall = Omit<Call<typeof operation>, 'body'>
type Product = { readonly fsaId: string; readonly partNumber: string }
type Terms = { readonly startDate: string; readonly endDate: string; readonly cost: string }

/** A product that a contract of the account offers; refuses what cannot be ordered. */
export async function requireOffer(call: Pick<OrderCall, 'db' | 'now' | 'standing' | 'timeZone'>, wanted: Product) {
  const { db, now, standing, timeZone } = call
  const contracts = await loadSpendingAccounts(db, standing.customerNumber)
  const contract = contracts.find(({ fsaId }) => fsaId === wanted.fsaId)
  if (!contract) throw new HttpError(404, `There is no FSA contract ${wanted.fsaId}`)
  const today = dayIn(timeZone, now)
  if (!isOrderable(contract, today))
    throw new BusinessRefusal('CONTRACT_EXPIRED', `The contract ${contract.fsaId} ended on ${contract.endDate}.`)
  const product = findProduct(contract, wanted.partNumber)
  if (!product) throw new BusinessRefusal('PRODUCT_NOT_OFFERED', `The contract does not offer ${wanted.partNumber}.`)
  return { contract, product, today }
}

/** Orders one product. Without terms, it starts at once and has the longest period that fits. */
export async function orderProduct(call: OrderCall, wanted: Product & { count: number }, terms?: Terms): Promise<void> {
  const { contract, today } = await requireOffer(call, wanted)
  const line = changeCount(changeProduct(blankLine(contract), wanted.partNumber, contract, today), wanted.count)
  const { startDate = line.startDate, endDate = line.endDate, cost = line.cost ?? '' } = terms ?? {}
  const products = [{ ...toWireOrderLine(line), startdate: startDate, enddate: endDate, ansysprice: cost }]
  const { customerNumber } = call.standing
  await orderEntitlements({ ...call, body: { ansyshasfsa: true, customerNumber, fsaID: wanted.fsaId, products } })
}
