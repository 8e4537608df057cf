import { type Kysely, sql } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { silentBefore } from '#domain/license-use/use/silence.ts'
import type { DB } from '#server/db/schema.ts'
import { reportsOn } from '#server/modules/license-use/use/use.queries.ts'

type MeasuredFeature = {
  readonly feature: string
  readonly peak: number
  /** Of the highest use in each hour in which seats were in use. */
  readonly percentile95: number
  readonly realDenials: number
  /** The most of them in an hour with the peak. */
  readonly deniedAtPeak: number
  /** License servers that reported it. */
  readonly servers: number
}

/** Features of license servers that were not removed, with their seats: as the server said last, or by its license file. */
const featuresOfServers = (customerNumber: string) => sql`
  select k.host_id, k.feature, coalesce(max(k.served), sum(k.filed))::int as seats from (
    select f.host_id, f.feature, f.seat_limit as served, null::int as filed from license_feature f
     where f.customer_number = ${customerNumber}
    union all
    select s.host_id, n.feature, null, s.seats from host_seats s
      join entitlement e on e.customer_number = ${customerNumber} and e.activation_id = s.activation_id
      join product p on p.part_number = e.part_number cross join lateral unnest(p.feature_names) as n (feature)
     where s.customer_number = ${customerNumber} and s.seats > 0) k
    join host h on h.customer_number = ${customerNumber} and h.host_id = k.host_id and h.removed_at is null
   group by 1, 2`

/** License servers that reported something in a range. */
const reportingServers = (customerNumber: string, range: DayRange) => sql`
  select r.host_id from license_report r
   where r.customer_number = ${customerNumber}
     and (exists (select 1 from license_use_hour u where u.customer_number = ${customerNumber} and u.host_id = r.host_id
                     and u.hour >= ${range.from}::date and u.hour < ${range.to}::date + 1)
          or ${reportsOn(customerNumber, range)})`

/**
 * Measured use of every feature of an account, over all of its license servers. A feature that nobody used has zeros, if
 * all license servers that have seats of it reported something in the range.
 */
export async function listMeasuredFeatures(
  db: Kysely<DB>,
  customerNumber: string,
  range: DayRange,
): Promise<MeasuredFeature[]> {
  const { from, to } = range
  const { rows } = await sql<MeasuredFeature>`
    with hours as (
      select feature, hour, sum(peak) as peak, sum(real_denials) as real_denials, count(distinct host_id) as servers,
             max(sum(peak)) over (partition by feature) as highest
        from license_use_hour
       where customer_number = ${customerNumber} and hour >= ${from}::date and hour < ${to}::date + 1 group by 1, 2),
    unused as (
      select k.feature from (${featuresOfServers(customerNumber)}) k
        left join (${reportingServers(customerNumber, range)}) r on r.host_id = k.host_id
       group by 1 having bool_and(r.host_id is not null))
    select feature, max(peak)::int as peak, max(servers)::int as servers, sum(real_denials)::int as "realDenials",
           max(real_denials) filter (where peak = highest)::int as "deniedAtPeak",
           coalesce(percentile_disc(0.95) within group (order by peak) filter (where peak > 0), 0)::int as percentile95
      from hours group by 1
    union all
    select feature, 0, 0, 0, 0, 0 from unused where feature not in (select feature from hours)
     order by 1`.execute(db)
  return rows
}

/** The features of products, by the catalog. */
export async function listFeaturesOfProducts(
  db: Kysely<DB>,
  partNumbers: readonly string[],
): Promise<{ partNumber: string; features: string[] }[]> {
  const { rows } = await sql<{ partNumber: string; features: string[] }>`
    select part_number as "partNumber", feature_names as features from product where part_number = any (${[...partNumbers]})`.execute(
    db,
  )
  return rows
}

/** A checkout in seconds of the license server's clock; `to` is the last known time while the seat is out. */
type MeasuredInterval = {
  readonly hostId: string
  readonly from: number
  readonly to: number
  readonly count: number
  readonly log: number
  readonly outId: number
  readonly inId: number | null
}

