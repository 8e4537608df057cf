import { createHash } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { hideUsersOfRest } from '#domain/license-use/hidden-users.ts'
import { joinLogs } from '#domain/license-use/joined-logs.ts'
import { absoluteSeconds, formatLocalTime, type LocalTime } from '#domain/license-use/local-time.ts'
import type { LogEvent, LogProblem } from '#domain/license-use/log-events.ts'
import { createLogReader, listWaiting } from '#domain/license-use/log-reader.ts'
import { createLineSplitter } from '#domain/license-use/text-lines.ts'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'
import {
  type CheckoutRow,
  type DenialRow,
  deleteProblems,
  endCheckouts,
  insertCheckouts,
  insertDenials,
  insertLifecycle,
  insertProblems,
  listEndings,
  listToJoin,
  noteGranted,
  type ReturnRow,
  saveJoined,
} from '#server/modules/license-use/checkouts.queries.ts'
import type { LineProblem } from '#server/modules/license-use/lmstat.queries.ts'
import {
  forgetTimesAfter,
  type HostKey,
  type LogRow,
  lockReport,
  noteLogTime,
  requireMonths,
  saveLog,
  saveUnsummed,
} from '#server/modules/license-use/log.queries.ts'
import { loadPseudonyms, type Rename } from '#server/modules/license-use/pseudonyms.ts'
import { reconcile } from '#server/modules/license-use/reconcile.ts'
import { findOverlap, markRepeated } from '#server/modules/license-use/repeated.queries.ts'
import { sumDays, sumHours, type Window } from '#server/modules/license-use/sums.queries.ts'
import { tellDenials } from '#server/modules/license-use/tell-denials.ts'

/** The beginning and the end of what was read are compared in up to so many bytes. */
const COMPARED_BYTES = 64 * 1024
const OLDEST_DAYS = 10 * 366
const LATEST_DAYS = 1
const DAY_SECONDS = 86_400

export type ReadContext = {
  readonly key: HostKey
  readonly now: Date
  readonly rename: Rename
  /** Undefined: users are stored by their names. */
  readonly pseudonyms: Rename | undefined
  /** The time of the last line before this part, over all logs of the license server. */
  readonly logAt: string | null
  /** The time of the last lmstat output. */
  readonly statusAt: string | null
  /** Times whose sums are not made yet. */
  readonly unsummed: Window | null
}

/**
 * Reads the next part of a log: what it says is stored, the position moves on, and the sums follow. `isWhole`: nothing
 * follows soon. `isLarge`: many parts follow each other, so the sums are left to `sumUnsummed`. `length`: bytes of the file, where pseudonyms
 * have changed those of the content.
 */
export async function readLogPart(
  tx: Transaction<DB>,
  context: ReadContext,
  log: LogRow,
  content: Buffer,
  {
    isWhole = false,
    isLarge = false,
    length = content.length,
  }: { isWhole?: boolean; isLarge?: boolean; length?: number } = {},
): Promise<LogRow> {
  const { key, now, pseudonyms, logAt, statusAt, unsummed } = context
  const rows = collectRows(now)
  const splitter = createLineSplitter()
  const reader = createLogReader(rows.add, log.state, { rename: pseudonyms })
  /** The time of the last line that has a possible one. */
  let lastTime: LocalTime | null = null
  for (const line of splitter.push(log.rest.length ? Buffer.concat([log.rest, content]) : content)) {
    reader.read(line)
    const time = reader.lastTime()
    if (time && rows.isPossible(time)) lastTime = time
  }
  reader.pause()
  const end = Buffer.from(splitter.rest())
  const rest = isWhole && pseudonyms ? Buffer.from(hideUsersOfRest(end.toString())) : end
  const problems = rows.problems()
  const waiting = listWaiting(reader.state(), end.length > 0)

  const firstAt = log.first_at ?? rows.earliest() ?? (lastTime && sqlTime(lastTime))
  const lastAt = later(log.last_at, later(rows.latest(), lastTime && sqlTime(lastTime)))
  const saved: LogRow = {
    ...log,
    position: log.position + length,
    ...hashesOf(log, content),
    state: reader.state(),
    rest,
    first_at: firstAt,
    last_at: lastAt,
    lines: reader.state().line,
    unread_lines: countUnread(log) + problems.length + waiting.length,
  }
  const logKey = { ...key, number: log.number }
  await requireMonths(tx, rows.months(firstAt))
  await insertCheckouts(tx, logKey, rows.checkouts(firstAt))
  await endCheckouts(tx, logKey, rows.returns)
  await tellDenials(tx, key, rows.denials(), now)
  await insertDenials(tx, logKey, rows.denials())
  await noteGranted(tx, logKey, rows.granted)
  await insertLifecycle(tx, logKey, rows.lifecycle)
  await deleteProblems(tx, logKey, waitingOf(log))
  await insertProblems(tx, logKey, [...problems, ...waiting])
  await saveLog(tx, key, saved)
  const [first, last] = [rows.earliest(), rows.latest()]
  const overlap = first && last ? await findOverlap(tx, key, log.number, { from: first, to: last }) : null
  const repeatedFrom = overlap ? await markRepeated(tx, key, overlap) : null
  const isOlder = logAt !== null && lastAt !== null && lastAt < logAt
  const isApart = log.position === 0 || rows.hasUnmatched() || isOlder || repeatedFrom !== null
  const joinedFrom = isApart ? await joinWithOthers(tx, key) : null
  const isGone = statusAt !== null && (isWhole || !isLarge) && (await reconcile(tx, context, statusAt))
  if (lastAt) await noteLogTime(tx, key, lastAt)
  const known = later(logAt, lastAt)
  const from = [joinedFrom, repeatedFrom, logAt, rows.hasUnmatched() ? firstAt : null, isGone ? statusAt : null].reduce(
    earlier,
    first,
  )
  if (!from || !known) return saved
  if (isLarge)
    await saveUnsummed(tx, key, {
      from: earlier(from, unsummed?.from ?? null) ?? from,
      to: later(known, unsummed?.to ?? null) ?? known,
    })
  else await sumTimes(tx, key, { from, to: known }, known)
  return saved
}

