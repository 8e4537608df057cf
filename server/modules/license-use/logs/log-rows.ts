import { hideUsersOfRest } from '#domain/license-use/logs/hidden-users.ts'
import { absoluteSeconds, formatLocalTime, type LocalTime } from '#domain/license-use/logs/local-time.ts'
import type { LogEvent, LogProblem } from '#domain/license-use/logs/log-events.ts'
import { createLogReader, listWaiting } from '#domain/license-use/logs/log-reader.ts'
import { createLineSplitter } from '#domain/license-use/text-lines.ts'
import type { LineProblem } from '#server/modules/license-use/lmstat/lmstat.queries.ts'
import {
  type CheckoutRow,
  createCheckoutRows,
  type DenialRow,
  type GrantedRow,
  type LifecycleRow,
  type LogKey,
  type ReturnRow,
  type RowTexts,
} from '#server/modules/license-use/logs/checkouts.queries.ts'
import { renameWith } from '#server/modules/license-use/pseudonyms.ts'

const OLDEST_DAYS = 10 * 366
const LATEST_DAYS = 1
const DAY_SECONDS = 86_400
/** Older denials are history: an uploaded log of last year wakes nobody. In days; the clock has no zone. */
const NEWS_DAYS = 2
const MAX_PROBLEMS = 1000
/** So many rows are sent to the database at once. */
const MAX_ROWS = 5000

export type LogQuestion = {
  readonly logKey: LogKey
  /** As JSON. */
  readonly state: string
  /** The unfinished last line of the part before. */
  readonly rest: Uint8Array
  readonly content: Uint8Array
  readonly now: Date
  /** Makes pseudonyms. */
  readonly secret: Uint8Array | null
  readonly isWhole: boolean
  readonly firstAt: string | null
  readonly lastAt: string | null
}

/** Reads the next part of a log into rows of the database. */
export function readLog({ logKey, state, rest, content, now, secret, isWhole, firstAt, lastAt }: LogQuestion) {
  const from = JSON.parse(state)
  const rename = renameWith(secret)
  const rows = collectRows(logKey, now)
  const splitter = createLineSplitter()
  const reader = createLogReader(rows.add, from, { rename })
  /** The time of the last line that has a possible one. */
  let lastTime: LocalTime | null = null
  for (const line of splitter.push(rest.length ? Buffer.concat([rest, content]) : content)) {
    reader.read(line)
    const time = reader.lastTime()
    if (time && rows.isPossible(time)) lastTime = time
  }
  reader.pause()
  const end = Buffer.from(splitter.rest())
  const last = lastTime && sqlTime(lastTime)
  const first = firstAt ?? rows.earliest() ?? last
  const after = reader.state()
  const unread = rows.problems()
  const waiting = listWaiting(after, end.length > 0)
  const waited = listWaiting(from, rest.length > 0)
  const denials = rows.denials()
  return {
    state: JSON.stringify(after),
    rest: isWhole && rename ? Buffer.from(hideUsersOfRest(end.toString())) : end,
    lines: after.line,
    firstAt: first,
    lastAt: later(lastAt, later(rows.latest(), last)),
    earliest: rows.earliest(),
    latest: rows.latest(),
    hasUnmatched: rows.hasUnmatched(),
    // These add the checkouts whose month counts.
    checkouts: rows.checkouts(first),
    months: rows.months(),
    returns: toTexts(rows.returns),
    denials: toTexts(denials),
    news: listNews(denials, now),
    granted: toTexts(rows.granted),
    lifecycle: toTexts(rows.lifecycle),
    problems: [...unread, ...waiting].slice(0, MAX_PROBLEMS),
    unread: unread.length,
    waiting: waiting.length,
    waited: toTexts(waited),
    waitedCount: waited.length,
  }
}

export const toTexts = (rows: readonly object[]): RowTexts =>
  Array.from({ length: Math.ceil(rows.length / MAX_ROWS) }, (_, index) =>
    JSON.stringify(rows.slice(index * MAX_ROWS, (index + 1) * MAX_ROWS)),
  )

