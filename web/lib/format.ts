import dayjs from 'dayjs'

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const tenths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
const hundredths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** A count with thousands separators; empty if there is none. */
export function countText(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : whole.format(value)
}

/** "1 seat", "2 seats". */
export const countOf = (count: number, noun: string) => `${countText(count)} ${noun}${count === 1 ? '' : 's'}`

/** Units, money and hours, always with two decimals, so that columns line up. */
export function amountText(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : cents.format(value)
}

/** Units with up to two decimals: most purchases are whole numbers. */
export function unitsText(units: number): string {
  return hundredths.format(units)
}

const SIZES = ['B', 'kB', 'MB', 'GB'] as const
const SIZE_STEP = 1000

/** The size of a file: '1.2 MB'. */
export function sizeText(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log(bytes) / Math.log(SIZE_STEP)))
  return `${tenths.format(bytes / SIZE_STEP ** unit)} ${SIZES[unit]}`
}

/** The format of times in tables and pickers. */
export const TIME_FORMAT = 'YYYY-MM-DD HH:mm:ss'

/** An instant in the reader's zone; empty if there is none. */
export function timeText(instant: string | null | undefined): string {
  return instant ? dayjs(instant).format(TIME_FORMAT) : ''
}

/** The reader's time zone: 'Europe/Berlin'. */
export const READER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Its city, for the heads of columns: 'Berlin'. An offset would be wrong for one half of the year. */
export const READER_CITY = READER_ZONE.replace(/^.*\//, '').replaceAll('_', ' ')

/** For screens with times. */
export const ZONE_NOTE = `Times are in your time zone, ${READER_ZONE}.`

/** The time of an alert, to the minute, in the reader's zone. */
export function minuteText(instant: string): string {
  return dayjs(instant).format('YYYY-MM-DD HH:mm')
}

/** The format of the alert banner: yyyy-MM-dd H:mm. */
export function bannerTimeText(instant: string): string {
  return dayjs(instant).format('YYYY-MM-DD H:mm')
}
