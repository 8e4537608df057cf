import type { createFulfillments } from '#contract/activations/seats/change-seats.ts'
import type { DataOf } from '#contract/kit/operation.ts'
import { BatchRefusal, type Refusal } from '#server/http/http-error.ts'

export type SeatLine = DataOf<typeof createFulfillments>[number]
type Element = { readonly id: string; readonly count: number }

const NOTHING_DONE: Refusal = { code: 'BATCH_REFUSED', err: 'Nothing of this request was done.' }

/** One refused element refuses the whole request; the answer says which elements it was. */
export function refuseBatch(elements: readonly Element[], refusals: ReadonlyMap<Element, Refusal>): void {
  const [first] = refusals.values()
  if (!first) return
  const lines = elements.map((element): SeatLine => {
    const { code, err } = refusals.get(element) ?? NOTHING_DONE
    return { id: element.id, FulfillCount: element.count, status: 'FAILURE', code, err }
  })
  throw new BatchRefusal(first.code, first.err, lines)
}

export function doneLines(elements: readonly Element[], fulfillmentIds: readonly string[]): SeatLine[] {
  return elements.map(({ id, count }, index) => ({
    id,
    FulfillmentID: fulfillmentIds[index] ?? '',
    FulfillCount: count,
    status: 'SUCCESS',
  }))
}
