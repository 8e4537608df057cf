const exact = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

/** Units as they were bought: seldom with a fraction. */
export function unitsText(units: number): string {
  return exact.format(units)
}
