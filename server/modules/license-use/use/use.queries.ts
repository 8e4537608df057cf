import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { FeatureDetail } from '#contract/license-use/license-use.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { MAX_SEATS } from '#domain/license-use/foreign-limits.ts'
import type { DB } from '#server/db/schema.ts'
import type { HostKey } from '#server/modules/license-use/logs/log.queries.ts'

export type NamedHost = { readonly hostId: string; readonly hostName: string }

/** A license server by its id, or by one id of a triad. */
export async function findHostNamed(
  db: Kysely<DB>,
  customerNumber: string,
  id: string,
): Promise<NamedHost | undefined> {
  const { rows } = await sql<NamedHost>`
    select host_id as "hostId", host_name as "hostName" from host
     where customer_number = ${customerNumber} and (host_id = ${id} or string_to_array(host_id, ',') @> array[${id}]::text[])
     order by removed_at is not null, host_id limit 1`.execute(db)
  return rows[0]
}

export type FeatureRow = {
  readonly hostId: string
  readonly hostName: string
  readonly feature: string
  readonly seatLimit: number | null
  readonly filedSeats: number
  readonly product: string | null
  readonly inUse: number | null
  readonly reserved: number
  readonly queued: number
  /** The license server reported something about the range. Otherwise the following numbers say nothing. */
  readonly isMeasured: boolean
  readonly peak: number
  readonly secondsAtLimit: number
  readonly seatSeconds: number
  readonly checkouts: number
  readonly denials: number
  readonly realDenials: number
}

/**
 * What a log says from this time on is newer than the last lmstat output, whose time has no seconds. Null: there is no
 * output, or the log has gone on for more than a day since, and lmstat is no longer called.
 */
const STATUS_SINCE = sql`case when r.log_at is null or r.log_at <= r.status_at + interval '1 day' then r.status_at + interval '1 minute' end`

const isFeature = (alias: string, feature: string | null) =>
  feature === null ? sql`true` : sql`${sql.ref(`${alias}.feature`)} = ${feature}`

/** Parts of a query about seats now. It has `reporting` with the license servers, their `log_at` and `since`, before. */
const seatsNow = (
  customerNumber: string,
  feature: string | null,
  ofHost: (alias: string) => RawBuilder<unknown> = () => sql`true`,
) => sql`
    served as (
      select f.host_id, f.feature, f.state, f.seat_limit, f.in_use, f.reserved, f.queued from license_feature f
       where f.customer_number = ${customerNumber} and ${ofHost('f')} and ${isFeature('f', feature)}),
    filed as (
      select s.host_id, n.feature, sum(s.seats) as seats,
             (array_agg(e.product_name order by s.seats desc, e.product_name))[1] as product from host_seats s
        join entitlement e on e.customer_number = ${customerNumber} and e.activation_id = s.activation_id
        join product p on p.part_number = e.part_number cross join lateral unnest(p.feature_names) as n (feature)
       where s.customer_number = ${customerNumber} and s.seats > 0 and ${ofHost('s')} and ${isFeature('n', feature)} group by 1, 2),
    running as (
      select r.host_id, c.feature, sum(c.seats) filter (where c.in_at = 'infinity') as seats,
             coalesce(sum(c.seats) filter (where c.in_at = 'infinity' and c.out_at >= r.since), 0)
               - coalesce(sum(c.seats) filter (where c.in_at <> 'infinity' and c.out_at < r.since), 0) as change
        from reporting r join license_checkout c on c.customer_number = ${customerNumber} and c.host_id = r.host_id
         and c.in_at >= coalesce(r.since, 'infinity') and not c.is_joined and ${isFeature('c', feature)}
       group by 1, 2)`

const IN_USE = sql`case when s.in_use is not null and (r.since is not null or r.log_at is null) then least(greatest(0, s.in_use + coalesce(o.change, 0)), ${MAX_SEATS})
                when r.log_at is not null then least(coalesce(o.seats, 0), ${MAX_SEATS}) end::int`

/** A log has lines of these days, or lmstat was called before and after. Days without use have no sums. */
export const reportsOn = (customerNumber: string, { from, to }: DayRange) => sql`
  exists (select 1 from license_log l where l.customer_number = ${customerNumber} and l.host_id = r.host_id
             and l.first_at < ${to}::date + 1 and l.last_at >= ${from}::date)
  or r.status_at >= ${from}::date and (r.status_at < ${to}::date + 1
      or exists (select 1 from license_feature f join license_use_hour e on e.customer_number = ${customerNumber} and e.host_id = r.host_id
                    and e.feature = f.feature and e.hour < ${to}::date + 1
                  where f.customer_number = ${customerNumber} and f.host_id = r.host_id))`

