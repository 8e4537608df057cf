/*
 * A program that is denied tries again, sometimes many times a second. Endpoints are told of the first denial at once, and of all
 * others of the same user and reason within the same minute by one event when the minute is over.
 */
const MINUTE = 60_000
/** In milliseconds: processes whose clocks differ a little still count in the same event. */
const GRACE = 2_000

/** Decided before the PIN was right: the caller may be anybody, and can name as many users as they like. */
const UNPROVEN: readonly string[] = ['EXPORT', 'LOCKED', 'WRONG_PIN']

type Denial = { readonly type: string; readonly reason: string; readonly username: string }

/** Denials of an account with one key are counted together. */
export function denialKey({ type, reason, username }: Denial, at: Date): string {
  const user = type === 'session.denied' && UNPROVEN.includes(reason) ? '' : username
  return JSON.stringify([type, reason, user, Math.floor(at.getTime() / MINUTE)])
}

/** When the denials that follow the first one of a minute are told. */
export const repeatedDenialsDue = (at: Date): Date => new Date((Math.floor(at.getTime() / MINUTE) + 1) * MINUTE + GRACE)
