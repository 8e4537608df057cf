import { compare, divideHalfUp, multiply, toFixedText } from '#domain/money/decimal.ts'

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

/** Units that a session costs: exact until the end, then rounded half-up to 0.01. */
export function sessionCharge({ startedAt, endedAt, productCount, unitsPerHour }: ChargedSession): string {
  const unitMilliseconds = multiply(multiply(millisecondsBetween(startedAt, endedAt), unitsPerHour), productCount)
  return toFixedText(divideHalfUp(unitMilliseconds, MILLISECONDS_PER_HOUR, 2), 2)
}

const millisecondsBetween = (startedAt: Date, endedAt: Date) => endedAt.getTime() - startedAt.getTime()