/** Every feature that was used, refused or is served, on every license server of an account or on one. */
export async function listFeatureUse(
  db: Kysely<DB>,
  { customerNumber, hostId }: { customerNumber: string; hostId: string | null },
  { from, to }: DayRange,
): Promise<FeatureRow[]> {
  const ofHost = (alias: string) => (hostId === null ? sql`true` : sql`${sql.ref(`${alias}.host_id`)} = ${hostId}`)
  const { rows } = await sql<FeatureRow>`
    with reporting as (
      select r.host_id, r.log_at, ${STATUS_SINCE} as since, ${reportsOn(customerNumber, { from, to })} as is_measured from license_report r
       where r.customer_number = ${customerNumber} and ${ofHost('r')}),
    used as (
      select h.host_id, h.feature, max(h.peak) as peak, sum(h.seconds_at_limit) as seconds_at_limit, sum(h.seat_seconds) as seat_seconds,
             sum(h.checkouts) as checkouts, sum(h.denials) as denials, sum(h.real_denials) as real_denials
        from license_use_hour h
       where h.customer_number = ${customerNumber} and h.hour >= ${from}::date and h.hour < ${to}::date + 1 and ${ofHost('h')}
       group by 1, 2),
    ${seatsNow(customerNumber, null, ofHost)},
    known as (
      select host_id, feature from used union select host_id, feature from served
      union select f.host_id, f.feature from filed f join reporting using (host_id))
    select k.host_id as "hostId", h.host_name as "hostName", k.feature,
           coalesce(s.seat_limit, f.seats)::int as "seatLimit", coalesce(f.seats, 0)::int as "filedSeats", f.product,
           ${IN_USE} as "inUse",
           coalesce(s.reserved, 0) as reserved, coalesce(s.queued, 0) as queued,
           coalesce(r.is_measured, false) or exists (select 1 from used a where a.host_id = k.host_id) as "isMeasured",
           coalesce(u.peak, 0)::int as peak,
           coalesce(u.seconds_at_limit, 0)::float8 as "secondsAtLimit", coalesce(u.seat_seconds, 0)::float8 as "seatSeconds",
           coalesce(u.checkouts, 0)::int as checkouts, coalesce(u.denials, 0)::int as denials,
           coalesce(u.real_denials, 0)::int as "realDenials"
      from known k
      join (select host_id as id, host_name from host where customer_number = ${customerNumber}) h on h.id = k.host_id
      left join used u using (host_id, feature) left join served s using (host_id, feature) left join filed f using (host_id, feature)
      left join running o using (host_id, feature) left join reporting r using (host_id)
     order by coalesce(u.real_denials, 0) desc, coalesce(u.peak, 0) desc, h.host_name, k.host_id, k.feature limit 20000`.execute(
    db,
  )
  return rows
}

export type ReportRow = {
  readonly hostId: string
  readonly hostName: string
  readonly daemons: string[]
  readonly firstFileOn: string | null
  readonly reportedAt: Date | null
  readonly logAt: string | null
  readonly statusAt: string | null
  readonly statusError: string | null
  readonly removedBefore: string | null
  readonly lines: number
  /** Of all logs and of the last lmstat output. */
  readonly unreadLines: number
  readonly statusProblems: { line: number; code: string }[]
}

