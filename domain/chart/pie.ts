import { type ChartPart, foldRest } from '#domain/chart/fold-rest.ts'
import { add, compare, divideHalfUp, formatDecimal, multiply, sum, toPlainText } from '#domain/money/decimal.ts'

export type PieSlice = {
  readonly label: string
  readonly value: string
  /** Share of the whole pie, such as 12.5. */
  readonly percent: number
  readonly color: string
  /** An SVG path in a square of PIE_SIZE: a part of a ring. */
  readonly path: string
}

export const PIE_SIZE = 144
const OUTER = PIE_SIZE / 2
const INNER = 48

/** Distinguishable with any color vision, on light and dark backgrounds; gray is for the rest. */
const COLORS = ['#3b6fd4', '#e08a1e', '#2a9d8f', '#c8508f', '#7b5cc9', '#7a9a2e', '#c4543a']
const REST_COLOR = '#8a919c'

/**
 * The largest parts as slices, and the rest as one. Parts that are not positive cannot be drawn and are left out, so that
 * percentages are of the positive parts: `leftOutNote` says so.
 */
export function pieSlices(parts: readonly ChartPart[]): PieSlice[] {
  const drawn = parts.filter(({ value }) => compare(value, 0) > 0).sort((one, other) => compare(other.value, one.value))
  const shown = foldRest(drawn, COLORS.length).map((part, index) => ({ ...part, color: COLORS[index] ?? REST_COLOR }))
  const whole = sum(shown.map(({ value }) => value))
  let before = '0'
  return shown.map(({ label, value, color }) => {
    const from = Number(before) / Number(whole)
    before = add(before, value)
    return {
      label,
      value: toPlainText(value),
      percent: Number(divideHalfUp(multiply(value, 100), whole, 1)),
      color,
      path: slicePath(from, Number(before) / Number(whole)),
    }
  })
}

export const pieTotal = (slices: readonly PieSlice[]): string => sum(slices.map(({ value }) => value))

/** A pie with one slice says nothing that its words do not say. */
export const onlySliceText = (label: string, value: string): string => `All ${value}: ${label}`

/**
 * The line below a pie that does not show everything. Percentages of tables are of the total, negative parts included: they
 * are those of the pie where it leaves nothing out.
 */
export function leftOutNote(
  parts: readonly ChartPart[],
  [one, several]: readonly [one: string, several: string],
  places = 2,
): string | undefined {
  const negative = parts.filter(({ value }) => compare(value, 0) < 0)
  if (negative.length === 0) return undefined
  const what = `${negative.length} ${negative.length === 1 ? one : several}`
  const amount = formatDecimal(sum(negative.map(({ value }) => value)), places)
  return `Not in the chart: ${what} with negative usage (${amount}). Percentages are of the usage in the chart.`
}

/** The SVG path between two fractions of a full turn, clockwise from the top. */
function slicePath(from: number, to: number): string {
  // An arc that ends where it begins is not drawn, so nearly a whole ring is drawn in its place.
  const end = Math.min(to, from + 0.9999)
  const isLarge = end - from > 0.5 ? 1 : 0
  const arc = (radius: number, sweep: 0 | 1, at: number) =>
    `A${radius} ${radius} 0 ${isLarge} ${sweep} ${pointAt(radius, at)}`
  return `M${pointAt(OUTER, from)}${arc(OUTER, 1, end)}L${pointAt(INNER, end)}${arc(INNER, 0, from)}Z`
}

/** A point of a circle around the middle of the pie. */
function pointAt(radius: number, part: number): string {
  const angle = part * 2 * Math.PI
  return `${(OUTER + radius * Math.sin(angle)).toFixed(2)} ${(OUTER - radius * Math.cos(angle)).toFixed(2)}`
}
