import { addDays, type CalendarDay } from '#domain/calendar/calendar-day.ts'
import { addMonths, startOfMonth } from '#domain/calendar/calendar-periods.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import {
  isStated,
  type StatedEntitlement,
  type StatementRecord,
  toRecord,
} from '#domain/elastic/statements/statement.ts'
import { add, compare, subtract } from '#domain/money/decimal.ts'

/** Each kind is a series of its own: a monthly statement follows the monthly one before it. */
export const STATEMENT_KINDS = ['weekly', 'monthly'] as const
export type StatementKind = (typeof STATEMENT_KINDS)[number]

/** What people mail of the screens, as it is shown: outside of the series, and as often as they like. */
export const REPORT_KINDS = ['statement', 'chargeback', 'forecast', 'usage'] as const
export type ReportKind = (typeof REPORT_KINDS)[number]

export const MAILED_KINDS = [...STATEMENT_KINDS, ...REPORT_KINDS] as const
export const MAILED_KIND_NAMES: Readonly<Record<(typeof MAILED_KINDS)[number], string>> = {
  weekly: 'Weekly',
  monthly: 'Monthly',
  statement: 'Summary',
  chargeback: 'Chargeback',
  forecast: 'Forecast',
  usage: 'Usage',
}

/** The seven days before a day, or the calendar month before it. */
export function mailedPeriod(kind: StatementKind, day: CalendarDay): DayRange {
  if (kind === 'weekly') return { from: addDays(day, -7), to: addDays(day, -1) }
  const month = startOfMonth(day)
  return { from: addMonths(month, -1), to: addDays(month, -1) }
}

/** What the previous mailed statement of the series was based on, and what is known now about the same time. */
export type PreviousBalance = {
  /** The last day of its period. */
  readonly to: CalendarDay
  readonly total: string
  /** Charges that had ended by then and had arrived when it was mailed. */
  readonly used: string
  /** Charges that had ended by then and have arrived by now. */
  readonly usedNow: string
}
export type EntitlementToMail = StatedEntitlement & {
  /** Null if no earlier statement of the series covered this entitlement. */
  readonly previous: PreviousBalance | null
}

/** How the balance of the previous mailed statement became the balance before this one: `balance + added − late − between`. */
export type BroughtForward = {
  /** The last day of the previous period. */
  readonly to: CalendarDay
  readonly balance: string
  /** Units bought since. */
  readonly added: string
  /** Arrived since, and ended in a period that was mailed before. Negative after a correction. */
  readonly late: string
  /** Ended after the previous period and before this one. */
  readonly between: string
}
export type MailedRecord = StatementRecord & { readonly broughtForward: BroughtForward | null }

/** What is kept of an entitlement when a statement is mailed, and never changed. */
export type FrozenEntitlement = {
  readonly activationId: string
  readonly total: string
  /** Charges that ended by the last day of the period. */
  readonly used: string
  /** Null if the statement has no line for it. It still counts as stated: what arrives later is late. */
  readonly record: MailedRecord | null
}

export function freezeEntitlement(period: DayRange, entitlement: EntitlementToMail): FrozenEntitlement {
  const { activationId, total, usedBefore, previous } = entitlement
  const broughtForward = previous && bringForward(previous, { total, usedBefore })
  const record = toRecord(entitlement)
  const hasLine = isStated(period, entitlement) || (broughtForward !== null && hasLateUsage(broughtForward))
  return {
    activationId,
    total,
    used: add(usedBefore, record.used),
    record: hasLine ? { ...record, broughtForward } : null,
  }
}

function bringForward(
  { to, total: previousTotal, used, usedNow }: PreviousBalance,
  { total, usedBefore }: { total: string; usedBefore: string },
): BroughtForward {
  return {
    to,
    balance: subtract(previousTotal, used),
    added: subtract(total, previousTotal),
    late: subtract(usedNow, used),
    between: subtract(usedBefore, usedNow),
  }
}

export const hasLateUsage = ({ late }: BroughtForward): boolean => compare(late, 0) !== 0
