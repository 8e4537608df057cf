import type { CalendarDay } from '#domain/calendar/calendar-day.ts'

/** The account and the days of a report. */
export type ReportHeader = {
  readonly customerNumber: string
  readonly customerName: string
  /** Absent on statements, whose head the specification gives. */
  readonly timeZone?: string
  readonly from: CalendarDay
  readonly to: CalendarDay
}

/** The facts at the head of every report. */
export const reportFacts = (header: ReportHeader): (readonly [string, string])[] => [
  ['Account ID (Account Name)', `${header.customerNumber} (${header.customerName})`],
  ['Period Start Date', header.from],
  ['Period End Date', header.to],
  ...(header.timeZone === undefined ? [] : [['Time Zone', header.timeZone] as const]),
]
