import type { Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { noteStatus, replaceStatus, saveSample } from '#server/modules/license-use/lmstat/lmstat.queries.ts'
import type { StatusAnswer } from '#server/modules/license-use/lmstat/status-rows.ts'
import { latestTime, moved } from '#server/modules/license-use/logs/log-rows.ts'
import type { ReadContext } from '#server/modules/license-use/logs/read-log-part.ts'
import { reconcile } from '#server/modules/license-use/logs/reconcile.ts'
import { sumTimes } from '#server/modules/license-use/use/sum-times.ts'
import { MAX_POLL } from '#server/modules/license-use/use/sums.queries.ts'

/**
 * Stores an lmstat output. One that is older than the last one counts as a sample of use, but does not change who holds seats
 * now. A failed poll says nothing about seats, so it changes none.
 */
export async function storeStatus(
  tx: Transaction<DB>,
  context: ReadContext,
  read: StatusAnswer,
): Promise<'stored' | 'older' | 'failed'> {
  const { key, logAt, statusAt: known } = context
  const { features, holders, seen, polls, ...unread } = read
  const isAhead = read.statusAt !== null && read.statusAt > latestTime(context.now)
  const statusAt = isAhead ? null : read.statusAt
  const failure = isAhead ? 'The output is dated more than one day ahead.' : read.failure
  const isOlder = statusAt !== null && known !== null && statusAt < known
  if (failure !== null || statusAt === null) {
    if (isOlder) return 'older'
    await noteStatus(tx, key, { ...unread, statusAt: null, error: failure ?? 'The output has no date.' })
    return 'failed'
  }
  if (!isOlder) {
    await replaceStatus(tx, key, { statusAt, features, holders })
    await noteStatus(tx, key, { ...unread, statusAt, error: null })
  }
  const seenFrom = await saveSample(tx, key, { at: statusAt, polls, seen })
  const isGone = !isOlder && (await reconcile(tx, context, statusAt))
  if (isGone && logAt) await sumTimes(tx, context, { from: statusAt, to: logAt }, logAt)
  // The output before this one speaks for the time up to it, and this one for the time up to the next.
  if (known !== null && known < statusAt) await sumTimes(tx, context, { from: known, to: known, only: 'hours' }, logAt)
  const around = { from: moved(statusAt, -MAX_POLL), to: moved(statusAt, MAX_POLL), only: 'hours' } as const
  await sumTimes(tx, context, around, logAt)
  if (seenFrom !== null) await sumTimes(tx, context, { from: seenFrom, to: statusAt, only: 'days' }, logAt)
  return isOlder ? 'older' : 'stored'
}
