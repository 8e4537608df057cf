import { countOf, countText } from '#web/lib/format.ts'

/** How many products a sentence names. */
const MOST_NAMED = 3

/** Seats by product: "5 seats of Acoustics Response, 3 of Beam Tracer, 1 of Circuit Design and 2 more products". */
export function productSeatsText(rows: readonly { readonly ansysproduct: string; readonly count: number }[]): string {
  const products = Map.groupBy(rows, ({ ansysproduct }) => ansysproduct)
  const parts = [...products].map(([product, own], index) => {
    const seats = own.reduce((sum, { count }) => sum + count, 0)
    return `${index === 0 ? countOf(seats, 'seat') : countText(seats)} of ${product}`
  })
  return listed(parts, 'more product')
}

/** "A", "A and B", "A, B, C and 2 more products". */
function listed(parts: readonly string[], more: string): string {
  const left = parts.length - MOST_NAMED
  const named = left > 0 ? [...parts.slice(0, MOST_NAMED), countOf(left, more)] : parts
  return [named.slice(0, -1).join(', '), ...named.slice(-1)].filter(Boolean).join(' and ')
}
