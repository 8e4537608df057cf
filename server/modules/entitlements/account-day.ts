import type { Kysely } from 'kysely'
import { type CalendarDay, dayIn } from '#domain/kit/calendar-day.ts'
import { accountOf } from '#server/modules/accounts/accounts.public.ts'
import type { DB } from '#server/plugins/schema.ts'

/** Today where the account is. */
export async function accountDay(db: Kysely<DB>, customerNumber: string, now: Date): Promise<CalendarDay> {
  const { time_zone } = await accountOf(db, customerNumber)
  return dayIn(time_zone, now)
}
