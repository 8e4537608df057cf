import { dayOf, formatDay, isClock } from '#domain/license-use/logs/local-time.ts'

export type LmstatHolder = {
  readonly user: string
  readonly host: string
  readonly display: string | null
  readonly data: string | null
  /** Only where the words left of the version can be divided in several ways: `user`, `host` and `display` are a guess. */
  readonly who?: string
  readonly ambiguous?: true
}

/** Divides `user host display data`, any of which may hold blanks, except the host. */
export function splitHolder(who: string, version: string): LmstatHolder {
  const words = who.trim().split(/\s+/)
  const [first = '', second = '', third = null] = words
  if (words.length <= 3) return { user: first, host: second, display: third, data: null }
  const host = words.findIndex(
    (word, index) => index > 0 && words[index + 1]?.toLowerCase().startsWith(word.toLowerCase()),
  )
  if (host > 0) return divided(words, host)
  const last = words.at(-1) ?? ''
  if (last === version || /^[\w.-]+[:=]/.test(last)) return divided([...words.slice(0, -1)], words.length - 3, last)
  return { ...divided(words, 1), who: who.trim(), ambiguous: true }
}

function divided(words: string[], host: number, data?: string): LmstatHolder {
  return {
    user: words.slice(0, host).join(' '),
    host: words[host] ?? '',
    display: words[host + 1] ?? null,
    data: data ?? (words.slice(host + 2).join(' ') || null),
  }
}

export type StartedAt = {
  readonly start: string | null
  readonly problem: 'start-in-future' | 'start-weekday-mismatch' | null
}

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** The start of a checkout has no year: its weekday chooses between next year (a day ahead at most), this year and last year. */
export function resolveStart(
  { weekday, month, day, clock }: { weekday: string; month: number; day: number; clock: string },
  statusDay: number | null,
): StartedAt {
  if (statusDay === null || !isClock(clock)) return { start: null, problem: 'start-weekday-mismatch' }
  const wanted = WEEKDAYS.indexOf(weekday.toLowerCase().slice(0, 3))
  const year = Number(formatDay(statusDay).slice(0, 4))
  for (const candidate of [year + 1, year, year - 1]) {
    const found = dayOf(candidate, month, day)
    // 1970-01-01 was a Thursday.
    if (found === null || found > statusDay + 1 || (found + 4) % 7 !== wanted) continue
    return { start: `${formatDay(found)}T${clock}`, problem: found > statusDay ? 'start-in-future' : null }
  }
  return { start: null, problem: 'start-weekday-mismatch' }
}
