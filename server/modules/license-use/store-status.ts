import type { Transaction } from 'kysely'
import { MAX_SEATS } from '#domain/license-use/foreign-limits.ts'
import type { LmstatFeature, LmstatResult } from '#domain/license-use/lmstat-reader.ts'
import type { DB } from '#server/db/schema.ts'
import {
  type Holder,
  type LineProblem,
  noteStatus,
  replaceStatus,
  type SeenCheckout,
  saveSample,
} from '#server/modules/license-use/lmstat.queries.ts'
import { latestTime, type ReadContext, sumTimes } from '#server/modules/license-use/read-log-part.ts'
import { reconcile } from '#server/modules/license-use/reconcile.ts'
import { LONGEST_POLL, sumDays, sumHours } from '#server/modules/license-use/sums.queries.ts'

/**
 * Stores an lmstat output. One that is older than the last one counts as a sample of use, but does not change who holds seats
 * now. A failed poll says nothing about seats, so it changes none.
 */
export async function storeStatus(
  tx: Transaction<DB>,
  context: ReadContext,
  result: LmstatResult,
): Promise<'stored' | 'older' | 'failed'> {
  const { key, rename, logAt, statusAt: known } = context
  const printedAt = result.statusAt === null ? null : `${result.statusAt.replace('T', ' ')}:00`
  const isAhead = printedAt !== null && printedAt > latestTime(context.now)
  const statusAt = isAhead ? null : printedAt
  const failure = isAhead ? 'The output is dated more than one day ahead.' : failureOf(result)
  const isOlder = statusAt !== null && known !== null && statusAt < known
  const unread = { unreadLines: result.problems.length, problems: problemsOf(result) }
  if (failure !== null || statusAt === null) {
    if (isOlder) return 'older'
    await noteStatus(tx, key, { statusAt: null, error: failure ?? 'The output has no date.', ...unread })
    return 'failed'
  }
  const all = result.blocks.flatMap(({ features }) => features)
  const features = [...new Set(all.map(({ name }) => name))].map((name) =>
    toFeature(
      name,
      all.filter((feature) => feature.name === name),
    ),
  )
  if (!isOlder) {
    await replaceStatus(tx, key, { statusAt, features, holders: all.flatMap((feature) => toHolders(feature, rename)) })
    await noteStatus(tx, key, { statusAt, error: null, ...unread })
  }
  const seen = all.flatMap((feature) => toSeen(feature, statusAt, rename))
  const seenFrom = await saveSample(tx, key, { at: statusAt, features, seen })
  const isGone = !isOlder && (await reconcile(tx, context, statusAt))
  if (isGone && logAt) await sumTimes(tx, key, { from: statusAt, to: logAt }, logAt)
  // The output before this one speaks for the time up to it, and this one for the time up to the next.
  if (known !== null && known < statusAt) await sumHours(tx, key, { from: known, to: known }, logAt)
  await sumHours(tx, key, { from: moved(statusAt, -LONGEST_POLL), to: moved(statusAt, LONGEST_POLL) }, logAt)
  if (seenFrom !== null && seenFrom <= statusAt) await sumDays(tx, key, { from: seenFrom, to: statusAt }, logAt)
  return isOlder ? 'older' : 'stored'
}

const MOST_PROBLEMS = 50

/** The lines that could not be read. */
export function problemsOf({ problems }: LmstatResult): LineProblem[] {
  return problems.flatMap(({ line, code }) => (line === null ? [] : [{ line, code }])).slice(0, MOST_PROBLEMS)
}

/** A time of the license server's clock, moved by seconds. */
function moved(time: string, seconds: number): string {
  const moment = new Date(Date.parse(`${time.replace(' ', 'T')}Z`) + seconds * 1000)
  return moment.toISOString().slice(0, 19).replace('T', ' ')
}

/** The checkouts of which an output says since when they are out. */
function toSeen({ name, users }: LmstatFeature, at: string, rename: (user: string) => string): SeenCheckout[] {
  return users.flatMap(({ user, host, handle, count, start }) => {
    const startedAt = start?.replace('T', ' ')
    return startedAt === undefined || startedAt > at
      ? []
      : [{ feature: name, user: rename(user), host, handle, seats: count, startedAt }]
  })
}

/** Why an output tells nothing about seats, or null. */
function failureOf({ error, blocks }: LmstatResult): string | null {
  if (error) return error.text
  if (blocks.some(({ features }) => features.some(({ state }) => state !== 'error'))) return null
  const down = blocks.flatMap(({ servers }) => servers).find(({ state }) => state === 'down')
  if (down) return `The license server ${down.host ?? ''} does not answer (${down.code}).`.replace('  ', ' ')
  const failed = blocks.flatMap(({ features }) => features).find(({ error: of }) => of !== null)
  return failed?.error?.text ?? 'The output lists no features.'
}

/** One license server may serve a feature from several license managers: their seats add up. */
function toFeature(name: string, parts: readonly LmstatFeature[]) {
  const sum = (values: readonly (number | null)[]) =>
    values.every((value) => value === null) ? null : added(values.map((value) => value ?? 0))
  const expiries = parts.flatMap(({ pools }) => pools.flatMap(({ expires }) => (expires ? [expires] : [])))
  return {
    name,
    state: parts.find(({ state }) => state === 'counted')?.state ?? parts[0]?.state ?? ('error' as const),
    total: sum(parts.map(({ total }) => total)),
    inUse: sum(parts.map(({ inUse }) => inUse)),
    held: sum(parts.map(heldOf)),
    reserved: added(parts.flatMap(({ reserved }) => reserved.map(({ count }) => count))),
    queued: added(parts.flatMap(({ queued }) => queued.map(({ count }) => count))),
    expires: expiries.sort()[0] ?? null,
  }
}

const added = (seats: readonly number[]) =>
  Math.min(
    seats.reduce((all, count) => all + count, 0),
    MAX_SEATS,
  )

/** lmstat counts reserved seats that nobody holds as in use. */
function heldOf({ inUse, reserved, users }: LmstatFeature): number | null {
  if (inUse === null || reserved.length === 0) return inUse
  return Math.min(
    inUse,
    users.reduce((all, { count }) => all + count, 0),
  )
}

function toHolders({ name, users, queued }: LmstatFeature, rename: (user: string) => string): Holder[] {
  const holders = users.map((user) => ({
    ...holder(name, user, rename),
    kind: user.linger ? ('borrowed' as const) : ('in use' as const),
    startedAt: user.start === null ? null : user.start.replace('T', ' '),
  }))
  return [
    ...holders,
    ...queued.map((user) => ({ ...holder(name, user, rename), kind: 'queued' as const, startedAt: null })),
  ]
}

type Line = Pick<LmstatFeature['queued'][number], 'user' | 'host' | 'display' | 'version' | 'count' | 'ambiguous'>

function holder(feature: string, line: Line, rename: (user: string) => string) {
  const { user, host, display, version, count, ambiguous } = line
  const names = { user: rename(user), host, display: display ?? '' }
  return { feature, ...names, version, seats: count, isUncertain: ambiguous === true }
}
