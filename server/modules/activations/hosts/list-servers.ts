import type { Kysely } from 'kysely'
import type { fulfillmentHosts } from '#contract/activations/hosts/hosts-with-seats.ts'
import type { Server } from '#contract/activations/hosts/servers.ts'
import type { DataOf } from '#contract/kit/operation.ts'
import { hostState, sortedHosts } from '#domain/activations/hosts/host-list.ts'
import { isOutOfDate } from '#domain/activations/license-files/license-file.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import { listServerRows, type SeatsOnHost, type ServerRow } from '#server/modules/activations/hosts/hosts.queries.ts'
import { toHostIdentity } from '#server/modules/activations/hosts/named-host.ts'

/** License servers of an account, in the order of the screen. */
export async function listServers(db: Kysely<DB>, customerNumber: string, today: CalendarDay): Promise<Server[]> {
  return toServers(await listServerRows(db, customerNumber, today), today)
}

/** License servers whose license file is out of date on a day. */
export async function countOutOfDate(db: Kysely<DB>, customerNumber: string, today: CalendarDay): Promise<number> {
  return (await listServers(db, customerNumber, today)).filter(({ isOutOfDate }) => isOutOfDate).length
}

function toServers(rows: readonly ServerRow[], today: CalendarDay): Server[] {
  const hosts = rows.map((row) => ({
    row,
    ...toHostIdentity(row),
    state: hostState({ now: row.seats, everActivated: row.ledger_rows > 0 }),
  }))
  return sortedHosts(hosts).map(({ row, serverName, serverId, serverIdType, state }) => ({
    id: serverId,
    name: serverName,
    type: serverIdType,
    state,
    isOutOfDate: isOutOfDate(lastFileOf(row), row.usable_seats, today),
    portNumber: row.port,
    ansysborrowed: row.is_borrowable,
    isShared: row.is_shared,
    generatedAt: row.generated_at?.toISOString() ?? null,
    generatedBy: row.generated_by,
  }))
}

function lastFileOf({ generated_at, is_changed_since, first_end }: ServerRow) {
  return generated_at === null ? undefined : { isChangedSince: is_changed_since, firstEnd: first_end }
}

export function toSeatsOnHost(row: SeatsOnHost): DataOf<typeof fulfillmentHosts>[number] {
  return { ...toHostIdentity(row), count: row.seats }
}
