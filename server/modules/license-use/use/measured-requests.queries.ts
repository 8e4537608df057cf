import { type Kysely, sql } from 'kysely'
import type { DayRange } from '#domain/calendar/day-range.ts'
import type { MeasuredCheckout, MeasuredDenial } from '#domain/license-use/use/measured-moments.ts'
import type { DB } from '#server/db/schema.ts'
import type { HostKey } from '#server/modules/license-use/logs/log.queries.ts'

type Person = { readonly user: string; readonly host: string }

/** Features of a license server with use or denials in a range, and how many events there are. */
export async function countMeasuredRequests(
  db: Kysely<DB>,
  { customerNumber, hostId }: HostKey,
  { from, to }: DayRange,
): Promise<{ feature: string; count: number }[]> {
  const { rows } = await sql<{ feature: string; count: number }>`
    select feature, sum(checkouts + denials)::float8 as count from license_use_hour
     where customer_number = ${customerNumber} and host_id = ${hostId} and hour >= ${from}::date and hour < ${to}::date + 1
     group by 1 order by 1`.execute(db)
  return rows
}

type Scope = HostKey & { readonly daemon: string; readonly feature: string }

/** Who checked out a feature from a vendor daemon, in seconds of the license server's clock, the earliest first. */
export async function listCheckoutsOf(
  db: Kysely<DB>,
  { customerNumber, hostId, daemon, feature }: Scope,
  { from, to }: DayRange,
): Promise<(MeasuredCheckout & Person)[]> {
  const { rows } = await sql<MeasuredCheckout & Person>`
    select c.user_name as "user", c.user_host as host, c.seats as count, c.number as log,
           case when c.is_start_known then c.id else 0 end::float8 as "outId", c.in_id::float8 as "inId",
           extract(epoch from greatest(c.out_at, ${from}::timestamp))::float8 as from,
           extract(epoch from least(c.in_at, ${to}::timestamp + interval '1 day', greatest(r.log_at, c.out_at)))::float8 as to
      from license_checkout c join license_report r on r.customer_number = ${customerNumber} and r.host_id = c.host_id
     where c.customer_number = ${customerNumber} and c.host_id = ${hostId} and c.daemon = ${daemon} and c.feature = ${feature}
       and c.out_at < ${to}::timestamp + interval '1 day' and (c.in_at > ${from}::timestamp or c.out_at >= ${from}::timestamp)
       and not c.is_joined
     order by "from", c.number, c.id`.execute(db)
  return rows
}

/** Whom a vendor daemon denied a feature for lack of seats or by its options file. Retries, and denials after which the user got a seat, are left out. */
export async function listDenialsOf(
  db: Kysely<DB>,
  { customerNumber, hostId, daemon, feature }: Scope,
  { from, to }: DayRange,
): Promise<(MeasuredDenial & Person)[]> {
  const { rows } = await sql<MeasuredDenial & Person>`
    select user_name as "user", user_host as host, extract(epoch from at)::float8 as at, greatest(seats, 1) as count,
           number as log, id::float8 as id
      from license_denial
     where customer_number = ${customerNumber} and host_id = ${hostId} and daemon = ${daemon} and feature = ${feature}
       and cause in ('shortage', 'options-file') and not is_retry and not is_granted and not is_repeated
       and at >= ${from}::timestamp and at < ${to}::timestamp + interval '1 day'
     order by 3`.execute(db)
  return rows
}

/** The features that the last lmstat output shows, with their seats; null: not known, or not counted. */
export async function listReportedFeatures(
  db: Kysely<DB>,
  { customerNumber, hostId }: HostKey,
): Promise<{ feature: string; seats: number | null }[]> {
  return db
    .selectFrom('license_feature')
    .select(['feature', 'seat_limit as seats'])
    .where('customer_number', '=', customerNumber)
    .where('host_id', '=', hostId)
    .where('state', 'in', ['counted', 'uncounted'])
    .orderBy('feature')
    .execute()
}
