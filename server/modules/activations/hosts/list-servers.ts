import type { Kysely } from 'kysely'
import type { fulfillmentHosts } from '#contract/activations/hosts/hosts-with-seats.ts'
import type { getServer as getServerOperation, Server } from '#contract/activations/hosts/servers.ts'
import type { DataOf } from '#contract/kit/operation.ts'
import { hostState, sortedHosts } from '#domain/activations/hosts/host-list.ts'
import { isOutOfDate } from '#domain/activations/license-files/license-file.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DB } from '#server/db/schema.ts'
import {
  findTriadWith,
  listServerRows,
  type Machine,
  type SeatsOnHost,
  type ServerRow,
} from '#server/modules/activations/hosts/hosts.queries.ts'
import { noSuchHost, toHostIdentity } from '#server/modules/activations/hosts/named-host.ts'

/** License servers of an account, in the order of the screen. */
export async function listServers(db: Kysely<DB>, customerNumber: string, today: CalendarDay): Promise<Server[]> {
  return toServers(await listServerRows(db, customerNumber, today), today)
}

/** One license server of an account, also a deleted one. */
export async function getServer(
  db: Kysely<DB>,
  customerNumber: string,
  machine: Machine,
  today: CalendarDay,
): Promise<DataOf<typeof getServerOperation>> {
  let rows = await listServerRows(db, customerNumber, today, machine)
  const triad = rows.length === 0 ? await findTriadWith(db, customerNumber, machine) : undefined
  if (triad) rows = await listServerRows(db, customerNumber, today, triad)
  const [server] = toServers(rows, today)
  if (!server) throw noSuchHost(machine)
  return { ...server, deletedAt: rows[0]?.removed_at?.toISOString() ?? null }
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
