export type ChartPoint = {
  readonly label: string
  readonly value: number
  /** The period is not over yet. */
  readonly isSoFar?: boolean
  /** What the value is held against, such as the seats that were bought. */
  readonly limit?: number
}

export const SO_FAR = 'so far'

export function pointText({ label, isSoFar }: ChartPoint): string {
  return isSoFar ? `${label} ${SO_FAR}` : label
}

const LONGEST_LABEL = 24

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
  return signs.length > LONGEST_LABEL
    ? `${signs
        .slice(0, LONGEST_LABEL - 1)
        .join('')
        .trimEnd()}…`
    : label
}