/** All checkouts of a feature that reach into a range, cut to it, the earliest first. For computing what-if denials. */
export async function listMeasuredIntervals(
  db: Kysely<DB>,
  customerNumber: string,
  feature: string,
  { from, to }: DayRange,
): Promise<MeasuredInterval[]> {
  const { rows } = await sql<MeasuredInterval>`
    select c.host_id as "hostId", c.seats as count, c.number as log,
           case when c.is_start_known then c.id else 0 end::float8 as "outId", c.in_id::float8 as "inId",
           extract(epoch from greatest(c.out_at, ${from}::timestamp))::float8 as from,
           extract(epoch from least(c.in_at, ${to}::timestamp + interval '1 day', greatest(r.log_at, c.out_at)))::float8 as to
      from license_checkout c join license_report r on r.customer_number = ${customerNumber} and r.host_id = c.host_id
     where c.customer_number = ${customerNumber} and c.feature = ${feature} and c.out_at < ${to}::timestamp + interval '1 day'
       and (c.in_at > ${from}::timestamp or c.out_at >= ${from}::timestamp) and not c.is_joined
     order by "from", c.number, c.id`.execute(db)
  return rows
}

type MeasuredDenial = {
  readonly hostId: string
  readonly at: number
  readonly count: number
  readonly log: number
  readonly id: number
}

/** Real shortages of a feature in a range, in seconds of the license server's clock, the earliest first. */
export async function listRealDenials(
  db: Kysely<DB>,
  customerNumber: string,
  feature: string,
  { from, to }: DayRange,
): Promise<MeasuredDenial[]> {
  const { rows } = await sql<MeasuredDenial>`
    select host_id as "hostId", extract(epoch from at)::float8 as at, greatest(seats, 1) as count, number as log, id::float8 as id
      from license_denial
     where customer_number = ${customerNumber} and feature = ${feature} and is_real and not is_repeated
       and at >= ${from}::timestamp and at < ${to}::timestamp + interval '1 day'
     order by 2`.execute(db)
  return rows
}

/**
 * The first day of a range from which on there are single checkouts and denials for all measured use of some features, on one license server or all.
 * Null: there is none. Sums stay when events are removed, and sums of lmstat outputs have no events. Log files are
 * silent for hours while nothing changes, so a file counts for a day more.
 */
export async function findEventsFrom(
  db: Kysely<DB>,
  customerNumber: string,
  features: readonly string[],
  { from, to }: DayRange,
  hostId: string | null = null,
): Promise<CalendarDay | null> {
  const { rows } = await sql<{ day: CalendarDay | null }>`
    with logs as (
      select host_id, range_agg(tsrange(least(first_at, last_at), greatest(first_at, last_at) + interval '1 day', '[]')) as times
        from license_log where customer_number = ${customerNumber} and first_at is not null group by 1)
    select coalesce(max(u.hour)::date + 1, ${from}::date)::text as day from license_use_hour u
      join license_report r on r.customer_number = ${customerNumber} and r.host_id = u.host_id
      left join logs l on l.host_id = u.host_id
     where u.customer_number = ${customerNumber} and u.feature = any (${[...features]})
       and (${hostId}::text is null or u.host_id = ${hostId}) and u.hour >= ${from}::date and u.hour < ${to}::date + 1 and (u.peak > 0 or u.real_denials > 0)
       and (u.hour < r.removed_before or l.times is null or not l.times && tsrange(u.hour, u.hour + interval '1 hour'))`.execute(
    db,
  )
  const day = rows[0]?.day ?? from
  return day <= to ? day : null
}

/** How many seats of a feature each license server has from a second of its clock on; null: not known. */
export async function listSeatLimits(
  db: Kysely<DB>,
  customerNumber: string,
  feature: string,
  range: DayRange,
): Promise<{ hostId: string; at: number; seats: number | null }[]> {
  const { from, to } = range
  const { rows } = await sql<{ hostId: string; at: number; seats: number | null }>`
    with hours as (
      select host_id, hour, seat_limit, lag(seat_limit) over w as before, row_number() over w = 1 as is_first from license_use_hour
       where customer_number = ${customerNumber} and feature = ${feature} and hour >= ${from}::date and hour < ${to}::date + 1
      window w as (partition by host_id order by hour))
    select host_id as "hostId", extract(epoch from case when is_first then ${from}::timestamp else hour end)::float8 as at, seat_limit as seats
      from hours where is_first or seat_limit is distinct from before
    union all
    select k.host_id, extract(epoch from ${from}::timestamp)::float8, k.seats from (${featuresOfServers(customerNumber)}) k
      join (${reportingServers(customerNumber, range)}) r on r.host_id = k.host_id
     where k.feature = ${feature} and k.host_id not in (select host_id from hours)
     order by 2`.execute(db)
  return rows
}

