import type { Kysely } from 'kysely'
import { MAX_REPORT_DAYS } from '#contract/web-licenses/web-report.ts'
import { daysBetween } from '#domain/calendar/calendar-day.ts'
import { type DayRange, instantsOf, readDayOf } from '#domain/calendar/day-range.ts'
import { daysIn, type RangeDays } from '#domain/web-licenses/range-days.ts'
import type { CountedUse, CountedUser, ReportedDenials, ReportedEntitlement } from '#domain/web-licenses/web-report.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError } from '#server/http/http-error.ts'
import { tooManyRows } from '#server/lists/list-limits.ts'
import {
  countCheckoutsIn,
  listDenialsIn,
  listPeakUse,
  listReportedEntitlements,
  listUseByProduct,
  listUseByUser,
} from '#server/modules/web-licenses/web-report.queries.ts'

/** Maximum number of checkouts in a report: counting more would exceed the statement timeout. */
const MAX_CHECKOUTS = 200_000

type Scope = { readonly range: DayRange; readonly timeZone: string; readonly now: Date }
type WebUse = {
  readonly rangeDays: RangeDays
  readonly entitlements: readonly ReportedEntitlement[]
  readonly used: readonly CountedUse[]
  readonly denials: readonly ReportedDenials[]
}

/** What an account has of web licenses, and what was checked out and denied in a range. */
export async function loadWebUse(
  db: Kysely<DB>,
  customerNumber: string,
  { range, timeZone, now }: Scope,
): Promise<WebUse> {
  const period = instantsOf(range, timeZone)
  if ((await countCheckoutsIn(db, customerNumber, period, MAX_CHECKOUTS + 1)) > MAX_CHECKOUTS) throw tooManyRows()
  const rangeDays = daysIn(range, timeZone)
  const peaks = await listPeakUse(db, customerNumber, period, { starts: rangeDays.starts, now })
  const peaksOf = new Map(peaks.map((one) => [one.product, one]))
  return {
    rangeDays,
    entitlements: await listReportedEntitlements(db, customerNumber),
    used: (await listUseByProduct(db, customerNumber, period, now)).map((one) => ({
      ...one,
      peaks: peaksOf.get(one.product)?.peaks ?? [],
      sharedPeak: peaksOf.get(one.product)?.sharedPeak ?? 0,
    })),
    denials: await listDenialsIn(db, customerNumber, period),
  }
}

export async function loadUseByUser(
  db: Kysely<DB>,
  customerNumber: string,
  { range, timeZone, now }: Scope,
): Promise<CountedUser[]> {
  return listUseByUser(db, customerNumber, instantsOf(range, timeZone), now)
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
