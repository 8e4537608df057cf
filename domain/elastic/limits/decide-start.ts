import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import {
  type Limit,
  limitsOn,
  namedSubject,
  PERIOD_LABELS,
  type StartNames,
  subjectText,
} from '#domain/elastic/limits/limit.ts'
import { sessionCharge } from '#domain/elastic/sessions/session-charge.ts'
import { LIFE } from '#domain/elastic/sessions/session-life.ts'
import { formatDecimal, formatHundredths, toHundredths } from '#domain/money/decimal.ts'

/**
 * What a session costs at least: 15 minutes, because one that is abandoned right after its start is closed then. A running session
 * and a start count with no less, so that starts at the same time cannot pass a limit together.
 */
export const leastCharge = (session: { readonly productCount: number; readonly unitsPerHour: string }): string =>
  sessionCharge({ ...session, startedAt: new Date(0), endedAt: new Date(LIFE) })

/** What counts against a limit: what is booked in its period, and what running sessions have cost so far. */
export type LimitUse = { readonly booked: string; readonly running: string }

export const usedOf = ({ booked, running }: LimitUse): bigint => toHundredths(booked) + toHundredths(running)

/** Whether so much is used; nothing is ever at null. */
export const isAtAmount = (amount: string | null, use: LimitUse): boolean =>
  amount !== null && usedOf(use) >= toHundredths(amount)

export type Reached<L extends Limit> = { readonly limit: L; readonly used: string; readonly cost: string }

/** The limit that keeps a start from beginning; of several the one that lasts longest. Undefined: none does. */
export function reachedLimit<L extends Limit & LimitUse>(
  limits: readonly L[],
  {
    names,
    day,
    currency,
    cost,
  }: {
    readonly names: StartNames
    readonly day: CalendarDay
    readonly currency: string
    /** What the start costs at least. */
    readonly cost: string
  },
): Reached<L> | undefined {
  const limit = limitsOn(limits, names, { day, currency }).find(
    (one) => one.refuseAt !== null && usedOf(one) + toHundredths(cost) > toHundredths(one.refuseAt),
  )
  return limit && { limit, used: formatHundredths(usedOf(limit)), cost }
}

/** Who can change a limit, for people and programs. */
export const RAISED_BY = 'Administrators of the account can raise the limit.'

/** Why a start is refused, when that ends and who can change it. */
export function reachedText<L extends Limit>(
  { limit, used, cost }: Reached<L>,
  names: StartNames,
  resets: { readonly day: CalendarDay; readonly timeZone: string } | null,
): string {
  const amount = (value: string) => formatDecimal(value, 2)
  const reset = resets === null ? 'It does not reset.' : `It resets on ${resets.day} (${resets.timeZone}).`
  return `The limit of ${amount(limit.refuseAt ?? '0')} ${limit.currency} ${PERIOD_LABELS[limit.period]} is reached for ${lowerFirst(subjectText(namedSubject(limit, names)))}: ${amount(used)} are used, and a session costs at least ${amount(cost)}. ${reset} ${RAISED_BY}`
}

const lowerFirst = (text: string) => (text === 'Account' ? 'the account' : text.charAt(0).toLowerCase() + text.slice(1))
