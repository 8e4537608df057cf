import { type Kysely, sql, type Transaction } from 'kysely'
import { MAX_SEATS } from '#domain/license-use/foreign-limits.ts'
import type { DB } from '#server/db/schema.ts'
import type { HostKey } from '#server/modules/license-use/logs/log.queries.ts'

/** Times of the license server's clock that changed, both included. */
export type Window = { readonly from: string; readonly to: string }

/** The longest time that one lmstat output speaks for, until the next. In seconds. */
export const MAX_POLL = 900

/** Foreign lines may add up to more than can be stored. */
const MAX_SEAT_SECONDS = '9000000000000000000'

/** Seats of each feature: as the license server said last, or else those that the portal put into its license file. */
const seatLimits = ({ customerNumber, hostId }: HostKey) => sql`
    filed as (
      select n.feature, sum(s.seats)::int as seats from host_seats s
        join entitlement e on e.customer_number = ${customerNumber} and e.activation_id = s.activation_id
        join product p on p.part_number = e.part_number cross join lateral unnest(p.feature_names) as n (feature)
       where s.customer_number = ${customerNumber} and s.host_id = ${hostId} and s.seats > 0 group by 1),
    seat_limit as (
      select feature, coalesce(f.seat_limit, d.seats) as seat_limit
        from (select feature, seat_limit from license_feature where customer_number = ${customerNumber} and host_id = ${hostId}) f
        full join filed d using (feature))`

/** Before this time the sums that exist stay, because what they were made of is gone; only missing ones are added. */
const removedBefore = ({ customerNumber, hostId }: HostKey) => sql`
  (select coalesce(max(removed_before), '-infinity') from license_report
    where customer_number = ${customerNumber} and host_id = ${hostId})`

const sumsLock = ({ customerNumber, hostId }: HostKey) =>
  sql`hashtextextended(${`license use sums ${customerNumber} ${hostId}`}, 0)`

/**
 * Waits until nobody else sums this license server, and keeps others from it until the end of the transaction. A day of a busy license
 * server is sorted in memory.
 */
export async function lockSums(tx: Transaction<DB>, key: HostKey): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sumsLock(key)}), set_config('work_mem', '64MB', true)`.execute(tx)
}

/** The same without waiting. Returns false if somebody else sums it. */
export async function tryLockSums(tx: Transaction<DB>, key: HostKey): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(${sumsLock(key)}) as "isLocked"`.execute(tx)
  return rows[0]!.isLocked
}

/** Lets nobody sum any license server of an account. */
export async function lockSumsOf(tx: Transaction<DB>, customerNumber: string): Promise<void> {
  const reports = await tx
    .selectFrom('license_report')
    .select('host_id')
    .where('customer_number', '=', customerNumber)
    .orderBy('host_id')
    .execute()
  for (const { host_id } of reports) await lockSums(tx, { customerNumber, hostId: host_id })
}

/**
 * How many rows the sums of a window have at most: one for each hour in which a feature was in use, and one for each day of each
 * checkout. A checkout that stays out for months has many.
 */
export async function countSums(
  db: Kysely<DB>,
  { customerNumber, hostId }: HostKey,
  { from, to }: Window,
): Promise<{ hours: number; days: number }> {
  const ours = sql`customer_number = ${customerNumber} and host_id = ${hostId}`
  const { rows } = await sql<{ hours: number; days: number }>`
    with held as (
      select feature, out_at as began_at, in_at as ended_at from license_checkout where ${ours} and not is_joined
      union all select feature, started_at, last_seen_at from license_seen_checkout where ${ours}),
    span as (
      select feature, greatest(began_at, ${from}::timestamp) as from_at, least(ended_at, ${to}::timestamp) as to_at from held
       where began_at <= ${to}::timestamp and ended_at >= ${from}::timestamp),
    used as (
      select date_part('epoch', max(to_at) - min(from_at)) / 3600 + 1 as hours,
             sum(date_part('epoch', to_at - from_at)) / 86400 + count(*) as days from span group by feature)
    select coalesce(sum(hours), 0)::float8 as hours, coalesce(sum(days), 0)::float8 as days from used`.execute(db)
  return rows[0]!
}

/** Before and after all that happens within a second. */
const FIRST = sql.lit(-1)
const LAST = sql.lit(2 ** 31 - 1)

