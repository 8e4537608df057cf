import { type HostFulfillment, seatsOf } from '#domain/activations/seats/activation-row.ts'
import type { SeatChange } from '#domain/activations/seats/seat-changes.ts'

/**
 * The wanted seats of a customer on one host, in absolute terms: which fulfillments are returned, and how many seats there
 * are apart from them. The difference to the ledger is what is left to do, so it can be computed again after an interruption.
 */
export type SeatGoal = {
  readonly customerNumber: string
  readonly customerName: string
  readonly returned: readonly { readonly activationId: string; readonly fulfillmentId: string }[]
  readonly wanted: readonly { readonly activationId: string; readonly seats: number }[]
}

/** What a customer holds on a host now: net seats per fulfillment. */
export type HeldSeats = HostFulfillment & { readonly customerNumber: string; readonly activationId: string }

/** An id and a signed count, as the calls take them: a fulfillment to return (negative), or an entitlement to activate. */
export type FulfillmentOperation = { readonly id: string; readonly count: number }

type Customer = Pick<SeatGoal, 'customerNumber' | 'customerName'>

/** One goal per customer, also for those whose seats stay as they are. */
export function seatGoals(customers: readonly Customer[], changes: readonly SeatChange[]): SeatGoal[] {
  return customers.map(({ customerNumber, customerName }) => {
    const own = changes.filter((change) => change.isTicked && change.customerNumber === customerNumber)
    const returned = own
      .filter(({ kind }) => kind === 'deactivate')
      .flatMap(({ activationid, fulfillments }) =>
        fulfillments.map(({ FulfillmentID }) => ({ activationId: activationid, fulfillmentId: FulfillmentID })),
      )
    const leaving = new Set(returned.map(({ fulfillmentId }) => fulfillmentId))
    const wanted = own
      .filter(({ kind }) => kind === 'activate')
      .map(({ activationid, fulfillments, count }) => {
        const staying = fulfillments.filter(({ FulfillmentID }) => !leaving.has(FulfillmentID))
        return { activationId: activationid, seats: seatsOf(staying) + count }
      })
    return { customerNumber, customerName, returned, wanted }
  })
}

/** What is still to be returned, given what the customer holds now. */
export function operationsToReturn({ returned }: SeatGoal, held: readonly HeldSeats[]): FulfillmentOperation[] {
  const counts = new Map(held.map(({ FulfillmentID, FulfillCount }) => [FulfillmentID, FulfillCount]))
  return returned
    .map(({ fulfillmentId }) => ({ id: fulfillmentId, count: -(counts.get(fulfillmentId) ?? 0) }))
    .filter(({ count }) => count < 0)
}

/** What is still to be activated, given what the customer holds now. */
export function operationsToCreate({ returned, wanted }: SeatGoal, held: readonly HeldSeats[]): FulfillmentOperation[] {
  const leaving = new Set(returned.map(({ fulfillmentId }) => fulfillmentId))
  const staying = held.filter(({ FulfillmentID }) => !leaving.has(FulfillmentID))
  return wanted
    .map(({ activationId, seats }) => {
      const there = seatsOf(staying.filter((one) => one.activationId === activationId))
      return { id: activationId, count: seats - there }
    })
    .filter(({ count }) => count > 0)
}
