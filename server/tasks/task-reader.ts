import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '#server/services.ts'
import { findWritten } from '#server/turns/replica.queries.ts'

/** A replica that is this far behind, in milliseconds, is not worth the wait. */
const PATIENCE = 1_000
const BETWEEN_TRIES = 100

/** Where a task reads: on the replica once it has everything that was written before the task began, or on the primary. */
export async function taskReader({ db, lists, pools, replica }: Services): Promise<Pick<Services, 'db' | 'lists'>> {
  if (!replica) return { db, lists }
  const { written } = await findWritten(pools.access.db)
  for (let waited = 0; waited < PATIENCE; waited += BETWEEN_TRIES) {
    if (await replica.lend(written)) return replica
    await sleep(BETWEEN_TRIES)
  }
  return { db, lists }
}
