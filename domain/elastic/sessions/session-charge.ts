import { compare, divideHalfUp, formatHundredths, toFixedText } from '#domain/money/decimal.ts'

const MILLISECONDS_PER_HOUR = 3_600_000
const SMALLEST_HOURS = '0.01'

/** Hours of a finished session, to 0.01 and never under it: every session that ended shows that it took place. */
export function sessionHours(startedAt: Date, endedAt: Date): string {
  const hours = divideHalfUp(millisecondsBetween(startedAt, endedAt), MILLISECONDS_PER_HOUR, 2)
  return toFixedText(compare(hours, SMALLEST_HOURS) < 0 ? SMALLEST_HOURS : hours, 2)
}

export type ChargedSession = {
  readonly startedAt: Date
  readonly endedAt: Date
  readonly productCount: number
  /** Units that one hour of one seat costs. */
  readonly unitsPerHour: string
}

/** Units that a session costs: exact until the end, then rounded half-up to 0.01. In whole numbers, for speed. */
export function sessionCharge({ startedAt, endedAt, productCount, unitsPerHour }: ChargedSession): string {
  const [whole = '', decimals = ''] = unitsPerHour.split('.')
  const rate = BigInt(whole + decimals)
  const divisor = BigInt(MILLISECONDS_PER_HOUR) * 10n ** BigInt(decimals.length)
  const hundredths = BigInt(millisecondsBetween(startedAt, endedAt)) * rate * BigInt(productCount) * 100n
  return formatHundredths((2n * hundredths + divisor) / (2n * divisor))
}

const millisecondsBetween = (startedAt: Date, endedAt: Date) => endedAt.getTime() - startedAt.getTime()