/**
 * Sums the hours of a window again from the checkouts and denials of logs and the samples of lmstat. Checkouts that are out count up
 * to the last line of the logs. Within an hour, use is a course of steps: each lasts until the next one or the end of the hour. Steps
 * of one second are in the order of their log, so a checkout that ends in its second counts. A log can lack lines, so the higher of
 * log and samples counts. The last lmstat output of all speaks for no time yet.
 */
export async function sumHours(
  tx: Transaction<DB>,
  { customerNumber, hostId }: HostKey,
  { from, to }: Window,
  known: string | null,
): Promise<void> {
  const first = sql`date_trunc('hour', ${from}::timestamp)`
  const end = sql`date_trunc('hour', ${to}::timestamp) + interval '1 hour'`
  await sql`
    delete from license_use_hour where customer_number = ${customerNumber} and host_id = ${hostId}
       and hour >= ${first} and hour < ${end} and hour >= ${removedBefore({ customerNumber, hostId })}`.execute(tx)
  await sql`
    with ${seatLimits({ customerNumber, hostId })}, span as (
      select feature, greatest(out_at, ${first}) as from_at, least(in_at, ${end}, greatest(${known}::timestamp, out_at + interval '1 second')) as to_at, seats,
             number, case when is_start_known then id else ${FIRST} end as out_id,
             coalesce(in_id, case when in_at = out_at then id else ${FIRST} end) as in_id,
             out_at < ${first} as is_earlier, out_at >= ${first} and is_start_known as begins
        from license_checkout
       where customer_number = ${customerNumber} and host_id = ${hostId} and out_at < ${end} and in_at >= ${first} and not is_joined),
    began as (
      select feature, date_trunc('hour', from_at) as hour, count(*) as checkouts from span where begins group by 1, 2),
    refused as (
      select feature, date_trunc('hour', at) as hour, count(*) as denials, count(*) filter (where is_real) as real_denials
        from license_denial
       where customer_number = ${customerNumber} and host_id = ${hostId} and at >= ${first} and at < ${end} and not is_repeated group by 1, 2),
    bounds as (
      select feature, min(from_at) as first_at, max(to_at) as last_at from span where to_at >= from_at group by 1),
    change as (
      select feature, from_at as at, case when is_earlier then ${FIRST} else number end as number,
             case when is_earlier then ${FIRST} else out_id end as id, seats, is_earlier from span
       where to_at >= from_at
      union all select feature, to_at, number, in_id, -seats, false from span where to_at >= from_at and to_at < ${end}
      union all select b.feature, h.hour, ${LAST}, ${LAST}, 0, false from bounds b
        cross join lateral generate_series(date_trunc('hour', b.first_at), b.last_at, interval '1 hour') as h (hour)
       where h.hour < ${end}),
    step as (
      select feature, at, is_earlier, sum(seats) over w as in_use, lead(at, 1, ${end}) over w as until
        from change window w as (partition by feature order by at, number, id, seats desc rows unbounded preceding)),
    used as (
      select s.feature, date_trunc('hour', s.at) as hour, max(s.in_use) as peak,
             sum(s.in_use * date_part('epoch', s.until - s.at)) as seat_seconds,
             coalesce(sum(date_part('epoch', s.until - s.at)) filter (where s.in_use >= l.seat_limit and l.seat_limit > 0), 0) as at_limit
        from step s left join seat_limit l on l.feature = s.feature
       where s.in_use > 0 and not s.is_earlier group by 1, 2),
    poll as (
      select s.hour, s.hour + p.minute::int * interval '1 minute' as at, p.uses
        from license_sample s cross join lateral jsonb_each(s.polls) as p (minute, uses)
       where s.customer_number = ${customerNumber} and s.host_id = ${hostId} and s.hour >= ${first} and s.hour <= ${end}),
    lasting as (
      select p.hour, p.uses, date_part('epoch', least(coalesce(lead(p.at) over (order by p.at), greatest(r.status_at, p.at)),
               p.at + ${MAX_POLL} * interval '1 second', p.hour + interval '1 hour') - p.at) as seconds
        from poll p join license_report r on r.customer_number = ${customerNumber} and r.host_id = ${hostId}),
    sampled as (
      select u.feature, s.hour, max((u.use ->> 0)::int) as peak, max((u.use ->> 1)::int) as seat_limit,
             sum((u.use ->> 0)::int * s.seconds) as seat_seconds,
             sum(s.seconds) filter (where (u.use ->> 0)::int >= (u.use ->> 1)::int) as at_limit
        from lasting s cross join lateral jsonb_each(s.uses) as u (feature, use)
       where s.hour < ${end} group by 1, 2)
    insert into license_use_hour (customer_number, host_id, feature, hour, peak, seat_seconds, seconds_at_limit, seat_limit,
           checkouts, denials, real_denials)
    select ${customerNumber}, ${hostId}, feature, hour, least(greatest(u.peak, s.peak, 0), ${MAX_SEATS}), least(greatest(u.seat_seconds, s.seat_seconds, 0), ${MAX_SEAT_SECONDS}::numeric),
           greatest(u.at_limit, s.at_limit, 0), coalesce(s.seat_limit, l.seat_limit),
           coalesce(b.checkouts, 0), coalesce(r.denials, 0), coalesce(r.real_denials, 0)
      from used u full join sampled s using (feature, hour) full join refused r using (feature, hour) full join began b using (feature, hour) left join seat_limit l using (feature)
        on conflict do nothing`.execute(tx)
}

