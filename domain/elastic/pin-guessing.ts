import ipaddr from 'ipaddr.js'

/** Wrong PINs of one server from one address since the last right one. */
export type PinFailures = { readonly failures: number; readonly failedAt: Date }

/** People mistype: the first ones cost nothing. */
const FREE_FAILURES = 3
const FAILURES_BEFORE_LOCK = 10
const SECOND = 1000
const LOCK = 24 * 60 * 60 * SECOND

/**
 * Until when no PIN is accepted, right or wrong. After three failures each further one doubles the wait, from 2 seconds;
 * after ten it is a day, unless staff unlock it.
 */
function lockedUntil({ failures, failedAt }: PinFailures): Date | undefined {
  if (failures < FREE_FAILURES) return undefined
  const wait = isLocked(failures) ? LOCK : 2 ** (failures - FREE_FAILURES + 1) * SECOND
  return new Date(failedAt.getTime() + wait)
}

export const isLocked = (failures: number): boolean => failures >= FAILURES_BEFORE_LOCK

export function isRefusedUntil(found: PinFailures | undefined, now: Date): Date | undefined {
  const until = found && lockedUntil(found)
  return until && until > now ? until : undefined
}

/** Whoever has an IPv6 address has the whole network of it, so guesses from there count together. */
export function guesserOf(externalIp: string): string {
  const address = ipaddr.process(externalIp)
  if (address.kind() === 'ipv4') return address.toString()
  const { parts } = address as ipaddr.IPv6
  return `${new ipaddr.IPv6([...parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`
}
