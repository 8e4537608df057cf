const UNITS = ['B', 'kB', 'MB', 'GB'] as const
const STEP = 1000
const figure = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** The size of a file, as people say it. */
export function sizeText(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(STEP)))
  return `${figure.format(bytes / STEP ** unit)} ${UNITS[unit]}`
}
