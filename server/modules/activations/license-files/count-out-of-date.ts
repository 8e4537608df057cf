import type { Kysely } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { listServerRows } from '#server/modules/activations/hosts/hosts.queries.ts'
import { toServers } from '#server/modules/activations/hosts/servers.mapping.ts'

/** License servers whose license file is out of date on a day. */
export async function countOutOfDate(db: Kysely<DB>, customerNumber: string, today: CalendarDay): Promise<number> {
  const servers = toServers(await listServerRows(db, customerNumber, today), today)
  return servers.filter((server) => server.isOutOfDate).length
}
