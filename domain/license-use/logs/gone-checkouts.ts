/** A checkout that is still out as far as the log says. Times are texts that compare as times. */
type OpenCheckout = {
  readonly feature: string
  readonly user: string
  readonly host: string
  readonly outAt: string
}
/** A line of lmstat about somebody who holds seats. */
type Holder = {
  readonly feature: string
  readonly user: string
  readonly host: string
  readonly seats: number
  /** To the minute; null if the line has none. */
  readonly startedAt: string | null
  /** User and host could not be told apart with certainty. */
  readonly isUncertain: boolean
}
/** A feature that lmstat lists with a number of seats in use. */
type ListedFeature = { readonly name: string; readonly inUse: number; readonly reserved: number }

/**
 * The checkouts that lmstat would show if they were still out. Each line of lmstat stands for one checkout of its user and
 * host: the one that began in the same minute, or else the newest. Nothing is concluded about a feature of which lmstat
 * shows fewer seats than it counts, or has lines that could be read in several ways.
 */
export function listGone<C extends OpenCheckout>(
  open: readonly C[],
  holders: readonly Holder[],
  listed: readonly ListedFeature[],
): C[] {
  const shown = Map.groupBy(holders, ({ feature }) => feature)
  const isCertain = new Map(
    listed.map(({ name, inUse, reserved }) => {
      const lines = shown.get(name) ?? []
      const seats = lines.reduce((sum, line) => sum + line.seats, 0)
      return [name, lines.every(({ isUncertain }) => !isUncertain) && seats + reserved >= inUse]
    }),
  )
  const lines = Map.groupBy(holders, keyOf)
  return [...Map.groupBy(open, keyOf)].flatMap(([key, checkouts]) => {
    if (!isCertain.get(checkouts[0]?.feature ?? '')) return []
    const own = lines.get(key) ?? []
    const starts = new Set(own.map(({ startedAt }) => startedAt?.slice(0, 16)))
    const matches = (checkout: C) => Number(starts.has(checkout.outAt.slice(0, 16)))
    return checkouts
      .toSorted((one, other) => matches(other) - matches(one) || (one.outAt < other.outAt ? 1 : -1))
      .slice(own.length)
  })
}

const keyOf = ({ feature, user, host }: Pick<OpenCheckout, 'feature' | 'user' | 'host'>) =>
  [feature, user.toLowerCase(), host.toLowerCase()].join('\u0001')
