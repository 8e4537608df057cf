const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long an endpoint may take to answer. In milliseconds. */
export const ATTEMPT_TIMEOUT = 15 * SECOND

/** The pauses between attempts. After the last one, a delivery has failed. */
export const RETRY_PAUSES: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

/** Pauses are up to this much longer, so that deliveries that failed together do not return together. */
export const JITTER = 0.1

/** An endpoint cannot postpone a delivery for longer than this. */
const MAX_PAUSE = DAY

/**
 * An endpoint that has failed for this long, without a success, is switched off when the next event is given up. A single
 * failure is not enough: where events are rare, the one before it may be weeks old.
 */
export const FAILING_LIMIT = 5 * DAY

/** What became of a request. */
export type AttemptResult =
  | { readonly kind: 'answer'; readonly status: number; readonly retryAfter?: string | undefined }
  | { readonly kind: 'timeout' }
  /** No connection, or none that the installation allows. */
  | { readonly kind: 'failure'; readonly reason: string }

export type Verdict =
  | { readonly state: 'delivered' }
  | { readonly state: 'failed'; readonly reason: string; readonly isGone: boolean }

export function verdictOf(result: AttemptResult): Verdict {
  const failed = (reason: string, isGone = false): Verdict => ({ state: 'failed', reason, isGone })
  if (result.kind === 'timeout') return failed(`No answer within ${ATTEMPT_TIMEOUT / SECOND} seconds`)
  if (result.kind === 'failure') return failed(result.reason)
  const { status } = result
  if (status >= 200 && status < 300) return { state: 'delivered' }
  if (status >= 300 && status < 400) return failed(`Answered ${status}. Redirects are not followed`)
  if (status === 410) return failed('Answered 410: the endpoint wants no more events', true)
  return failed(`Answered ${status}`)
}

/**
 * When a delivery is tried again after this many failures; undefined when it has failed for good. `random` is at least 0
 * and less than 1. The endpoint can ask for a later time with Retry-After, never for an earlier one.
 */
export function nextAttempt(
  failures: number,
  {
    now,
    random,
    retryAfter,
  }: { readonly now: Date; readonly random: number; readonly retryAfter?: string | undefined },
): Date | undefined {
  const pause = RETRY_PAUSES[failures - 1]
  if (pause === undefined) return undefined
  const asked = Math.min(retryAfter === undefined ? 0 : readRetryAfter(retryAfter, now), MAX_PAUSE)
  return new Date(now.getTime() + Math.max(Math.round(pause * (1 + JITTER * random)), asked))
}

/** Retry-After has seconds or a date (RFC 9110). Answers milliseconds from now; anything else counts as nothing. */
export function readRetryAfter(text: string, now: Date): number {
  const typed = text.trim()
  if (/^\d{1,9}$/.test(typed)) return Number(typed) * SECOND
  const at = /[a-z]/i.test(typed) ? Date.parse(typed) : Number.NaN
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime())
}

/** Whether an endpoint is switched off when an event is given up. */
export const hasFailedTooLong = (failingSince: Date | null, now: Date): boolean =>
  failingSince !== null && now.getTime() - failingSince.getTime() >= FAILING_LIMIT