const waitingOf = (log: LogRow) => listWaiting(log.state, log.rest.length > 0)

/** Lines that could not be read, without those that wait: they may be read with the next part. */
export const countUnread = (log: LogRow): number => Math.max(0, log.unread_lines - waitingOf(log).length)

export async function sumTimes(tx: Transaction<DB>, key: HostKey, window: Window, known: string): Promise<void> {
  if (window.from > window.to) return
  await sumHours(tx, key, window, known)
  await sumDays(tx, key, window, known)
}

/**
 * Makes the sums that were left until a large file is read: one day in each transaction, so that they go on where they
 * stopped after a crash, and reports that arrive meanwhile need not wait for all of them.
 */
export async function sumUnsummed(db: Kysely<DB>, key: HostKey, now: Date): Promise<void> {
  for (let isLeft = true; isLeft; )
    isLeft = await db.transaction().execute(async (tx) => {
      await allowLongWork(tx)
      const { logAt, unsummed } = await lockHost(tx, key, now)
      if (!unsummed || !logAt) return false
      const endOfDay = `${unsummed.from.slice(0, 10)} 23:59:59`
      const isLastDay = endOfDay >= unsummed.to
      await sumTimes(tx, key, { from: unsummed.from, to: isLastDay ? unsummed.to : endOfDay }, logAt)
      await saveUnsummed(tx, key, isLastDay ? null : { from: nextDay(unsummed.from), to: unsummed.to })
      return !isLastDay
    })
}

const nextDay = (time: string) => `${addDays(time.slice(0, 10), 1)} 00:00:00`

/** Later times of a license server are wrong, whatever its time zone. */
export const latestTime = (now: Date): string =>
  new Date(now.getTime() + LATEST_DAYS * DAY_SECONDS * 1000).toISOString().slice(0, 19).replace('T', ' ')

/** Holds the license server for this transaction: its reports are stored one after the other. */
export async function lockHost(tx: Transaction<DB>, key: HostKey, now: Date): Promise<ReadContext> {
  const { unsummedFrom, unsummedTo, ...report } = await lockPossible(tx, key, now)
  const unsummed = unsummedFrom && unsummedTo ? { from: unsummedFrom, to: unsummedTo } : null
  const pseudonyms = await loadPseudonyms(tx, key.customerNumber)
  return { key, now, rename: pseudonyms ?? ((user) => user), pseudonyms, ...report, unsummed }
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
  if (found.logAt) await sumTimes(tx, key, { from: found.logAt, to: latest }, found.logAt)
  return found
}

async function joinWithOthers(tx: Transaction<DB>, key: HostKey): Promise<string | null> {
  const halves = await listToJoin(tx, key)
  const open = halves.filter(({ isStartKnown }) => isStartKnown)
  const returns = halves.filter(({ isStartKnown }) => !isStartKnown)
  if (!open.length && !returns.length) return null
  return saveJoined(tx, key, joinLogs(open, returns, await listEndings(tx, key)), returns)
}

