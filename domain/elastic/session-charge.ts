import Big from 'big.js'

const MILLISECONDS_PER_HOUR = 3_600_000
const SMALLEST_HOURS = '0.01'

/** Hours of a finished session, to 0.01 and never under it: every session that ended shows that it took place. */
export function sessionHours(startedAt: Date, endedAt: Date): string {
  const hours = hoursBetween(startedAt, endedAt).round(2, Big.roundHalfUp)
  return (hours.lt(SMALLEST_HOURS) ? new Big(SMALLEST_HOURS) : hours).toFixed(2)
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
  return hoursBetween(startedAt, endedAt).times(unitsPerHour).times(productCount).round(2, Big.roundHalfUp).toFixed(2)
}

/** Big divides to 20 decimals here, far beyond what rounding to 0.01 could notice. */
function hoursBetween(startedAt: Date, endedAt: Date): Big {
  return new Exact(endedAt.getTime() - startedAt.getTime()).div(MILLISECONDS_PER_HOUR)
}

const Exact = Big()
Exact.DP = 30
