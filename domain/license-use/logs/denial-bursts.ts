import { absoluteSeconds, type LocalTime } from '#domain/license-use/logs/local-time.ts'
import type { CheckoutKey, DenialFacts, LogEvent } from '#domain/license-use/logs/log-events.ts'

/** A retry follows the denial before it, and a grant its denial, within this time. */
const WINDOW_SECONDS = 60
/** Daemons write side by side, so lines can be late: denials are kept for longer than they count. */
const KEPT_SECONDS = 2 * WINDOW_SECONDS
/** Of denials, and of bursts, between two pieces of a log: every later piece reads them again, however short it is. */
const MAX_KEPT = 10_000

type Recent = {
  readonly id: number
  readonly time: LocalTime
  readonly firstOfBurst: number
  readonly firstTime: LocalTime
  readonly at: number
  readonly feature: string
  readonly code: number | null
  granted: Granted | null
}
type Granted = { readonly after: number; readonly feature: string }
type Burst = { readonly first: number; readonly firstTime: LocalTime; readonly at: number }
/** The denials of one user and host in one second with one code: a seat for one of them answers all. */
type Attempt = { readonly who: string; readonly at: number; readonly denials: Recent[]; granted: Granted | null }
export type DenialBurstsState = {
  readonly bursts: readonly (readonly [key: string, burst: Burst])[]
  readonly recent: readonly (readonly [who: string, denials: readonly Recent[]])[]
}

/**
 * Joins retries to bursts, and notes the denials after which the user got a seat within a minute. Takes linear time, even if
 * all lines are about one second or one user.
 */
export function createDenialBursts(emit: (event: LogEvent) => void, nextId: () => number, from?: DenialBurstsState) {
  const bursts = new Map<string, Burst>(from?.bursts)
  const attempts = new Map<string, Attempt>()
  /** The keys of bursts and attempts by second. */
  const seconds = new Map<number, Set<string>>()
  let prunedAt: number | undefined
  /** Attempts without a seat so far, by user and feature and then by second. */
  const waiting = new Map<string, Map<number, Set<Attempt>>>()
  for (const [key, { at }] of bursts) keep(at, key)
  for (const [who, denials] of from?.recent ?? []) for (const denial of denials) remember(who, { ...denial })

  function keep(at: number, key: string) {
    seconds.set(at, (seconds.get(at) ?? new Set()).add(key))
  }

  function remember(who: string, denial: Recent): Attempt {
    const { at, code, feature } = denial
    const key = joined(who, at, code)
    const attempt = attempts.get(key) ?? { who, at, denials: [], granted: denial.granted }
    attempts.set(key, attempt)
    keep(at, key)
    attempt.denials.push(denial)
    if (attempt.granted) return attempt
    const found = waiting.get(joined(who, feature)) ?? new Map<number, Set<Attempt>>()
    waiting.set(joined(who, feature), found)
    found.set(at, (found.get(at) ?? new Set()).add(attempt))
    return attempt
  }

  function stopWaiting(attempt: Attempt) {
    const { who, at, denials } = attempt
    for (const { feature } of denials) {
      const found = waiting.get(joined(who, feature))
      found?.get(at)?.delete(attempt)
      if (!found?.get(at)?.size) found?.delete(at)
      if (!found?.size) waiting.delete(joined(who, feature))
    }
  }

  function prune(now: number) {
    if (now === prunedAt) return
    prunedAt = now
    for (const [second, keys] of seconds) {
      if (Math.abs(now - second) <= KEPT_SECONDS) continue
      seconds.delete(second)
      for (const key of keys) {
        if (bursts.get(key)?.at === second) bursts.delete(key)
        const attempt = attempts.get(key)
        if (attempt) stopWaiting(attempt)
        attempts.delete(key)
      }
    }
  }

  function grant(denial: Recent, granted: Granted) {
    denial.granted = granted
    const { id, time, firstOfBurst, firstTime } = denial
    emit({ kind: 'granted', id, time, firstOfBurst, firstTime, ...granted })
  }

  return {
    denied(facts: DenialFacts): void {
      const at = absoluteSeconds(facts.time)
      prune(at)
      const id = nextId()
      const who = joined(facts.user, facts.host ?? '')
      const key = joined(facts.daemon, facts.feature, who, facts.code)
      const burst = bursts.get(key)
      const isRetry = burst !== undefined && at >= burst.at && at - burst.at <= WINDOW_SECONDS
      const { first, firstTime } = isRetry ? burst : { first: id, firstTime: facts.time }
      bursts.set(key, { first, firstTime, at })
      keep(at, key)
      emit({ kind: 'denial', id, ...facts, repeatOf: isRetry ? first : null })
      const { time, feature, code } = facts
      const denial: Recent = { id, time, firstOfBurst: first, firstTime, at, feature, code, granted: null }
      const { granted } = remember(who, denial)
      if (granted) grant(denial, granted)
    },

    /** A seat of `feature` went out: it answers the denials of the same user and host of the last minute. */
    out({ feature, user, host, data }: CheckoutKey, at: number): void {
      if (!attempts.size) return
      prune(at)
      const who = joined(user, host)
      for (const name of namedFeatures(feature, data))
        for (const [deniedAt, found] of waiting.get(joined(who, name)) ?? []) {
          const after = at - deniedAt
          if (after < 0 || after > WINDOW_SECONDS) continue
          for (const attempt of [...found]) {
            stopWaiting(attempt)
            attempt.granted = { after, feature }
            for (const denial of attempt.denials) grant(denial, attempt.granted)
          }
        }
    },

    state(): DenialBurstsState {
      const denials = [...attempts.values()].flatMap(({ who, denials }) => denials.map((denial) => ({ who, denial })))
      return {
        bursts: latest([...bursts], ([, { at }]) => at),
        recent: latest(denials, ({ denial }) => denial.at).map(({ who, denial }) => [who, [denial]]),
      }
    },
  }
}

const latest = <T>(found: readonly T[], at: (one: T) => number): T[] =>
  found.length > MAX_KEPT ? found.toSorted((one, other) => at(one) - at(other)).slice(-MAX_KEPT) : [...found]

const joined = (...parts: readonly (string | number | null)[]) => parts.join('\u0001')

/** Tokens name what they are for: `[MSCONE:NASTRAN]`, `[DOORS]`. */
function namedFeatures(feature: string, data: string | null): ReadonlySet<string> {
  return new Set([feature, ...(data === null ? [] : [data, ...data.split(/[:=,;|\s]+/)])])
}

/** Another name for the user of every denial of the last minute. Retries of those before are counted apart. */
export function renameDeniedUsers(state: DenialBurstsState, rename: (user: string) => string): DenialBurstsState {
  const recent = state.recent.map(([who, denials]) => {
    const [user = '', host = ''] = who.split('\u0001')
    return [joined(rename(user), host), denials] as const
  })
  return { ...state, bursts: [], recent }
}
