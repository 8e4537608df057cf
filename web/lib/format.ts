import dayjs from 'dayjs'

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const tenths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
const hundredths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** A count with thousands separators; nothing where there is none. */
export function countText(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : whole.format(value)
}

/** Units, money and hours, always to 0.01, so that the columns line up. */
export function amountText(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : cents.format(value)
}

/** Units as they were bought: seldom with a fraction. */
export function unitsText(units: number): string {
  return hundredths.format(units)
}

const SIZES = ['B', 'kB', 'MB', 'GB'] as const
const SIZE_STEP = 1000

/** The size of a file, as people say it. */
export function sizeText(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log(bytes) / Math.log(SIZE_STEP)))
  return `${tenths.format(bytes / SIZE_STEP ** unit)} ${SIZES[unit]}`
}

/** Down to the second, as tables and pickers show times. */
export const TIME_FORMAT = 'YYYY-MM-DD HH:mm:ss'

/** An instant in the reader's zone; nothing for one that has not come yet. */
export function timeText(instant: string | null | undefined): string {
  return instant ? dayjs(instant).format(TIME_FORMAT) : ''
}

/** An instant as alerts show it, in the reader's zone: yyyy-MM-dd H:mm. */
export function alertTime(instant: string): string {
  return dayjs(instant).format('YYYY-MM-DD H:mm')
}
