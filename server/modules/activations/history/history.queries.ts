import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { HISTORY_FIELDS } from '#contract/activations/history/history.ts'
import { ACTION_WORDS, DEFAULT_MODIFIER, type HistoryEntry } from '#domain/activations/history/history-groups.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { FulfillmentAction, HostIdType } from '#domain/entitlements/fulfillment.ts'
import { MAINTENANCE_ENDS_ON } from '#domain/entitlements/term.ts'
import { parseFilter } from '#domain/filter/parse-filter.ts'
import type { DB } from '#server/db/schema.ts'
import { filterToSql } from '#server/lists/filter-to-sql.ts'
import { asListError } from '#server/lists/list-error.ts'
import type { ListFields } from '#server/lists/list-source.ts'
import { soldEntitlements } from '#server/modules/entitlements/entitlements.public.ts'

/** An entry of the history, as `fulfillment f join ${soldEntitlements} e` has it. */
export const HISTORY_COLUMNS = {
  time: 'f.fulfilled_at',
  modifiedby: `coalesce(nullif(f.modified_by, ''), '${DEFAULT_MODIFIER}')`,
  action: 'f.action',
  actionword: `case f.action ${Object.entries(ACTION_WORDS)
    .map(([action, word]) => `when '${action}' then '${word}'`)
    .join(' ')} end`,
  ansysproduct: 'e.product_name',
  activationid: 'f.activation_id',
  count: 'f.fulfill_count',
  startdate: 'e.start_date',
  enddate: `coalesce(e.end_date::text, '${MAINTENANCE_ENDS_ON} ' || e.version_date, '')`,
} as const satisfies Record<keyof typeof HISTORY_FIELDS, string>

const FIELDS: ListFields = Object.fromEntries(
  Object.entries(HISTORY_FIELDS).map(([name, field]) => [
    name,
    { ...field, column: HISTORY_COLUMNS[name as keyof typeof HISTORY_COLUMNS], nullable: false },
  ]),
)

/** The SQL condition of a filter on entries, which is validated here. */
export function historyFilter(filter: unknown, timeZone: string): RawBuilder<SqlBool> {
  return filterToSql(
    FIELDS,
    asListError(() => parseFilter(FIELDS, filter, timeZone)),
  )
}

type EntryRow = {
  position: number
  time: Date
  modified_by: string
  action: FulfillmentAction
  activation_id: string
  product_name: string
  fulfill_count: number
  start_date: CalendarDay
  end_date: string
  is_found: boolean
}

type NamedHost = { readonly host_id_type: HostIdType; readonly host_id: string }

/** The newest entries of each host, in the order of the hosts; all of them unless `limit` says how many. */
export async function loadHistory(
  db: Kysely<DB>,
  customerNumber: string,
  hosts: readonly NamedHost[],
  isFound: RawBuilder<SqlBool> = sql`true`,
  limit: number | null = null,
): Promise<HistoryEntry[][]> {
  const { rows } = await sql<EntryRow>`
    select h.position::int, f.fulfilled_at as time, f.modified_by, f.action, f.activation_id, e.product_name, f.fulfill_count,
           e.start_date, ${sql.raw(HISTORY_COLUMNS.enddate)} as end_date, ${isFound} as is_found
      from unnest(${hosts.map((one) => one.host_id_type)}::text[], ${hosts.map((one) => one.host_id)}::text[])
             with ordinality h (host_id_type, host_id, position)
      cross join lateral (
        select * from fulfillment f
         where f.customer_number = ${customerNumber} and f.host_id_type = h.host_id_type and f.host_id = h.host_id
         order by f.fulfilled_at desc, f.fulfillment_id desc limit ${limit}) f
      join ${soldEntitlements} e on e.customer_number = ${customerNumber} and e.activation_id = f.activation_id
     order by h.position, f.fulfilled_at, e.product_name, f.activation_id, f.fulfillment_id`.execute(db)
  const histories = hosts.map((): HistoryEntry[] => [])
  for (const row of rows) histories[row.position - 1]?.push(toEntry(row))
  return histories
}

type RehostRow = {
  time: Date
  activation_id: string
  is_activated: boolean
  host_name: string
  host_id: string
  host_id_type: HostIdType
  is_listed: boolean
}

/**
 * The other host of the newest rehosts of a host. The ledger does not store it: it is the host of the nearest later or
 * earlier entry for the same entitlement in the other direction, because seats are activated after they are returned.
 */
export async function loadRehosts(
  db: Kysely<DB>,
  customerNumber: string,
  { host_id_type, host_id }: NamedHost,
  limit: number,
): Promise<RehostRow[]> {
  const { rows } = await sql<RehostRow>`
    select f.fulfilled_at as time, f.activation_id, f.fulfill_count > 0 as is_activated, h.host_name, h.host_id,
           h.host_id_type, h.removed_at is null as is_listed
      from (select * from fulfillment f
             where f.customer_number = ${customerNumber} and f.host_id_type = ${host_id_type} and f.host_id = ${host_id}
               and f.action = 'REHOST'
             order by f.fulfilled_at desc limit ${limit}) f
      cross join lateral (
        select o.host_id_type, o.host_id from fulfillment o
         where o.customer_number = ${customerNumber} and o.activation_id = f.activation_id and o.action = 'REHOST'
           and (o.host_id_type, o.host_id) <> (f.host_id_type, f.host_id)
           and case when f.fulfill_count < 0 then o.fulfill_count > 0 and o.fulfilled_at >= f.fulfilled_at
                    else o.fulfill_count < 0 and o.fulfilled_at <= f.fulfilled_at end
         order by greatest(o.fulfilled_at - f.fulfilled_at, f.fulfilled_at - o.fulfilled_at),
                  o.modified_by = f.modified_by desc limit 1) o
      join host h on h.customer_number = ${customerNumber} and h.host_id_type = o.host_id_type and h.host_id = o.host_id`.execute(
    db,
  )
  return rows
}

const toEntry = (row: EntryRow): HistoryEntry => ({
  time: row.time,
  modifiedBy: row.modified_by,
  action: row.action,
  activationId: row.activation_id,
  product: row.product_name,
  count: row.fulfill_count,
  startDate: row.start_date,
  endDate: row.end_date,
  isFound: row.is_found,
})
