/** In milliseconds. */
export const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How an account runs its lines for seats. */
export type WaitingSettings = {
  /** The next in line is told after so many minutes, unless the person has checked out. */
  readonly offerMinutes: number
  /** Who holds a seat for so many hours can be asked for it. */
  readonly askHours: number
}
export const DEFAULT_WAITING_SETTINGS: WaitingSettings = { offerMinutes: 10, askHours: 8 }
export const OFFER_MINUTES = { min: 1, max: 240 }
export const ASK_HOURS = { min: 1, max: 720 }

export const MAX_SEATS_WANTED = 100_000
/** Places of one person in the lines of an account: a token waits for many users. */
export const MAX_PLACES_OF_PERSON = 100
/** Everybody in the lines of an account. */
export const MAX_PLACES = 2_000
/** A place can be kept for so long. */
export const MAX_DAYS = 30

/** Why nobody can wait until this time; undefined if they can. */
export function untilProblem(until: Date, now: Date): string | undefined {
  if (until <= now) return 'Choose a time in the future.'
  if (until.getTime() > now.getTime() + MAX_DAYS * DAY) return `Choose a time within ${MAX_DAYS} days.`
  return undefined
}

/** The name that a person probably has on the license server. */
export const probableUserName = (email: string): string => email.slice(0, Math.max(0, email.indexOf('@')) || undefined)

/** A local time of a license server, such as "2026-10-01 08:10", read as if it were UTC. */
const localTime = (text: string): number => Date.parse(`${text.slice(0, 16).replace(' ', 'T')}Z`)

/**
 * Why nobody asks a holder for their seat yet; undefined if it is held long enough. Both times are those of the license server's clock, so no zone
 * is needed.
 */
export function tooShortToAsk(since: string | null, asOf: string | null, askHours: number): string | undefined {
  const held = since === null || asOf === null ? Number.NaN : localTime(asOf) - localTime(since)
  if (Number.isNaN(held)) return 'The license server does not say since when this seat is held.'
  return held >= askHours * HOUR
    ? undefined
    : `Holders can be asked after ${askHours} ${askHours === 1 ? 'hour' : 'hours'}.`
}

/** "2 seats of solver" */
export const seatsText = (seats: number, feature: string): string =>
  `${seats === 1 ? 'a seat' : `${seats.toLocaleString('en-US')} seats`} of ${feature}`
