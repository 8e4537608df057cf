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

export type LineProblem = { readonly line: number; readonly code: string }

export async function noteStatus(
  tx: Transaction<DB>,
  { customerNumber, hostId }: HostKey,
  status: { statusAt: string | null; error: string | null; unreadLines: number; problems: readonly LineProblem[] },
): Promise<void> {
  await sql`
    update license_report set status_at = greatest(status_at, ${status.statusAt}::timestamp), status_error = ${status.error},
           status_unread_lines = ${status.unreadLines}, status_problems = ${JSON.stringify(status.problems)}
     where customer_number = ${customerNumber} and host_id = ${hostId}`.execute(tx)
}

export type SeenCheckout = {
  readonly feature: string
  readonly user: string
  readonly host: string
  readonly handle: number
  readonly seats: number
  readonly startedAt: string
}
type Sample = {
  readonly at: string
  readonly features: readonly (Pick<Feature, 'name' | 'total'> & { readonly held: number | null })[]
  readonly seen: readonly SeenCheckout[]
}

/**
 * Keeps what an lmstat output says about use. An output that arrives again changes nothing, and the order of arrival does not matter.
 * Returns the earliest time whose users changed, or null.
 */
export async function saveSample(
  tx: Transaction<DB>,
  { customerNumber, hostId }: HostKey,
  { at, features, seen }: Sample,
): Promise<string | null> {
  const uses = features.flatMap(({ name, held, total }) => (held ? [[name, [held, total]] as const] : []))
  const minute = at.slice(14, 16)
  await sql`
    insert into license_sample as s (customer_number, host_id, hour, polls)
    values (${customerNumber}, ${hostId}, date_trunc('hour', ${at}::timestamp), ${JSON.stringify({ [minute]: Object.fromEntries(uses) })})
    on conflict (customer_number, host_id, hour) do update set
      polls = case when s.polls -> ${minute}::text >= excluded.polls -> ${minute}::text then s.polls else s.polls || excluded.polls end`.execute(
    tx,
  )
  if (!seen.length) return null
  const shown = sql`
    select feature, started_at, user_host, handle, max(user_name) as user_name, least(sum(seats), 2147483647)::int as seats from unnest(
      ${column(seen, 'feature')}::text[], ${column(seen, 'startedAt')}::timestamp[], ${column(seen, 'host')}::text[],
      ${column(seen, 'handle')}::bigint[], ${column(seen, 'user')}::text[], ${column(seen, 'seats')}::int[])
      as r (feature, started_at, user_host, handle, user_name, seats) group by 1, 2, 3, 4`
  const { rows } = await sql<{ at: string | null }>`
    select min(coalesce(s.last_seen_at, r.started_at))::text as at from (${shown}) r
      left join license_seen_checkout s on s.customer_number = ${customerNumber} and s.host_id = ${hostId} and s.feature = r.feature
       and s.started_at = r.started_at and s.user_host = r.user_host and s.handle = r.handle`.execute(tx)
  await sql`
    insert into license_seen_checkout as s (customer_number, host_id, feature, started_at, user_host, handle, user_name, seats, last_seen_at)
    select ${customerNumber}, ${hostId}, r.*, ${at}::timestamp from (${shown}) r
    on conflict (customer_number, host_id, feature, started_at, user_host, handle) do update set
      last_seen_at = greatest(s.last_seen_at, excluded.last_seen_at)`.execute(tx)
  return rows[0]?.at ?? null
}
