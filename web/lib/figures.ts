const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** A count with thousands separators; nothing where there is none. */
export function countText(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : whole.format(value)
}

/** Units, money and hours, always to 0.01, so that the columns line up. */
export function amountText(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : cents.format(value)
}

const KILOBYTE = 1024
const MEGABYTE = 1024 * KILOBYTE
const tenths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** The size of a file. */
export function sizeText(bytes: number): string {
  return bytes < MEGABYTE ? `${whole.format(bytes / KILOBYTE)} kB` : `${tenths.format(bytes / MEGABYTE)} MB`
}
