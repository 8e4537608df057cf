import { type Kysely, sql, type Transaction } from 'kysely'
import type { LmstatFeature } from '#domain/license-use/lmstat-reader.ts'
import type { DB } from '#server/db/schema.ts'
import type { HostKey } from '#server/modules/license-use/log.queries.ts'

type Feature = Pick<LmstatFeature, 'name' | 'state' | 'total' | 'inUse'> & {
  readonly reserved: number
  readonly queued: number
  readonly expires: string | null
}
export type Holder = {
  readonly feature: string
  readonly kind: 'in use' | 'borrowed' | 'queued'
  readonly user: string
  readonly host: string
  readonly display: string
  readonly version: string
  readonly seats: number
  readonly startedAt: string | null
  readonly isUncertain: boolean
}

const column = <R, K extends keyof R>(rows: readonly R[], name: K) => rows.map((row) => row[name])

/** Replaces what the last lmstat output said about a license server. */
export async function replaceStatus(
  tx: Transaction<DB>,
  { customerNumber, hostId }: HostKey,
  { statusAt, features, holders }: { statusAt: string; features: readonly Feature[]; holders: readonly Holder[] },
): Promise<void> {
  const ours = sql`customer_number = ${customerNumber} and host_id = ${hostId}`
  await sql`delete from license_feature where ${ours}`.execute(tx)
  await sql`delete from license_holder where ${ours}`.execute(tx)
  await sql`
    insert into license_feature (customer_number, host_id, feature, state, seat_limit, in_use, reserved, queued, expires, status_at)
    select ${customerNumber}, ${hostId}, r.*, ${statusAt}::timestamp from unnest(
      ${column(features, 'name')}::text[], ${column(features, 'state')}::text[], ${column(features, 'total')}::int[],
      ${column(features, 'inUse')}::int[], ${column(features, 'reserved')}::int[], ${column(features, 'queued')}::int[],
      ${column(features, 'expires')}::text[]) r`.execute(tx)
  await sql`
    insert into license_holder (customer_number, host_id, feature, position, kind, user_name, user_host, display, version, seats,
           started_at, is_uncertain)
    select ${customerNumber}, ${hostId}, r.feature, row_number() over (), r.kind, r.user_name, r.user_host, r.display, r.version,
           r.seats, r.started_at, r.is_uncertain from unnest(
      ${column(holders, 'feature')}::text[], ${column(holders, 'kind')}::text[], ${column(holders, 'user')}::text[],
      ${column(holders, 'host')}::text[], ${column(holders, 'display')}::text[], ${column(holders, 'version')}::text[],
      ${column(holders, 'seats')}::int[], ${column(holders, 'startedAt')}::timestamp[], ${column(holders, 'isUncertain')}::boolean[])
      as r (feature, kind, user_name, user_host, display, version, seats, started_at, is_uncertain)`.execute(tx)
}

export type ShownStatus = {
  readonly features: { readonly name: string; readonly inUse: number; readonly reserved: number }[]
  readonly holders: Pick<Holder, 'feature' | 'user' | 'host' | 'seats' | 'startedAt' | 'isUncertain'>[]
}

/** What the last lmstat output said about counted features and those who hold their seats. */
export async function loadStatus(db: Kysely<DB>, { customerNumber, hostId }: HostKey): Promise<ShownStatus> {
  const features = await sql<ShownStatus['features'][number]>`
    select feature as name, in_use as "inUse", reserved from license_feature
     where customer_number = ${customerNumber} and host_id = ${hostId} and state = 'counted' and in_use is not null`.execute(
    db,
  )
  const holders = await sql<ShownStatus['holders'][number]>`
    select feature, user_name as user, user_host as host, seats, started_at::text as "startedAt", is_uncertain as "isUncertain"
      from license_holder where customer_number = ${customerNumber} and host_id = ${hostId} and kind <> 'queued'`.execute(
    db,
  )
  return { features: features.rows, holders: holders.rows }
}

export async function noteStatus(
  tx: Transaction<DB>,
  { customerNumber, hostId }: HostKey,
  { statusAt, error }: { statusAt: string | null; error: string | null },
): Promise<void> {
  await sql`
    update license_report set status_at = greatest(status_at, ${statusAt}::timestamp), status_error = ${error}
     where customer_number = ${customerNumber} and host_id = ${hostId}`.execute(tx)
}

/** The longest time that one lmstat output speaks for, until the next. */
const LONGEST_POLL = 900

/** Where no log covers an hour, lmstat outputs are samples of its use. */
export async function addSample(
  tx: Transaction<DB>,
  { customerNumber, hostId }: HostKey,
  { at, before, features }: { at: string; before: string | null; features: readonly Feature[] },
): Promise<void> {
  const counted = features.filter(({ inUse }) => inUse !== null && inUse > 0)
  if (!counted.length) return
  const seconds = sql`least(${LONGEST_POLL}, greatest(0, extract(epoch from ${at}::timestamp - greatest(${before}::timestamp, date_trunc('hour', ${at}::timestamp)))))`
  await sql`
    insert into license_use_hour as h (customer_number, host_id, feature, hour, peak, seat_seconds, seconds_at_limit, seat_limit,
           checkouts, denials, real_denials)
    select ${customerNumber}, ${hostId}, r.feature, date_trunc('hour', ${at}::timestamp), r.in_use, r.in_use * ${seconds},
           case when r.in_use >= r.seat_limit then ${seconds} else 0 end, r.seat_limit, 0, 0, 0
      from unnest(${column(counted, 'name')}::text[], ${column(counted, 'inUse')}::int[], ${column(counted, 'total')}::int[])
        as r (feature, in_use, seat_limit)
    on conflict (customer_number, host_id, feature, hour) do update set
      peak = greatest(h.peak, excluded.peak), seat_seconds = h.seat_seconds + excluded.seat_seconds,
      seconds_at_limit = h.seconds_at_limit + excluded.seconds_at_limit, seat_limit = excluded.seat_limit`.execute(tx)
}
