import { type Ending, joinLogs } from '#domain/license-use/logs/joined-logs.ts'
import { GONE } from '#server/modules/license-use/logs/checkouts.queries.ts'
import { toTexts } from '#server/modules/license-use/logs/log-rows.ts'

/** A checkout or a return whose other half is in another log, or nowhere. */
type Half = {
  readonly log: number
  readonly id: number
  readonly key: string
  readonly daemon: string
  readonly seats: number
  readonly outAt: string
  readonly inAt: string
  readonly closedBy: string | null
  readonly isStartKnown: boolean
  readonly isJoined: boolean
  readonly goneAt: string | null
}

/** Rows as JSON. */
export type JoinQuestion = { readonly halves: string; readonly endings: string }

/** How checkouts of one log end in another: the rows that change, and the earliest time of them. */
export function joinHalves({ halves, endings }: JoinQuestion) {
  const all: Half[] = JSON.parse(halves)
  const open = all.filter(({ isStartKnown }) => isStartKnown)
  const returns = all.filter(({ isStartKnown }) => !isStartKnown)
  const joined = joinLogs(open, returns, JSON.parse(endings) as Ending[])
  const ended = joined.flatMap(({ open: { log, id, outAt, inAt, goneAt }, returned, ending }) => {
    const gone = goneAt === null ? [] : [{ at: goneAt, by: GONE }]
    const inferred = [...gone, ...(ending ? [{ at: ending.at, by: ending.event }] : [])]
    const [first] = inferred.sort((one, other) => (one.at < other.at ? -1 : 1))
    const newIn = returned?.inAt ?? first?.at ?? 'infinity'
    const newBy = returned?.closedBy ?? first?.by ?? null
    return newIn === inAt ? [] : [{ log, id, outAt, newIn, newBy }]
  })
  const used = new Set(joined.map(({ returned }) => returned))
  const matched = returns
    .filter((half) => half.isJoined !== used.has(half))
    .map(({ log, id, outAt, isJoined }) => ({ log, id, outAt, isJoined: !isJoined }))
  const from = [...ended, ...matched].reduce<string | null>(
    (first, { outAt }) => (first === null || outAt < first ? outAt : first),
    null,
  )
  return { ended: toTexts(ended), matched: toTexts(matched), from }
}
