const ticks = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
const shortTicks = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2, notation: 'compact' })

/** A value as an axis shows it, in little room: '0.25', '12,500', '1.25M'. */
export const tickText = (value: number) => (Math.abs(value) < 1e6 ? ticks : shortTicks).format(value)

const MAX_LABEL = 24

/** A label in two lines, broken at the space nearest to its middle, the later one of two; in one if it has none. */
export function brokenLabel(label: string): readonly string[] {
  const fromMiddle = (at: number) => Math.abs(at - (label.length - 1) / 2)
  const [at] = [...label.matchAll(/ /g)]
    .map(({ index }) => index)
    .reverse()
    .sort((one, other) => fromMiddle(one) - fromMiddle(other))
  return at === undefined ? [label] : [label.slice(0, at), label.slice(at + 1)]
}

/** A label as an axis shows it: a name without end would leave no room for the bars. */
export function cutLabel(label: string): string {
  const signs = [...label]
  return signs.length > MAX_LABEL
    ? `${signs
        .slice(0, MAX_LABEL - 1)
        .join('')
        .trimEnd()}…`
    : label
}
