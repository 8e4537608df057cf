import type { FsaPeriod, Product } from '#server/demo/products.ts'

export const FSA_CURRENCIES = ['USD', 'EUR'] as const
export type FsaCurrency = (typeof FSA_CURRENCIES)[number]

/** Percent of the monthly price: the longer the period, the cheaper the day. */
const PERCENT_OF_MONTH: Record<FsaPeriod, number> = { 7: 35, 30: 100, 60: 185, 90: 260, 180: 480, 365: 850 }
const EUROS_PER_DOLLAR = 0.92

/** What one count of a product costs for a period, in whole cents, so that sums are exact. */
export function fsaPriceInCents(product: Product, currency: FsaCurrency, period: FsaPeriod): number | undefined {
  if (product.monthly === undefined || !product.periods.includes(period)) return undefined
  const dollars = product.monthly * PERCENT_OF_MONTH[period]
  return currency === 'USD' ? dollars : Math.round(dollars * EUROS_PER_DOLLAR)
}

export function inUnits(cents: number): string {
  return (cents / 100).toFixed(2)
}