/** License servers of an account, whether they report or not. */
export async function listReports(db: Kysely<DB>, customerNumber: string, hostId: string | null): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select h.host_id as "hostId", h.host_name as "hostName", r.reported_at as "reportedAt",
           array(select distinct p.daemon from host_seats s
                   join entitlement e on e.customer_number = ${customerNumber} and e.activation_id = s.activation_id
                   join product p on p.part_number = e.part_number
                  where s.customer_number = ${customerNumber} and s.host_id = h.host_id and s.seats > 0 order by 1) as daemons,
           (select min(f.issued_on)::text from license_file f
             where f.customer_number = ${customerNumber} and f.host_id = h.host_id) as "firstFileOn",
           to_char(r.log_at, 'YYYY-MM-DD HH24:MI:SS') as "logAt", to_char(r.status_at, 'YYYY-MM-DD HH24:MI') as "statusAt", r.status_error as "statusError",
           to_char(r.removed_before, 'YYYY-MM-DD') as "removedBefore",
           coalesce(t.lines, 0)::float8 as lines,
           (coalesce(t.unread_lines, 0) + coalesce(r.status_unread_lines, 0))::float8 as "unreadLines", coalesce(r.status_problems, '[]') as "statusProblems"
      from host h left join license_report r on r.customer_number = ${customerNumber} and r.host_id = h.host_id
      left join (select host_id, sum(lines) as lines, sum(unread_lines) as unread_lines from license_log
                  where customer_number = ${customerNumber} group by 1) t on t.host_id = h.host_id
     where h.customer_number = ${customerNumber} and (h.removed_at is null or r.host_id is not null)
       and (${hostId}::text is null or h.host_id = ${hostId})
     order by h.host_name, h.host_id`.execute(db)
  return rows
}

export type LogSummary = {
  readonly hostId: string
  readonly number: number
  readonly name: string
  readonly lines: number
  readonly unreadLines: number
  readonly firstAt: string | null
  readonly lastAt: string | null
  readonly problems: { line: number; code: string }[]
}

const MAX_LOGS = 20

/** The newest logs of each license server, each with the first lines that could not be read. */
export async function listLogs(db: Kysely<DB>, customerNumber: string, hostId: string | null): Promise<LogSummary[]> {
  const { rows } = await sql<LogSummary>`
    select l.host_id as "hostId", l.number, l.name, l.lines::float8 as lines, l.unread_lines::float8 as "unreadLines",
           l.first_at::text as "firstAt", l.last_at::text as "lastAt",
           (select coalesce(jsonb_agg(jsonb_build_object('line', p.line, 'code', p.code) order by p.line), '[]')
              from (select line, code from license_log_problem q where q.customer_number = ${customerNumber} and q.host_id = l.host_id
                       and q.number = l.number order by line limit 50) p) as problems
      from (select *, row_number() over (partition by host_id order by number desc) as place from license_log
             where customer_number = ${customerNumber} and (${hostId}::text is null or host_id = ${hostId})) l
     where l.place <= ${MAX_LOGS} order by l.host_id, l.number desc`.execute(db)
  return rows
}

type Scope = HostKey & { readonly feature: string; readonly range: DayRange }

const hoursOf = ({ customerNumber, hostId, feature, range }: Scope) => sql`
  customer_number = ${customerNumber} and host_id = ${hostId} and feature = ${feature}
   and hour >= ${range.from}::date and hour < ${range.to}::date + 1`

export async function listHeat(db: Kysely<DB>, scope: Scope): Promise<FeatureDetail['heat']> {
  const { rows } = await sql<FeatureDetail['heat'][number]>`
    with hours as (
      select extract(isodow from hour)::int as weekday, extract(hour from hour)::int as hour, max(peak)::int as peak,
             sum(seat_seconds) / 3600.0 as seat_hours, sum(real_denials)::int as real_denials
        from license_use_hour where ${hoursOf(scope)} group by 1, 2),
    weekdays as (
      select extract(isodow from day)::int as weekday, count(*) as days
        from generate_series(${scope.range.from}::date, ${scope.range.to}::date, interval '1 day') as d (day) group by 1)
    select weekday, hour, peak, round(seat_hours / days, 2)::float8 as average, real_denials as "realDenials"
      from hours join weekdays using (weekday) order by 1, 2`.execute(db)
  return rows
}

export async function listDays(db: Kysely<DB>, scope: Scope): Promise<FeatureDetail['days']> {
  const { rows } = await sql<FeatureDetail['days'][number]>`
    select to_char(hour, 'YYYY-MM-DD') as day, max(peak)::int as peak, max(seat_limit) as seats, sum(real_denials)::int as "realDenials"
      from license_use_hour where ${hoursOf(scope)} group by 1 order by 1`.execute(db)
  return rows
}

export async function listCourse(db: Kysely<DB>, scope: Scope): Promise<FeatureDetail['course']> {
  const { rows } = await sql<FeatureDetail['course'][number]>`
    select extract(hour from hour)::int as hour, peak, seat_limit as seats, round(seat_seconds / 3600.0, 2)::float8 as average, real_denials as "realDenials"
      from license_use_hour where ${hoursOf(scope)} order by 1`.execute(db)
  return rows
}

const MAX_NAMES = 20

export async function listTopUse(
  db: Kysely<DB>,
  { customerNumber, hostId, feature, range }: Scope,
  by: 'user_name' | 'user_host',
): Promise<FeatureDetail['users']> {
  const { rows } = await sql<FeatureDetail['users'][number]>`
    select ${sql.ref(by)} as name, round(sum(seat_seconds) / 3600.0, 2)::float8 as "seatHours", sum(checkouts)::int as checkouts,
           sum(real_denials)::int as "realDenials"
      from license_use_day
     where customer_number = ${customerNumber} and host_id = ${hostId} and feature = ${feature}
       and day >= ${range.from}::date and day <= ${range.to}::date
     group by 1 order by sum(seat_seconds) desc, 1 limit ${MAX_NAMES}`.execute(db)
  return rows
}

/** Who holds or waits for seats of a feature: by the last lmstat output and what the log says since, or by the log if there is no fresh output. */
const holdersNow = (customerNumber: string, feature: string, ofHost: (alias: string) => RawBuilder<unknown>) => sql`
    report as (
      select r.host_id, ${STATUS_SINCE} as since from license_report r where r.customer_number = ${customerNumber} and ${ofHost('r')}),
    moved as (
      select c.host_id, c.user_name, c.user_host, c.seats, c.out_at, c.in_at, r.since from report r join license_checkout c
          on c.customer_number = ${customerNumber} and c.host_id = r.host_id and c.feature = ${feature}
         and c.in_at >= coalesce(r.since, 'infinity') and not c.is_joined),
    returned as (
      select host_id, user_name, user_host, count(*) as count from moved where in_at <> 'infinity' and out_at < since group by 1, 2, 3),
    shown as (
      select h.*, row_number() over (partition by h.host_id, h.kind = 'queued', h.user_name, h.user_host order by h.started_at, h.position) as place
        from license_holder h join report r on r.host_id = h.host_id and r.since is not null
       where h.customer_number = ${customerNumber} and h.feature = ${feature}),
    holding as (
      select s.host_id, s.kind, s.user_name, s.user_host, s.seats, s.started_at, s.is_uncertain
        from shown s left join returned b on b.host_id = s.host_id and b.user_name = s.user_name and b.user_host = s.user_host
       where s.kind = 'queued' or s.place > coalesce(b.count, 0)
      union all
      select host_id, 'in use', user_name, user_host, seats, out_at, false from moved
       where in_at = 'infinity' and (since is null or out_at >= since))`

export async function listHolders(
  db: Kysely<DB>,
  { customerNumber, hostId, feature }: HostKey & { readonly feature: string },
): Promise<FeatureDetail['holders']> {
  const ofHost = (alias: string) => sql`${sql.ref(`${alias}.host_id`)} = ${hostId}`
  const { rows } = await sql<FeatureDetail['holders'][number]>`
    with ${holdersNow(customerNumber, feature, ofHost)}
    select kind, user_name as user, user_host as host, seats, to_char(started_at, 'YYYY-MM-DD HH24:MI') as since,
           is_uncertain as "isUncertain"
      from holding order by 5 nulls last, 2 limit 500`.execute(db)
  return rows
}

/** Seats of a feature that each user holds, by license server. */
export async function listHeldSeats(
  db: Kysely<DB>,
  customerNumber: string,
  feature: string,
): Promise<{ hostId: string; user: string; seats: number }[]> {
  const { rows } = await sql<{ hostId: string; user: string; seats: number }>`
    with ${holdersNow(customerNumber, feature, () => sql`true`)}
    select host_id as "hostId", user_name as user, least(sum(seats), ${MAX_SEATS})::int as seats
      from holding where kind <> 'queued' group by 1, 2`.execute(db)
  return rows
}

/** The entitlements that give seats of a feature to a license server. */
export async function listFeeds(db: Kysely<DB>, { customerNumber, hostId, feature }: Scope) {
  const { rows } = await sql<{ activationId: string; product: string; seats: number; endDate: string | null }>`
    select e.activation_id as "activationId", e.product_name as product, s.seats, e.end_date::text as "endDate"
      from host_seats s join entitlement e on e.customer_number = ${customerNumber} and e.activation_id = s.activation_id
      join product p on p.part_number = e.part_number
     where s.customer_number = ${customerNumber} and s.host_id = ${hostId} and s.seats > 0 and ${feature} = any (p.feature_names)
     order by e.end_date nulls last, e.activation_id limit 200`.execute(db)
  return rows
}

export async function listCauses(db: Kysely<DB>, scope: Scope): Promise<FeatureDetail['causes']> {
  const { customerNumber, hostId, feature, range } = scope
  const { rows } = await sql<FeatureDetail['causes'][number]>`
    select cause, count(*)::int as denials from license_denial
     where customer_number = ${customerNumber} and host_id = ${hostId} and feature = ${feature}
       and at >= ${range.from}::date and at < ${range.to}::date + 1 and not is_repeated group by 1 order by 2 desc, 1`.execute(
    db,
  )
  return rows
}

export type FreeRow = {
  readonly hostId: string
  readonly hostName: string
  readonly feature: string
  /** Null: the last lmstat output does not show the feature, or there is none that is new enough. */
  readonly state: 'counted' | 'uncounted' | 'unsupported' | 'error' | null
  /** The last lmstat output is new enough to say what the license server serves. */
  readonly hasStatus: boolean
  readonly statusError: string | null
  readonly seatLimit: number | null
  readonly inUse: number | null
  readonly reserved: number
  /** The fewest seats that somebody was denied since seats were returned last. Fewer are free. Null: nobody was. */
  readonly denied: number | null
  readonly asOf: string | null
  readonly reportedAt: Date
}

/**
 * The seats of one feature or of all now, on every license server that reported, unless it was removed, and that has seats of it; of one
 * feature, also where it had some.
 */
export async function listFree(db: Kysely<DB>, customerNumber: string, feature: string | null): Promise<FreeRow[]> {
  const used =
    feature === null
      ? sql``
      : sql`union select r.host_id, ${feature}::text from reporting r where exists (
              select 1 from license_use_hour u where u.customer_number = ${customerNumber} and u.host_id = r.host_id and u.feature = ${feature})`
  // A log that begins later than some checkouts does not show all seats in use, but denials show that too few were free.
  const recent = sql`coalesce(r.since, r.log_at - interval '1 day')`
  const { rows } = await sql<FreeRow>`
    with reporting as (
      select r.*, ${STATUS_SINCE} as since from license_report r where r.customer_number = ${customerNumber}),
    ${seatsNow(customerNumber, feature)},
    short as (
      select d.host_id, d.feature, d.daemon, d.at, d.seats from reporting r join license_denial d on d.customer_number = ${customerNumber}
         and d.host_id = r.host_id and d.at >= ${recent} and ${isFeature('d', feature)}
       where d.cause = 'shortage' and not d.is_granted and not d.is_repeated),
    returned as (
      select r.host_id, c.feature, max(c.in_at) as at from reporting r join license_checkout c on c.customer_number = ${customerNumber}
         and c.host_id = r.host_id and c.in_at >= ${recent} and c.in_at < 'infinity' and ${isFeature('c', feature)}
       where exists (select from short) group by 1, 2),
    ended as (
      select r.host_id, l.daemon, max(l.at) as at from reporting r join license_lifecycle l on l.customer_number = ${customerNumber}
         and l.host_id = r.host_id and l.at >= ${recent} group by 1, 2),
    refused as (
      select s.host_id, s.feature, min(s.seats) as seats from short s left join returned b using (host_id, feature)
       where (b.at is null or b.at < s.at)
         and not exists (select from ended e where e.host_id = s.host_id and e.daemon in ('', s.daemon) and e.at >= s.at) group by 1, 2),
    known as (select host_id, feature from served union select host_id, feature from filed ${used})
    select r.host_id as "hostId", h.host_name as "hostName", k.feature, s.state, r.since is not null as "hasStatus",
           r.status_error as "statusError", coalesce(s.seat_limit, f.seats)::int as "seatLimit", ${IN_USE} as "inUse",
           coalesce(s.reserved, 0) as reserved, d.seats as denied,
           to_char(greatest(r.status_at, r.log_at), 'YYYY-MM-DD HH24:MI') as "asOf", r.reported_at as "reportedAt"
      from reporting r join known k using (host_id)
      join (select host_id, host_name from host where customer_number = ${customerNumber} and removed_at is null) h using (host_id)
      left join served s using (host_id, feature) left join filed f using (host_id, feature) left join running o using (host_id, feature)
      left join refused d using (host_id, feature)
     order by k.feature, h.host_name, r.host_id`.execute(db)
  return rows
}

/** The last license file of a license server. */
export async function findFile(db: Kysely<DB>, { customerNumber, hostId }: HostKey) {
  const { rows } = await sql<{ id: string; generatedAt: Date }>`
    select file_id as id, generated_at as "generatedAt" from license_file
     where customer_number = ${customerNumber} and host_id = ${hostId} order by position desc limit 1`.execute(db)
  return rows[0]
}

/** Single events of a license server before this day were removed. */
export async function findRemovedBefore(db: Kysely<DB>, { customerNumber, hostId }: HostKey): Promise<string | null> {
  const [report] = await listReports(db, customerNumber, hostId)
  return report?.removedBefore ?? null
}
