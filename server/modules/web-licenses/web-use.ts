import type { Kysely } from 'kysely'
import { MAX_REPORT_DAYS } from '#contract/web-licenses/web-report.ts'
import { daysBetween } from '#domain/calendar/calendar-day.ts'
import { type DayRange, instantsOf, readDayOf } from '#domain/calendar/day-range.ts'
import type { ReportedCheckout, ReportedDenials, ReportedEntitlement } from '#domain/web-licenses/web-report.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError } from '#server/http/http-error.ts'
import { tooManyRows } from '#server/lists/list-limits.ts'
import {
  listCheckoutsIn,
  listDenialsIn,
  listReportedEntitlements,
} from '#server/modules/web-licenses/web-report.queries.ts'

/** A report reads every checkout of its range: beyond this it would hold up other calls. */
const MAX_CHECKOUTS = 200_000

type Scope = { readonly range: DayRange; readonly timeZone: string; readonly now: Date }
type WebUse = { entitlements: ReportedEntitlement[]; checkouts: ReportedCheckout[]; denials: ReportedDenials[] }

/** What an account has of web licenses, and what was checked out and denied in a range. */
export async function loadWebUse(
  db: Kysely<DB>,
  customerNumber: string,
  { range, timeZone, now }: Scope,
): Promise<WebUse> {
  const period = instantsOf(range, timeZone)
  const checkouts = await listCheckoutsIn(db, customerNumber, period, MAX_CHECKOUTS + 1)
  if (checkouts.length > MAX_CHECKOUTS) throw tooManyRows()
  return {
    entitlements: await listReportedEntitlements(db, customerNumber),
    checkouts: checkouts.map((one) => ({ ...one, to: one.to ?? now })),
    denials: await listDenialsIn(db, customerNumber, period),
  }
}

export function readReportRange(body: { from: string; to: string }, timeZone: string): DayRange {
  const [from, to] = [readDayOf(body.from, timeZone), readDayOf(body.to, timeZone)]
  if (!from) throw new HttpError(400, 'body.from must be a day such as 2026-10-01')
  if (!to) throw new HttpError(400, 'body.to must be a day such as 2026-10-31')
  if (from > to) throw new HttpError(400, 'body.from must not be after body.to')
  if (daysBetween(from, to) >= MAX_REPORT_DAYS)
    throw new HttpError(400, `A report covers ${MAX_REPORT_DAYS} days at most`)
  return { from, to }
}
