import { sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import type { HostKey } from '#server/modules/license-use/logs/log.queries.ts'
import type { Window } from '#server/modules/license-use/use/sums.queries.ts'

/**
 * The times that a part of a log has in common with other logs of the license server; null if there are none. `greatest` and `least` ignore
 * nulls: without `having`, a license server with one log would overlap with itself.
 */
export async function findOverlap(
  tx: Transaction<DB>,
  { customerNumber, hostId }: HostKey,
  number: number,
  { from, to }: Window,
): Promise<Window | null> {
  const { rows } = await sql<{ from: string | null; to: string | null }>`
    select greatest(min(first_at), ${from}::timestamp)::text as from, least(max(last_at), ${to}::timestamp)::text as to
      from license_log
     where customer_number = ${customerNumber} and host_id = ${hostId} and number <> ${number}
       and first_at <= ${to}::timestamp and last_at >= ${from}::timestamp
    having count(*) > 0`.execute(tx)
  const [row] = rows
  return row?.from && row.to && row.from <= row.to ? { from: row.from, to: row.to } : null
}

const WHO = sql`daemon, feature, user_name, user_host, coalesce(data, ''), seats`
const DENIED = sql`daemon, feature, user_name, user_host, seats, coalesce(code, 0)`

/**
 * Where logs overlap, the same lines are in several of them and count once. Equal lines of one log are separate events: of
 * each event, as many count as the log has that has the most. Those count about which their log says more. Returns the
 * earliest time that changed. Only rows that change are joined: without statistics of a new month, the planner joins row by row.
 */
export async function markRepeated(
  tx: Transaction<DB>,
  { customerNumber, hostId }: HostKey,
  { from, to }: Window,
): Promise<string | null> {
  const ours = sql`customer_number = ${customerNumber} and host_id = ${hostId}`
  const within = (column: string) =>
    sql`${sql.ref(column)} >= ${from}::timestamp and ${sql.ref(column)} <= ${to}::timestamp`
  const { rows } = await sql<{ at: string | null }>`
    with began as (
      select number, id, out_at, is_repeated as was, row_number() over (partition by ${WHO}, out_at order by is_open_in_log, number, id) as rank,
             max(equal) over (partition by ${WHO}, out_at) as most
        from (select *, count(*) over (partition by ${WHO}, out_at, number) as equal from license_checkout
               where ${ours} and ${within('out_at')} and is_start_known) c),
    ended as (
      select number, id, out_at, is_start_known, is_repeated as was,
             row_number() over (partition by ${WHO}, in_at order by is_start_known desc, number, id) as rank,
             max(equal) over (partition by ${WHO}, in_at) as most
        from (select *, count(*) over (partition by ${WHO}, in_at, number) as equal from license_checkout
               where ${ours} and ${within('in_at')} and not is_open_in_log) c),
    repeated as (
      select number, id, out_at, rank > most as is_repeated from began where was <> (rank > most)
      union all select number, id, out_at, rank > most from ended where not is_start_known and was <> (rank > most)),
    checkouts as (
      update license_checkout c set is_repeated = r.is_repeated, is_joined = r.is_repeated from repeated r
       where c.customer_number = ${customerNumber} and c.host_id = ${hostId} and c.number = r.number and c.id = r.id
         and c.out_at = r.out_at returning c.out_at as at),
    refused as (
      select number, id, at, is_repeated as was,
             row_number() over (partition by event, ${DENIED}, at order by is_real, number, id)
               > max(equal) over (partition by event, ${DENIED}, at) as is_repeated
        from (select *, count(*) over (partition by event, ${DENIED}, at, number) as equal from license_denial
               where ${ours} and ${within('at')}) d),
    denials as (
      update license_denial d set is_repeated = r.is_repeated from refused r
       where r.was <> r.is_repeated and d.customer_number = ${customerNumber} and d.host_id = ${hostId} and d.number = r.number and d.id = r.id
         and d.at = r.at returning d.at)
    select min(at)::text as at from (select at from checkouts union all select at from denials) changed`.execute(tx)
  return rows[0]?.at ?? null
}
