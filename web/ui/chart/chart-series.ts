/** What a chart shows: the picture, the table, the file and the reading of screen readers are all made of this. */
export type ChartData = {
  /** What a point stands for: the head of its column, such as "Day". */
  readonly pointName: string
  readonly series: readonly ChartSeries[]
  /** In this order in the picture, in the table and in the file. */
  readonly points: readonly ChartPoint[]
  valueText(value: number): string
}

export type ChartSeries = {
  /** In the legend, and the head of its column. */
  readonly name: string
  /** Series differ in shape as well as in color. */
  readonly look: 'bars' | 'gray bars' | 'steps' | 'limit' | 'forecast'
}

export type ChartPoint = {
  readonly label: string
  /** One for each series; null where a series has no value. */
  readonly values: readonly (number | null)[]
  /** The period is not over yet. */
  readonly isSoFar?: boolean
  /** What happens at this point. */
  readonly note?: string | undefined
}

export const SO_FAR = 'so far'

export function pointText({ label, isSoFar, note }: ChartPoint): string {
  return `${label}${isSoFar ? ` ${SO_FAR}` : ''}${note ? ` (${note})` : ''}`
}

/** A point in words, for the tooltip and for screen readers. The only series needs no name. */
export function readingOf({ series, points, valueText }: ChartData, at: number): string {
  const point = points[at]
  if (!point) return ''
  const values = series.flatMap(({ name }, index) => {
    const value = point.values[index] ?? null
    if (value === null) return []
    return [series.length > 1 ? `${name} ${valueText(value)}` : valueText(value)]
  })
  return `${pointText(point)}: ${values.join(', ')}`
}

/** What a chart shows at a glance, in words: the range of every series. */
export function summaryOf({ series, points, valueText }: ChartData): string {
  return series
    .flatMap(({ name }, index) => {
      const known = points.flatMap((point) => {
        const value = point.values[index] ?? null
        return value === null ? [] : [{ point, value }]
      })
      const [first = undefined, ...others] = known.toSorted((one, other) => one.value - other.value)
      const last = others.at(-1)
      const at = (one: (typeof known)[number]) => `${valueText(one.value)} at ${pointText(one.point)}`
      if (!first) return []
      if (!last || last.value === first.value) return [`${name}: ${at(first)}${last ? ', the same throughout' : ''}.`]
      return [`${name}: lowest ${at(first)}, highest ${at(last)}.`]
    })
    .join(' ')
}

/** The point to read after a key was pressed; null to stop reading, undefined for a key that is not the chart's. */
export function pointAfterKey(key: string, at: number | undefined, count: number): number | null | undefined {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return at === undefined ? 0 : Math.min(at + 1, count - 1)
    case 'ArrowLeft':
    case 'ArrowUp':
      return at === undefined ? count - 1 : Math.max(at - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    case 'Escape':
      // Without a reading, the key is for what is around the chart, such as a dialog.
      return at === undefined ? undefined : null
    default:
      return undefined
  }
}
