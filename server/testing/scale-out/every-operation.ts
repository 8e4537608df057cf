import { OPERATIONS, type OperationName } from '#contract/operations.ts'
import type { Portal } from '#server/testing/portal.ts'
import { ROWS, SAMPLES } from '#server/testing/samples/samples.ts'
import { type Around, FIRST, startWalk } from '#server/testing/samples/walk.ts'

/**
 * Calls every operation, about two accounts of the demo data, so that it does what it is for: what a call needs is made by the
 * calls before it. Only calls are made, each a second after the other, so that the answers of two portals with the same data
 * can be compared. An operation that needs nothing gets the sample of its row in the access matrix.
 */
export async function callEveryOperation(portal: Portal, around: Around): Promise<void> {
  const walk = await startWalk(portal, around)
  for (const samples of SAMPLES) await samples.walk?.(walk)
  // Writes first: then there is something to read.
  for (const operation of OPERATIONS.toSorted((one, other) => Number(other.writes) - Number(one.writes)))
    if (!walk.called.has(operation.name))
      await walk.call(operation.name as OperationName, ROWS[operation.name]?.sample(FIRST) ?? {})
}
