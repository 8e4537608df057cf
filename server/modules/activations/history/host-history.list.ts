import { type SqlBool, sql } from 'kysely'
import { HISTORY_FIELDS, hostHistoryList } from '#contract/activations/history/history.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { listSource } from '#server/lists/list-source.ts'
import { HISTORY_COLUMNS, historyFilter } from '#server/modules/activations/history/history.queries.ts'
import { isFileOutOfDate, joinGroups } from '#server/modules/activations/hosts/hosts.queries.ts'
import { soldEntitlements } from '#server/modules/entitlements/entitlements.public.ts'

/**
 * Which hosts a call is about. A history filter is part of it, because it decides which entry is shown for the host.
 */
export type HostHistoryScope = {
  readonly customerNumber: string
  readonly state: 'Active' | 'Inactive' | null
  /** The history filter as JSON, unchecked; null if there is none. */
  readonly history: string | null
  readonly timeZone: string
  readonly today: CalendarDay
  /** Whether the account shares a license server with others. */
  readonly isSharing: boolean
}

const newestEntry = ({ customerNumber, history, timeZone }: HostHistoryScope) => sql`
  select ${sql.join(Object.values(HISTORY_COLUMNS).map((column, at) => sql.raw(`${column} as c${at}`)))}
    from fulfillment f join ${soldEntitlements} e using (activation_id)
   where f.customer_number = ${customerNumber} and f.host_id_type = h.host_id_type and f.host_id = h.host_id
     and e.customer_number = ${customerNumber}
     and ${historyFilter(history === null ? undefined : JSON.parse(history), timeZone)}
   order by f.fulfilled_at desc, f.fulfillment_id desc limit 1`

const entryColumns = Object.fromEntries(
  Object.keys(HISTORY_FIELDS).map((name) => [name, `n.c${Object.keys(HISTORY_COLUMNS).indexOf(name)}`]),
) as Record<keyof typeof HISTORY_FIELDS, string>

const holdsSeats = (customerNumber: string) => sql<SqlBool>`exists (
  select 1 from host_seats s where s.customer_number = ${customerNumber} and s.host_id_type = h.host_id_type
     and s.host_id = h.host_id and s.seats > 0)`

export const hostHistorySource = listSource(hostHistoryList, {
  columns: {
    serverName: 'h.host_name',
    serverId: 'h.host_id',
    serverIdType: `case when h.host_id like '%,%' then concat_ws(',', h.host_id_type, h.host_id_type, h.host_id_type)
      else h.host_id_type end`,
    hostid: `case h.host_id_type when 'ETHERNET' then 'MAC_ADDRESS' else h.host_id_type end || '=' || h.host_id`,
    isShared: 'g.parts is not null',
    licenseFile: 'd.license_file',
    ...entryColumns,
  },
  from: (scope: HostHistoryScope) => sql`
    host h
    ${joinGroups(scope.customerNumber, scope.isSharing)}
    cross join lateral (${newestEntry(scope)}) n
    cross join lateral (
      select case when ${isFileOutOfDate(scope.customerNumber, scope.today)} then 'Out of date' else 'Up to date' end
          as license_file) d`,
  scope: ({ customerNumber, state }: HostHistoryScope) => sql<SqlBool>`
    h.customer_number = ${customerNumber} and h.removed_at is null
    and ${state === null ? sql<SqlBool>`true` : sql<SqlBool>`${holdsSeats(customerNumber)} = ${state === 'Active'}`}`,
})