/** Real shortages of an account since the beginning of a day of the license servers' clocks. */
export async function countRealDenialsSince(
  db: Kysely<DB>,
  customerNumber: string,
  since: CalendarDay,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(real_denials), 0)::int as count from license_use_hour
     where customer_number = ${customerNumber} and hour >= ${since}::date`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Features with real shortages since the beginning of a day, and how many, the most first. A feature is left out if every
 * license server that was short of it has had more seats since its last shortage. Their clocks are taken for the account's.
 */
export async function listFeaturesStillDenied(
  db: Kysely<DB>,
  customerNumber: string,
  { since, today, timeZone }: { readonly since: CalendarDay; readonly today: CalendarDay; readonly timeZone: string },
): Promise<{ feature: string; count: number }[]> {
  const { rows } = await sql<{ feature: string; count: number }>`
    with denied as (
      select host_id, feature, sum(real_denials) as count, max(hour) as last_at from license_use_hour
       where customer_number = ${customerNumber} and hour >= ${since}::date and real_denials > 0 group by 1, 2),
    given as (
      select d.host_id, d.feature,
             sum(f.fulfill_count) filter (where f.fulfilled_at < d.last_at at time zone ${timeZone}
               and d.last_at::date between e.start_date and e.ends_on) as before,
             sum(f.fulfill_count) filter (where ${today}::date between e.start_date and e.ends_on) as now
        from denied d join product p on d.feature = any (p.feature_names)
        join entitlement e on e.customer_number = ${customerNumber} and e.part_number = p.part_number
        join fulfillment f on f.customer_number = ${customerNumber} and f.activation_id = e.activation_id and f.host_id = d.host_id
       group by 1, 2)
    select d.feature, sum(d.count)::int as count from denied d left join given g using (host_id, feature)
     group by 1 having bool_or(coalesce(g.now, 0) <= coalesce(g.before, 0)) order by 2 desc, 1`.execute(db)
  return rows
}

/** Real shortages by license server, feature and day, since the beginning of a day. */
export async function listDaysOfDenials(
  db: Kysely<DB>,
  customerNumber: string,
  since: CalendarDay,
): Promise<{ hostId: string; hostName: string; feature: string; day: CalendarDay; count: number }[]> {
  const { rows } = await sql<{ hostId: string; hostName: string; feature: string; day: CalendarDay; count: number }>`
    select u.host_id as "hostId", h.host_name as "hostName", u.feature, u.hour::date::text as day, sum(u.real_denials)::int as count
      from license_use_hour u join host h on h.customer_number = ${customerNumber} and h.host_id = u.host_id
     where u.customer_number = ${customerNumber} and u.hour >= ${since}::date and u.real_denials > 0
     group by 1, 2, 3, 4 order by 4, 2, 1, 3`.execute(db)
  return rows
}

/** License servers that reported before, but have been silent for some time. */
export async function listSilentHosts(
  db: Kysely<DB>,
  customerNumber: string,
  now: Date,
): Promise<{ hostId: string; hostName: string; reportedAt: Date }[]> {
  const { rows } = await sql<{ hostId: string; hostName: string; reportedAt: Date }>`
    select r.host_id as "hostId", h.host_name as "hostName", r.reported_at as "reportedAt" from license_report r
      join host h on h.customer_number = ${customerNumber} and h.host_id = r.host_id and h.removed_at is null
     where r.customer_number = ${customerNumber} and r.reported_at < ${silentBefore(now)} order by h.host_name, r.host_id`.execute(
    db,
  )
  return rows
}
