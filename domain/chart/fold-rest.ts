import { type Decimal, sum } from '#domain/money/decimal.ts'

export type ChartPart = { readonly label: string; readonly value: Decimal }

/**
 * Keeps the first parts and joins the rest into one, so that nothing is lost. A single remaining part keeps its name.
 */
export function foldRest(parts: readonly ChartPart[], most: number): ChartPart[] {
  const rest = parts.slice(most)
  if (rest.length <= 1) return [...parts]
  return [...parts.slice(0, most), { label: `${rest.length} others`, value: sum(rest.map(({ value }) => value)) }]
}

/**
 * The earlier values of a list that `foldRest` made of these parts. The rest is all that the others do not name, so that
 * nothing is lost here either.
 */
export function foldedBefore(
  folded: readonly ChartPart[],
  parts: readonly ChartPart[],
  before: readonly ChartPart[],
): Decimal[] {
  const named = new Set(parts.map(({ label }) => label))
  const shown = new Set(folded.map(({ label }) => label))
  const values = new Map(before.map(({ label, value }) => [label, value]))
  const rest = sum(before.filter(({ label }) => !shown.has(label)).map(({ value }) => value))
  return folded.map(({ label }) => (named.has(label) ? (values.get(label) ?? '0') : rest))
}
