import type { Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'
import { findLogTime, type HostKey } from '#server/modules/license-use/logs/log.queries.ts'
import { moved } from '#server/modules/license-use/logs/log-rows.ts'
import {
  countSums,
  lockSums,
  sumDays,
  sumHours,
  tryLockSums,
  type Window,
} from '#server/modules/license-use/use/sums.queries.ts'
import { defineJob } from '#server/tasks/job.ts'
import type { JobSender } from '#server/tasks/job-sender.ts'

/** A report waits for sums of so many rows. Thousands of seats that are out for months have millions. */
const MAX_ROWS = 20_000

type Times = Window & { readonly only?: 'hours' | 'days' | undefined }

/**
 * Sums times again. Where that takes long, or while a job sums the same license server, it is left to a job, which makes the same
 * sums. Without `jobs` nobody waits for it, and it is done at once.
 */
export async function sumTimes(
  tx: Transaction<DB>,
  { key, jobs }: { readonly key: HostKey; readonly jobs: JobSender | null },
  times: Times,
  known: string | null,
): Promise<void> {
  if (times.from > times.to) return
  if (!jobs) await lockSums(tx, key)
  else if (!(await tryLockSums(tx, key)) || (await isLong(tx, key, times)))
    return jobs.send(tx, sumsJob, { ...key, ...times })
  if (times.only !== 'days') await sumHours(tx, key, times, known)
  if (times.only !== 'hours') await sumDays(tx, key, times, known)
}

async function isLong(tx: Transaction<DB>, key: HostKey, { only, ...window }: Times): Promise<boolean> {
  const { hours, days } = await countSums(tx, key, window)
  return (only === 'days' ? 0 : hours) + (only === 'hours' ? 0 : days) > MAX_ROWS
}

/**
 * Makes the sums of one day, or of one hour if so many features were in use, and sends itself on to the next, so that those of other
 * license servers get their turn. Reports do not wait for it: what they change meanwhile is summed after it.
 */
export const sumsJob = defineJob<HostKey & Times>({
  queue: 'license-use-sums',
  options: { retryLimit: 20, retryBackoff: true },
  async run({ from, to, only, ...key }, { db, jobs }) {
    await db.transaction().execute(async (tx) => {
      await allowLongWork(tx)
      await lockSums(tx, key)
      const known = await findLogTime(tx, key)
      const day = { from, to: earliest(`${from.slice(0, 10)} 23:59:59`, to) }
      const isByHour = only !== 'days' && (await isLong(tx, key, { ...day, only: 'hours' }))
      const slice = isByHour ? { from, to: earliest(`${from.slice(0, 13)}:59:59`, to) } : day
      if (only !== 'days') await sumHours(tx, key, slice, known)
      if (only !== 'hours' && slice.to === day.to) await sumDays(tx, key, slice, known)
      if (slice.to < to) await jobs.send(tx, sumsJob, { ...key, from: moved(slice.to, 1), to, only })
    })
  },
})

const earliest = (one: string, other: string) => (one < other ? one : other)
