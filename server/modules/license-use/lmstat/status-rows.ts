import { MAX_SEATS } from '#domain/license-use/foreign-limits.ts'
import { createLmstatReader, type LmstatFeature, type LmstatResult } from '#domain/license-use/lmstat/lmstat-reader.ts'
import { createLineSplitter } from '#domain/license-use/text-lines.ts'
import type { Holder, LineProblem, SeenCheckout } from '#server/modules/license-use/lmstat/lmstat.queries.ts'
import { type Rename, renameWith } from '#server/modules/license-use/pseudonyms.ts'

const MAX_PROBLEMS = 50

/** The lines that could not be read. */
function problemsOf({ problems }: LmstatResult): LineProblem[] {
  return problems.flatMap(({ line, code }) => (line === null ? [] : [{ line, code }])).slice(0, MAX_PROBLEMS)
}

export type StatusQuestion = {
  readonly content: Uint8Array
  /** Makes pseudonyms. */
  readonly secret: Uint8Array | null
}
export type StatusAnswer = ReturnType<typeof readStatus>

/** Reads an lmstat output into rows of the database, as JSON texts. */
export function readStatus({ content, secret }: StatusQuestion) {
  const reader = createLmstatReader()
  const splitter = createLineSplitter()
  for (const line of splitter.push(content)) reader.read(line)
  for (const line of splitter.end()) reader.read(line)
  const result = reader.result()
  const rename = renameWith(secret) ?? ((user) => user)
  const statusAt = result.statusAt === null ? null : `${result.statusAt.replace('T', ' ')}:00`
  const all = result.blocks.flatMap(({ features }) => features)
  const features = [...Map.groupBy(all, ({ name }) => name)].map(([name, parts]) => toFeature(name, parts))
  const polls = features.flatMap(({ name, held, total }) => (held ? [[name, [held, total]] as const] : []))
  return {
    statusAt,
    failure: failureOf(result),
    unreadLines: result.problems.length,
    problems: problemsOf(result),
    features: JSON.stringify(features),
    holders: JSON.stringify(all.flatMap((feature) => toHolders(feature, rename))),
    seen: JSON.stringify(statusAt === null ? [] : all.flatMap((feature) => toSeen(feature, statusAt, rename))),
    /** Of each feature in use: the seats that are held, and all seats. */
    polls: JSON.stringify(Object.fromEntries(polls)),
  }
}

/** The checkouts of which an output says since when they are out. */
function toSeen({ name, users }: LmstatFeature, at: string, rename: Rename): SeenCheckout[] {
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

function toHolders({ name, users, queued }: LmstatFeature, rename: Rename): Holder[] {
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

function holder(feature: string, line: Line, rename: Rename) {
  const { user, host, display, version, count, ambiguous } = line
  const names = { user: rename(user), host, display: display ?? '' }
  return { feature, ...names, version, seats: count, isUncertain: ambiguous === true }
}
