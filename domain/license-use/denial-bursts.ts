import { absoluteSeconds, type LocalTime } from '#domain/license-use/local-time.ts'
import type { CheckoutKey, DenialFacts, LogEvent } from '#domain/license-use/log-events.ts'

/** A retry follows the denial before it, and a grant its denial, within this time. */
const WINDOW_SECONDS = 60

type Recent = {
  readonly id: number
  readonly time: LocalTime
  readonly firstOfBurst: number
  readonly firstTime: LocalTime
  readonly at: number
  readonly feature: string
  readonly code: number | null
  granted: { readonly after: number; readonly feature: string } | null
}
type Burst = { readonly first: number; readonly firstTime: LocalTime; readonly at: number }
export type DenialBurstsState = {
  readonly bursts: readonly (readonly [key: string, burst: Burst])[]
  readonly recent: readonly (readonly [who: string, denials: readonly Recent[]])[]
  readonly prunedAt: number
}

/** Joins retries to bursts, and notes the denials after which the user got a seat within a minute. */
export function createDenialBursts(emit: (event: LogEvent) => void, nextId: () => number, from?: DenialBurstsState) {
  const bursts = new Map<string, Burst>(from?.bursts)
  const recent = new Map<string, Recent[]>(
    from?.recent.map(([who, denials]) => [who, denials.map((denial) => ({ ...denial }))]),
  )
  let prunedAt = from?.prunedAt ?? Number.NEGATIVE_INFINITY

  function prune(now: number) {
    if (now >= prunedAt && now - prunedAt <= WINDOW_SECONDS) return
    prunedAt = now
    for (const [key, { at }] of bursts) if (Math.abs(now - at) > WINDOW_SECONDS) bursts.delete(key)
    for (const [who, denials] of recent) {
      const kept = denials.filter(({ at }) => Math.abs(now - at) <= WINDOW_SECONDS)
      if (kept.length) recent.set(who, kept)
      else recent.delete(who)
    }
  }

  function grant(denial: Recent, granted: NonNullable<Recent['granted']>) {
    denial.granted = granted
    const { id, time, firstOfBurst, firstTime } = denial
    emit({ kind: 'granted', id, time, firstOfBurst, firstTime, ...granted })
  }

  return {
    denied(facts: DenialFacts): void {
      const at = absoluteSeconds(facts.time)
      prune(at)
      const id = nextId()
      const who = whoText(facts.user, facts.host)
      const key = [facts.daemon, facts.feature, who, facts.code].join('\u0001')
      const burst = bursts.get(key)
      const isRetry = burst !== undefined && at >= burst.at && at - burst.at <= WINDOW_SECONDS
      const { first, firstTime } = isRetry ? burst : { first: id, firstTime: facts.time }
      bursts.set(key, { first, firstTime, at })
      emit({ kind: 'denial', id, ...facts, repeatOf: isRetry ? first : null })
      const denials = recent.get(who) ?? []
      const { time, feature, code } = facts
      const denial: Recent = { id, time, firstOfBurst: first, firstTime, at, feature, code, granted: null }
      recent.set(who, [...denials, denial])
      const sibling = denials.find((other) => other.at === at && other.code === facts.code && other.granted)
      if (sibling?.granted) grant(denial, sibling.granted)
    },

    /** A seat of `feature` went out: it answers the denials of the same user and host of the last minute. */
    out({ feature, user, host, data }: CheckoutKey, at: number): void {
      if (!recent.size) return
      prune(at)
      const denials = recent.get(whoText(user, host))
      if (!denials) return
      for (const denial of denials) {
        const after = at - denial.at
        if (denial.granted || after < 0 || after > WINDOW_SECONDS) continue
        if (denial.feature !== feature && !namesFeature(data, denial.feature)) continue
        const granted = { after, feature }
        grant(denial, granted)
        for (const other of denials)
          if (!other.granted && other.at === denial.at && other.code === denial.code) grant(other, granted)
      }
    },

    state: (): DenialBurstsState => ({ bursts: [...bursts], recent: [...recent], prunedAt }),
  }
}

function whoText(user: string, host: string | null): string {
  return `${user}\u0001${host ?? ''}`
}

/** Tokens name what they are for: `[MSCONE:NASTRAN]`, `[DOORS]`. */
function namesFeature(data: string | null, feature: string): boolean {
  return data !== null && (data === feature || data.split(/[:=,;|\s]+/).includes(feature))
}

/** Another name for the user of every denial of the last minute. Retries of those before are counted apart. */
export function renameDeniedUsers(state: DenialBurstsState, rename: (user: string) => string): DenialBurstsState {
  const recent = state.recent.map(([who, denials]) => {
    const [user = '', host = ''] = who.split('\u0001')
    return [whoText(rename(user), host), denials] as const
  })
  return { ...state, bursts: [], recent }
}
