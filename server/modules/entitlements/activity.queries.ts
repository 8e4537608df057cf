import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { bookedOn } from '#server/modules/entitlements/booked-charges.queries.ts'

/**
 * The rows of `entitlement e` that are active on a day, or are not: the SQL side of `domain/entitlements/activity.ts`.
 * The end stands first and alone: in the order of the end, an index then begins right at the day.
 */
export function isActiveOn(today: CalendarDay, isActive: boolean): RawBuilder<SqlBool> {
  const day = sql`${today}::date`
  const total = sql`e.line_item_quantity * e.units_per_line`
  const active = sql<SqlBool>`
    e.ends_on >= ${day}
    and (e.start_date <= ${day} or e.kind = 'FSA')
    and not (e.kind = 'ELASTIC' and ${total} > 0 and ${bookedOn()} >= ${total})`
  return isActive ? active : sql<SqlBool>`not (${active})`
}
