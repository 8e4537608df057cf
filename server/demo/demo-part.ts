import type { Transaction } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import type { InstallationSecrets } from '#server/db/secrets.queries.ts'
import type { Random } from '#server/demo/random.ts'

/** What a part is given: the day for which it is made, and seeded random numbers. */
export type World = {
  /** Midnight UTC of the day for which the data is made: every stored instant is relative to it, never to the clock. */
  readonly midnight: Date
  readonly secrets: InstallationSecrets
  /** The calendar day in a time zone. */
  today(timeZone: string): CalendarDay
  /** How many usage transactions to make; tests need fewer. */
  readonly usageTransactions: number
  /** A separate stream for each purpose, so that drawing more numbers for one does not change the others. */
  random(purpose: string): Random
}

/** A piece of the demo data that is loaded once, in one transaction. */
export type DemoPart = {
  readonly name: string
  load(tx: Transaction<DB>, world: World): Promise<void>
}
