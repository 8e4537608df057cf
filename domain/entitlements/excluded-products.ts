/** Bookings against a spending account, not licenses: no list shows them and no holding counts them. */
export const EXCLUDED_PRODUCTS: readonly string[] = [
  'Flexible Spending Account Manual Drawdown',
  'Ansys Flexible Spending Account Manual Drawdown',
]

export function isExcludedProduct(productName: string): boolean {
  return EXCLUDED_PRODUCTS.includes(productName)
}