/** Fresh denials for lack of seats: the first one of each feature and minute. */
function listNews(denials: readonly DenialRow[], now: Date): DenialRow[] {
  const since = timeText(now, -NEWS_DAYS)
  const news = new Map<string, DenialRow>()
  for (const denial of denials)
    if (denial.isReal && denial.at >= since && !news.has(minuteKey(denial))) news.set(minuteKey(denial), denial)
  return [...news.values()]
}

export const minuteKey = ({ at, feature }: Pick<DenialRow, 'at' | 'feature'>) => `${at.slice(0, 16)} ${feature}`

const timeText = (now: Date, days: number): string =>
  new Date(now.getTime() + days * DAY_SECONDS * 1000).toISOString().slice(0, 19).replace('T', ' ')

/** Later times of a license server are wrong, whatever its time zone. */
export const latestTime = (now: Date): string => timeText(now, LATEST_DAYS)

/** Sorts the events of a part into rows. Times that cannot be true are left out and reported. */
function collectRows(logKey: LogKey, now: Date) {
  const newest = now.getTime() / 1000 + LATEST_DAYS * DAY_SECONDS
  const oldest = newest - OLDEST_DAYS * DAY_SECONDS
  const checkouts = createCheckoutRows(logKey)
  /** Checkouts of this part that are out. What has ended is encoded at once: fewer objects live until the end of the part. */
  const open = new Map<number, CheckoutRow>()
  const months = new Set<string>()
  const unmatched: Omit<CheckoutRow, 'outAt'>[] = []
  const denied = new Map<number, DenialRow>()
  const returns: ReturnRow[] = []
  const granted: GrantedRow[] = []
  const lifecycle: LifecycleRow[] = []
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
        const names = { daemon, feature, user, host, data, seats: count }
        const isOut = { inAt: 'infinity', inId: null, closedBy: null, isStartKnown: true, isOpen: true }
        open.set(id, { id, ...names, outAt, ...isOut })
        return
      }
      case 'in': {
        const inAt = timeOf(event.in)
        const outAt = event.out.day === null ? null : sqlTime(event.out)
        if (inAt === null) return void unusable(event.in, line)
        if (outAt === null) return
        const { id, inId, closedBy } = event
        const row = open.get(id)
        if (!row) return void returns.push({ id, outAt, inAt, inId, closedBy })
        open.delete(id)
        addCheckout({ ...row, inAt: later(inAt, row.outAt) ?? inAt, inId, closedBy, isOpen: false })
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
          inId: id,
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

  function addCheckout(row: CheckoutRow) {
    months.add(monthOf(row.outAt))
    checkouts.add(row)
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
    /** To be called once, at the end. A seat that went out before the log counts from its first line. */
    checkouts(firstAt: string | null): readonly Uint8Array[] {
      for (const row of open.values()) addCheckout(row)
      for (const row of unmatched) addCheckout({ ...row, outAt: earlier(firstAt, row.inAt) ?? row.inAt })
      return checkouts.chunks()
    },
    hasUnmatched: () => unmatched.length > 0,
    earliest: () => first,
    latest: () => last,
    months(): string[] {
      for (const { at } of denied.values()) months.add(monthOf(at))
      return [...months].sort()
    },
  }
}

const monthOf = (time: string) => `${time.slice(0, 7)}-01`

/** Without the offset of the line: the clock of the license server counts. */
function sqlTime(time: LocalTime): string {
  return formatLocalTime({ ...time, offset: null }).replace('T', ' ')
}

/** A time of the license server's clock, moved by seconds. */
export function moved(time: string, seconds: number): string {
  const moment = new Date(Date.parse(`${time.replace(' ', 'T')}Z`) + seconds * 1000)
  return moment.toISOString().slice(0, 19).replace('T', ' ')
}

export function earlier(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other < one) ? other : one
}

export function later(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other > one) ? other : one
}
