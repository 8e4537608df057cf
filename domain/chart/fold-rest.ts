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
