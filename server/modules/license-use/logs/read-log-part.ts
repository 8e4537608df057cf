import { createHash } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { addDays } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'
import {
  deleteProblems,
  endCheckouts,
  insertCheckouts,
  insertDenials,
  insertLifecycle,
  insertProblems,
  listToJoin,
  noteGranted,
  saveJoined,
} from '#server/modules/license-use/logs/checkouts.queries.ts'
import {
  forgetTimesAfter,
  type HostKey,
  type LogRow,
  lockReport,
  noteLogTime,
  requireMonths,
  saveLog,
  saveUnsummed,
} from '#server/modules/license-use/logs/log.queries.ts'
import { earlier, later, latestTime } from '#server/modules/license-use/logs/log-rows.ts'
import type { LogThreads } from '#server/modules/license-use/logs/log-threads.ts'
import { reconcile } from '#server/modules/license-use/logs/reconcile.ts'
import { findOverlap, markRepeated } from '#server/modules/license-use/logs/repeated.queries.ts'
import { loadUnreadSeal } from '#server/modules/license-use/logs/unread-bytes.seal.ts'
import { loadSecret } from '#server/modules/license-use/pseudonyms.ts'
import { notifyOfDenials } from '#server/modules/license-use/use/notify-of-denials.ts'
import { sumTimes } from '#server/modules/license-use/use/sum-times.ts'
import type { Window } from '#server/modules/license-use/use/sums.queries.ts'
import type { Services } from '#server/services.ts'
import type { JobSender } from '#server/tasks/job-sender.ts'

/** The beginning and the end of what was read are compared in up to so many bytes. */
const COMPARED_BYTES = 64 * 1024

/** What reading needs of the services. */
export type ReadMeans = Pick<Services, 'secrets' | 'logThreads'> & {
  /** Take sums that take long. Null: they are made at once. */
  readonly jobs: JobSender | null
}

export type ReadContext = ReadMeans & {
  readonly key: HostKey
  readonly now: Date
  /** Makes pseudonyms. Null: users are stored by their names. */
  readonly secret: Buffer | null
  /** The time of the last line before this part, over all logs of the license server. */
  readonly logAt: string | null
  /** The time of the last lmstat output. */
  readonly statusAt: string | null
  /** Times whose sums are not made yet. */
  readonly unsummed: Window | null
}

/** `unread`: lines of the part that could not be read. `waiting`: lines that may be read with the next part. */
type ReadPart = { readonly log: LogRow; readonly unread: number; readonly waiting: number }

/**
 * Reads the next part of a log: what it says is stored, the position moves on, and the sums follow. `isWhole`: nothing
 * follows soon. `isLarge`: many parts follow each other, so the sums are left to `sumUnsummed`.
 */
export async function readLogPart(
  tx: Transaction<DB>,
  context: ReadContext,
  log: LogRow,
  content: Buffer,
  { isWhole = false, isLarge = false }: { isWhole?: boolean; isLarge?: boolean } = {},
): Promise<ReadPart> {
  const { key, now, secrets, logThreads, secret, logAt, statusAt, unsummed } = context
  const { seal, open } = await loadUnreadSeal(tx, secrets, key.customerNumber)
  const { state, rest, first_at, last_at } = log
  const logKey = { ...key, number: log.number }
  const read = await logThreads.readLog({
    logKey,
    state,
    rest: open(rest),
    content,
    now,
    secret,
    isWhole,
    firstAt: first_at,
    lastAt: last_at,
  })
  const { firstAt, lastAt } = read
  const unreadBefore = Math.max(0, log.unread_lines - read.waitedCount)
  const saved: LogRow = {
    ...log,
    position: log.position + content.length,
    ...hashesOf(log, content),
    state: read.state,
    rest: seal(Buffer.from(read.rest)),
    first_at: firstAt,
    last_at: lastAt,
    lines: read.lines,
    unread_lines: unreadBefore + read.unread + read.waiting,
  }
  const result = { log: saved, unread: read.unread, waiting: read.waiting }
  await requireMonths(tx, read.months)
  await insertCheckouts(tx, read.checkouts)
  await endCheckouts(tx, logKey, read.returns)
  await notifyOfDenials(tx, key, read.news, now)
  await insertDenials(tx, logKey, read.denials)
  await noteGranted(tx, logKey, read.granted)
  await insertLifecycle(tx, logKey, read.lifecycle)
  await deleteProblems(tx, logKey, read.waited)
  await insertProblems(tx, logKey, read.problems)
  await saveLog(tx, key, saved)
  const { earliest: first, latest: last, hasUnmatched } = read
  const overlap = first && last ? await findOverlap(tx, key, log.number, { from: first, to: last }) : null
  const repeatedFrom = overlap ? await markRepeated(tx, key, overlap) : null
  const isOlder = logAt !== null && lastAt !== null && lastAt < logAt
  const isApart = log.position === 0 || hasUnmatched || isOlder || repeatedFrom !== null
  const joinedFrom = isApart ? await joinWithOthers(tx, key, logThreads) : null
  const isGone = statusAt !== null && (isWhole || !isLarge) && (await reconcile(tx, context, statusAt))
  if (lastAt) await noteLogTime(tx, key, lastAt)
  const known = later(logAt, lastAt)
  const from = [joinedFrom, repeatedFrom, logAt, hasUnmatched ? firstAt : null, isGone ? statusAt : null].reduce(
    earlier,
    first,
  )
  if (!from || !known) return result
  if (isLarge)
    await saveUnsummed(tx, key, {
      from: earlier(from, unsummed?.from ?? null) ?? from,
      to: later(known, unsummed?.to ?? null) ?? known,
    })
  else await sumTimes(tx, context, { from, to: known }, known)
  return result
}