/**
 * Sums the days of a window again, for each user and host of users. Users of a feature come from lmstat on days on which no log has
 * checkouts of it.
 */
export async function sumDays(
  tx: Transaction<DB>,
  { customerNumber, hostId }: HostKey,
  { from, to }: Window,
  known: string | null,
): Promise<void> {
  const first = sql`date_trunc('day', ${from}::timestamp)`
  const end = sql`date_trunc('day', ${to}::timestamp) + interval '1 day'`
  await sql`
    delete from license_use_day where customer_number = ${customerNumber} and host_id = ${hostId}
       and day >= ${first}::date and day < (${end})::date and day >= ${removedBefore({ customerNumber, hostId })}`.execute(
    tx,
  )
  await sql`
    with used as (
      select c.feature, d.day::date as day, c.user_name, c.user_host,
             sum(c.seats * greatest(0, date_part('epoch',
               least(c.in_at, d.day + interval '1 day', greatest(${known}::timestamp, c.out_at)) - greatest(c.out_at, d.day)))) as seat_seconds,
             count(*) filter (where c.out_at >= d.day and c.is_start_known) as checkouts
        from license_checkout c
       cross join lateral generate_series(greatest(date_trunc('day', c.out_at), ${first}),
               least(c.in_at, ${end} - interval '1 second', greatest(${known}::timestamp, c.out_at)), interval '1 day') as d (day)
       where c.customer_number = ${customerNumber} and c.host_id = ${hostId} and c.out_at < ${end}
         and c.in_at >= ${first} and (c.in_at > ${first} or c.out_at >= ${first}) and not c.is_joined
       group by 1, 2, 3, 4),
    seen as (
      select s.feature, d.day::date as day, s.user_name, s.user_host,
             sum(s.seats * date_part('epoch', least(s.last_seen_at, d.day + interval '1 day') - greatest(s.started_at, d.day))) as seat_seconds,
             count(*) filter (where s.started_at >= d.day) as checkouts
        from license_seen_checkout s
       cross join lateral generate_series(greatest(date_trunc('day', s.started_at), ${first}),
               least(s.last_seen_at, ${end} - interval '1 second'), interval '1 day') as d (day)
       where s.customer_number = ${customerNumber} and s.host_id = ${hostId} and s.started_at < ${end} and s.last_seen_at >= ${first}
         and not exists (select 1 from used u where u.feature = s.feature and u.day = d.day::date)
       group by 1, 2, 3, 4),
    held as (select * from used union all select * from seen),
    refused as (
      select feature, at::date as day, user_name, user_host, count(*) filter (where is_real) as real_denials from license_denial
       where customer_number = ${customerNumber} and host_id = ${hostId} and at >= ${first} and at < ${end} and not is_repeated
       group by 1, 2, 3, 4)
    insert into license_use_day (customer_number, host_id, feature, day, user_name, user_host, seat_seconds, checkouts, real_denials)
    select ${customerNumber}, ${hostId}, feature, day, user_name, user_host, least(coalesce(u.seat_seconds, 0), ${MAX_SEAT_SECONDS}::numeric), coalesce(u.checkouts, 0),
           coalesce(r.real_denials, 0)
      from held u full join refused r using (feature, day, user_name, user_host)
     where coalesce(u.seat_seconds, 0) > 0 or coalesce(u.checkouts, 0) > 0 or coalesce(r.real_denials, 0) > 0
        on conflict do nothing`.execute(tx)
}