/** Sorts the events of a part into rows. Times that cannot be true are left out and reported. */
function collectRows(now: Date) {
  const newest = now.getTime() / 1000 + LATEST_DAYS * DAY_SECONDS
  const oldest = newest - OLDEST_DAYS * DAY_SECONDS
  const began = new Map<number, CheckoutRow>()
  const unmatched: Omit<CheckoutRow, 'outAt'>[] = []
  const denied = new Map<number, DenialRow>()
  const returns: ReturnRow[] = []
  const granted: { id: number; at: string; isGranted: boolean }[] = []
  const lifecycle: { at: string; event: string; daemon: string }[] = []
  /** By line and code: an event of many seats is one line. */
  const problems = new Map<string, LineProblem>()
  let first: string | null = null
  let last: string | null = null

  function isPossible(time: LocalTime): boolean {
    const at = absoluteSeconds(time)
    return time.day !== null && at >= oldest && at <= newest
  }
  function timeOf(time: LocalTime): string | null {
    if (!isPossible(time)) return null
    const text = sqlTime(time)
    first = earlier(first, text)
    last = later(last, text)
    return text
  }
  const problem = (line: number, code: LogProblem) => problems.set(`${line} ${code}`, { line, code })
  const unusable = ({ day }: LocalTime, line: number) => problem(line, day === null ? 'no-date' : 'impossible-date')

  function add(event: LogEvent, line: number): void {
    switch (event.kind) {
      case 'out': {
        const outAt = timeOf(event.out)
        if (outAt === null) return void unusable(event.out, line)
        const { id, count, daemon, feature, user, host, data } = event
        const names = { daemon, feature, user, host, data }
        const open = { inAt: 'infinity', closedBy: null, isStartKnown: true, isOpen: true }
        began.set(id, { id, ...names, seats: count, outAt, ...open })
        return
      }
      case 'in': {
        const inAt = timeOf(event.in)
        const outAt = event.out.day === null ? null : sqlTime(event.out)
        if (inAt === null) return void unusable(event.in, line)
        if (outAt === null) return
        const row = began.get(event.id)
        if (row)
          began.set(event.id, { ...row, inAt: later(inAt, row.outAt) ?? inAt, closedBy: event.closedBy, isOpen: false })
        else returns.push({ id: event.id, outAt, inAt, closedBy: event.closedBy })
        return
      }
      case 'in-without-out': {
        const inAt = timeOf(event.in)
        if (inAt === null) return void unusable(event.in, line)
        const { id, count, daemon, feature, user, host, data, closedBy } = event
        unmatched.push({
          id,
          daemon,
          feature,
          user,
          host,
          data,
          seats: count,
          inAt,
          closedBy,
          isStartKnown: false,
          isOpen: false,
        })
        return
      }
      case 'denial': {
        const at = timeOf(event.time)
        if (at === null) return void unusable(event.time, line)
        const { id, daemon, feature, user, host, count, version, code, text, cause, repeatOf } = event
        const isRetry = repeatOf !== null
        const names = { daemon, feature, user, host: host ?? '', seats: count, version, code, reason: text, cause }
        const isReal = cause === 'shortage' && !isRetry
        denied.set(id, { id, at, event: event.event, ...names, isRetry, isGranted: false, isReal })
        return
      }
      case 'granted':
        note(event.id, event.time, true)
        note(event.firstOfBurst, event.firstTime, event.firstOfBurst === event.id)
        return
      case 'lifecycle': {
        const at = timeOf(event.time)
        if (at === null) return void unusable(event.time, line)
        lifecycle.push({ at, event: event.event, daemon: event.daemon ?? '' })
        return
      }
      case 'problem':
        if (event.line !== null) problem(event.line, event.code)
    }
  }

  function note(id: number, time: LocalTime, isGranted: boolean) {
    const row = denied.get(id)
    if (row) denied.set(id, { ...row, isGranted: row.isGranted || isGranted, isReal: false })
    else {
      const at = timeOf(time)
      if (at !== null) granted.push({ id, at, isGranted })
    }
  }

  return {
    add,
    isPossible,
    returns,
    granted,
    lifecycle,
    problems: () => [...problems.values()],
    denials: () => [...denied.values()],
    /** A seat that went out before the log counts from its first line. */
    checkouts: (firstAt: string | null): CheckoutRow[] => [
      ...began.values(),
      ...unmatched.map((row) => ({ ...row, outAt: earlier(firstAt, row.inAt) ?? row.inAt })),
    ],
    hasUnmatched: () => unmatched.length > 0,
    earliest: () => first,
    latest: () => last,
    months: (firstAt: string | null): string[] => {
      const times = [...began.values()].map(({ outAt }) => outAt)
      const refused = [...denied.values()].map(({ at }) => at)
      const starts = unmatched.length && firstAt ? [firstAt] : []
      const months = new Set([...times, ...refused, ...starts].map((time) => `${time.slice(0, 7)}-01`))
      return [...months].sort()
    },
  }
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

/** Without the offset of the line: the clock of the license server counts. */
function sqlTime(time: LocalTime): string {
  return formatLocalTime({ ...time, offset: null }).replace('T', ' ')
}

function earlier(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other < one) ? other : one
}

function later(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other > one) ? other : one
}