/**
 * Makes the sums that a large file has left: one day in each transaction, so that they go on where they stopped after a crash,
 * and reports that arrive meanwhile need not wait for all of them. While the file is read, the day of its last line is left for later
 * (`isRead` is false). Days are summed soon after their lines are read, because PostgreSQL finds the checkouts of a day among those
 * that returned on it or later.
 */
export async function sumUnsummed(db: Kysely<DB>, key: HostKey, now: Date, { isRead = true } = {}): Promise<void> {
  for (let isLeft = true; isLeft; )
    isLeft = await db.transaction().execute(async (tx) => {
      await allowLongWork(tx)
      const { logAt, unsummed } = await lockTimes(tx, key, now)
      if (!unsummed || !logAt) return false
      if (!isRead && unsummed.from.slice(0, 10) >= logAt.slice(0, 10)) return false
      const endOfDay = `${unsummed.from.slice(0, 10)} 23:59:59`
      const isLastDay = endOfDay >= unsummed.to
      const day = { from: unsummed.from, to: isLastDay ? unsummed.to : endOfDay }
      await sumTimes(tx, { key, jobs: null }, day, logAt)
      await saveUnsummed(tx, key, isLastDay ? null : { from: nextDay(unsummed.from), to: unsummed.to })
      return !isLastDay
    })
}

const nextDay = (time: string) => `${addDays(time.slice(0, 10), 1)} 00:00:00`

/** Holds the license server for this transaction: its reports are stored one after the other. */
export async function lockHost(
  tx: Transaction<DB>,
  { secrets, logThreads, jobs }: ReadMeans,
  key: HostKey,
  now: Date,
): Promise<ReadContext> {
  const times = await lockTimes(tx, key, now)
  const secret = await loadSecret(tx, key.customerNumber)
  return { key, now, secrets, logThreads, secret, jobs, ...times }
}

async function lockTimes(tx: Transaction<DB>, key: HostKey, now: Date) {
  const { unsummedFrom, unsummedTo, ...times } = await lockPossible(tx, key, now)
  return { ...times, unsummed: unsummedFrom && unsummedTo ? { from: unsummedFrom, to: unsummedTo } : null }
}

/** A time that is ahead now was stored while the portal's own clock was, or before such times were left out. */
async function lockPossible(tx: Transaction<DB>, key: HostKey, now: Date) {
  const latest = latestTime(now)
  const locked = await lockReport(tx, key, now)
  const { logAt, statusAt, unsummedTo } = locked
  if (![logAt, statusAt, unsummedTo].some((at) => at !== null && at > latest)) return locked
  await allowLongWork(tx)
  await forgetTimesAfter(tx, key, latest)
  const found = await lockReport(tx, key, now)
  if (found.logAt) await sumTimes(tx, { key, jobs: null }, { from: found.logAt, to: latest }, found.logAt)
  return found
}

async function joinWithOthers(tx: Transaction<DB>, key: HostKey, logThreads: LogThreads): Promise<string | null> {
  const { ended, matched, from } = await logThreads.join(await listToJoin(tx, key))
  await saveJoined(tx, key, { ended, matched })
  return from
}

function hashesOf(log: LogRow, content: Buffer) {
  const isHead = log.position === 0
  const head = content.subarray(0, COMPARED_BYTES)
  const tail = content.subarray(-COMPARED_BYTES)
  return {
    ...(isHead ? { head_hash: sha256(head), head_length: head.length } : {}),
    tail_hash: sha256(tail),
    tail_length: tail.length,
  }
}

export function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
