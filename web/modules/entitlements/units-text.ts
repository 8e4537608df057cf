const exact = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
const tenths = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** Units as they were bought: seldom with a fraction. */
export function unitsText(units: number): string {
  return exact.format(units)
}

/** What is left is told to one decimal. */
export function tenthsText(units: number): string {
  return tenths.format(units)
}
