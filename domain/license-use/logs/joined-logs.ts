/** A checkout whose own log does not say that it came back. Times are texts that compare as times. */
export type OpenCheckout = JoinKey & { readonly outAt: string; readonly seats: number }
/** A return whose own log does not have the checkout. */
export type UnmatchedReturn = JoinKey & { readonly inAt: string; readonly seats: number }
/** A start or end of a license manager or of one of its daemons, which ends what was open before. */
export type Ending = { readonly at: string; readonly event: string; readonly daemon: string; readonly log: number }
type JoinKey = { readonly key: string; readonly daemon: string; readonly log: number }

export type JoinedCheckout<O, R> = {
  readonly open: O
  /** The return in another log. */
  readonly returned: R | null
  /** How it ended without a return. */
  readonly ending: Ending | null
}

/** The open checkouts of one key in one log, in the order of time. */
type Waiting<O> = { readonly all: Queue<O>; readonly bySeats: Map<number, Queue<O>> }
type Queue<O> = { readonly checkouts: O[]; next: number }

/**
 * Joins the logs of one license server, such as rotated files: a return that has no checkout in its own log ends the
 * oldest one of an earlier log, with the same count first. The result does not depend on the order of arrival.
 */
export function joinLogs<O extends OpenCheckout, R extends UnmatchedReturn>(
  open: readonly O[],
  returns: readonly R[],
  endings: readonly Ending[],
): JoinedCheckout<O, R>[] {
  const endingOf = endingFinder(endings)
  const ordered = [...open].sort((one, other) => compare(one.outAt, other.outAt))
  const rank = new Map(ordered.map((checkout, index) => [checkout, index]))
  const waiting = new Map<string, Map<number, Waiting<O>>>()
  for (const checkout of ordered) {
    const logs = getOrInsert(waiting, checkout.key, () => new Map<number, Waiting<O>>())
    const { all, bySeats } = getOrInsert(logs, checkout.log, () => ({ all: newQueue<O>(), bySeats: new Map() }))
    all.checkouts.push(checkout)
    getOrInsert(bySeats, checkout.seats, () => newQueue<O>()).checkouts.push(checkout)
  }
  const joined = new Map<O, R>()

  /** Returns come in the order of time, so what has ended before one has ended before all that follow. */
  function oldest(queue: Queue<O> | undefined, inAt: string): O | undefined {
    for (; queue && queue.next < queue.checkouts.length; queue.next += 1) {
      const checkout = queue.checkouts[queue.next]!
      const endedAt = endingOf(checkout)?.at
      if (!joined.has(checkout) && (endedAt === undefined || endedAt >= inAt))
        return checkout.outAt <= inAt ? checkout : undefined
    }
    return undefined
  }
  const first = (found: readonly (O | undefined)[]) =>
    found.reduce((one, other) => (one && (!other || rank.get(one)! < rank.get(other)!) ? one : other), undefined)

  for (const returned of [...returns].sort((one, other) => compare(one.inAt, other.inAt))) {
    const { inAt, key, log, seats } = returned
    const others = [...(waiting.get(key) ?? [])].flatMap(([number, found]) => (number === log ? [] : [found]))
    const chosen =
      first(others.map(({ bySeats }) => oldest(bySeats.get(seats), inAt))) ??
      first(others.map(({ all }) => oldest(all, inAt)))
    if (chosen) joined.set(chosen, returned)
  }
  return open.map((checkout) => {
    const returned = joined.get(checkout) ?? null
    return { open: checkout, returned, ending: returned ? null : endingOf(checkout) }
  })
}

/** Finds the first ending of a checkout in another log. Within its own log the reader has applied endings already. */
function endingFinder(endings: readonly Ending[]): (checkout: OpenCheckout) => Ending | null {
  const ofAll = endings.filter(({ daemon }) => daemon === '')
  const named = Map.groupBy(endings, ({ daemon }) => daemon)
  const ordered = new Map<string, { readonly list: readonly Ending[]; readonly nextOther: readonly number[] }>()
  const listOf = (daemon: string) =>
    getOrInsert(ordered, daemon, () => {
      const own = daemon === '' ? [] : (named.get(daemon) ?? [])
      const list = [...own, ...ofAll].sort((one, other) => compare(one.at, other.at))
      // From each ending, the next one of another log.
      const nextOther: number[] = []
      for (let index = list.length - 1; index >= 0; index -= 1)
        nextOther[index] = list[index]!.log === list[index + 1]?.log ? nextOther[index + 1]! : index + 1
      return { list, nextOther }
    })
  return ({ daemon, log, outAt }) => {
    const { list, nextOther } = listOf(named.has(daemon) ? daemon : '')
    let [from, to] = [0, list.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if (list[middle]!.at > outAt) to = middle
      else from = middle + 1
    }
    return list[list[from]?.log === log ? nextOther[from]! : from] ?? null
  }
}

const newQueue = <O>(): Queue<O> => ({ checkouts: [], next: 0 })

function getOrInsert<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const value = make()
  map.set(key, value)
  return value
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
