import { addDays, type CalendarDay, daysBetween } from '#domain/calendar/calendar-day.ts'
import type { Limit } from '#domain/elastic/limits/limit.ts'
import { resetDay } from '#domain/elastic/limits/limit-period.ts'
import { toHundredths } from '#domain/money/decimal.ts'

/** Days before today over which use is averaged. */
export const EXHAUSTION_WINDOW = 30

/** When a limit is used up, if use goes on as in the last days. */
export type Exhaustion =
  | { readonly kind: 'used up' }
  | { readonly kind: 'on'; readonly day: CalendarDay }
  /** The limit resets before, or is over. */
  | { readonly kind: 'not before it resets' }
  /** Nothing was used lately, or nothing is refused, or the limit is of single days. */
  | { readonly kind: 'unknown' }

export type RecentUse = {
  /** Used on the days of the window, today not included. */
  readonly recent: string
  /** The first day with use in the window; null if there is none. */
  readonly since: CalendarDay | null
}

export function exhaustionOf(
  limit: Pick<Limit, 'period' | 'to' | 'refuseAt'>,
  used: string,
  { recent, since }: RecentUse,
  today: CalendarDay,
): Exhaustion {
  if (limit.refuseAt === null) return { kind: 'unknown' }
  const left = toHundredths(limit.refuseAt) - toHundredths(used)
  if (left <= 0n) return { kind: 'used up' }
  const total = toHundredths(recent)
  if (limit.period === 'day' || since === null || total <= 0n) return { kind: 'unknown' }
  const days = BigInt(Math.min(EXHAUSTION_WINDOW, Math.max(1, daysBetween(since, today))))
  const until = (left * days + total - 1n) / total
  const reset = resetDay(limit, today)
  const horizon = BigInt(reset === null ? MAX_DAYS : daysBetween(today, reset))
  if (until > horizon || (reset !== null && until >= horizon)) return { kind: 'not before it resets' }
  return { kind: 'on', day: addDays(today, Number(until)) }
}

/** A hundred years: later is as good as never. */
const MAX_DAYS = 36_500

export function exhaustionText(exhaustion: Exhaustion): string {
  switch (exhaustion.kind) {
    case 'used up':
      return 'Used up'
    case 'on':
      return exhaustion.day
    case 'not before it resets':
      return 'Not used up before it resets'
    case 'unknown':
      return '—'
  }
}
