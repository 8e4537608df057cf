import ipaddr from 'ipaddr.js'

/** Wrong PINs of one server from one address since the last right one. */
export type PinFailures = { readonly failures: number; readonly failedAt: Date }

/** People mistype: the first failures cause no wait. */
const FREE_FAILURES = 3
const FAILURES_BEFORE_LOCK = 10
const SECOND = 1000
const DAY = 24 * 60 * 60 * SECOND

/**
 * Until when no PIN is accepted, right or wrong. After three failures each further one doubles the wait, from 2 seconds;
 * after ten it is a day, unless staff unlock it.
 */
function lockedUntil({ failures, failedAt }: PinFailures): Date | undefined {
  if (failures < FREE_FAILURES) return undefined
  const wait = isLocked(failures) ? DAY : 2 ** (failures - FREE_FAILURES + 1) * SECOND
  return new Date(failedAt.getTime() + wait)
}

export const isLocked = (failures: number): boolean => failures >= FAILURES_BEFORE_LOCK

/** Wrong PINs of one server from any address, counted for a day from the first of them. */
export type ServerFailures = { readonly failures: number; readonly since: Date }

/** More failures per day than mistyping explains: somebody is guessing, from one address or from many. */
export const FAILURES_BEFORE_BRAKE = 100
/**
 * Minimum time between attempts then, in milliseconds, shared by all addresses that have not sent the right PIN before.
 * A limit per address would not help against a guesser with many addresses.
 */
export const BRAKED_PACE = SECOND

export const countsUntil = ({ since }: ServerFailures): Date => new Date(since.getTime() + DAY)

export const isBraked = (found: ServerFailures | undefined, now: Date): boolean =>
  found !== undefined && found.failures >= FAILURES_BEFORE_BRAKE && now < countsUntil(found)

export function isRefusedUntil(found: PinFailures | undefined, now: Date): Date | undefined {
  const until = found && lockedUntil(found)
  return until && until > now ? until : undefined
}

/** Failures before this instant lock nobody any more. */
export const earliestLock = (now: Date): Date => new Date(now.getTime() - DAY)

/** An IPv6 customer usually has a whole network, so guesses from one network count together. */
export function guesserOf(externalIp: string): string {
  const address = ipaddr.process(externalIp)
  if (address.kind() === 'ipv4') return address.toString()
  const { parts } = address as ipaddr.IPv6
  return `${new ipaddr.IPv6([...parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`
}
