import type { Kysely } from 'kysely'
import {
  type getRunOutForecast as operation,
  type RunOutForecast,
  toWireForecast,
} from '#contract/elastic/balances/run-out-forecast.ts'
import { type CalendarDay, dayIn } from '#domain/calendar/calendar-day.ts'
import { forecastRunOut } from '#domain/elastic/balances/run-out.ts'
import type { DB } from '#server/db/schema.ts'
import { tooManyRows } from '#server/lists/list-limits.ts'
import { listCurrentBalances, listUseHistories } from '#server/modules/elastic/balances/run-out.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

const MAX_BALANCES = 5000

export async function getRunOutForecast({
  db,
  now,
  standing,
  timeZone,
}: Call<typeof operation>): Promise<Result<typeof operation>> {
  return { data: toWireForecast(await loadRunOutForecast(db, standing.customerNumber, dayIn(timeZone, now))) }
}

/** When the elastic balances of an account are used up, seen from a day of the account. */
export async function loadRunOutForecast(
  db: Kysely<DB>,
  customerNumber: string,
  today: CalendarDay,
): Promise<RunOutForecast> {
  const balances = await listCurrentBalances(db, customerNumber, today, MAX_BALANCES + 1)
  if (balances.length > MAX_BALANCES) throw tooManyRows()
  const histories = await listUseHistories(db, customerNumber, today)
  return { asOf: today, balances: forecastRunOut(today, balances, histories), usage: histories }
}
