import { sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import type { HostKey } from '#server/modules/license-use/logs/log.queries.ts'

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

/** Replaces what the last lmstat output said about a license server. `features` and `holders` are rows as JSON. */
export async function replaceStatus(
  tx: Transaction<DB>,
  { customerNumber, hostId }: HostKey,
  { statusAt, features, holders }: { statusAt: string; features: string; holders: string },
): Promise<void> {
  const ours = sql`customer_number = ${customerNumber} and host_id = ${hostId}`
  await sql`delete from license_feature where ${ours}`.execute(tx)
  await sql`delete from license_holder where ${ours}`.execute(tx)
  await sql`
    insert into license_feature (customer_number, host_id, feature, state, seat_limit, in_use, reserved, queued, expires, status_at)
    select ${customerNumber}, ${hostId}, r.*, ${statusAt}::timestamp from json_to_recordset(${features}::json) as r (
      name text, state text, total int, "inUse" int, reserved int, queued int, expires text)`.execute(tx)
  await sql`
    insert into license_holder (customer_number, host_id, feature, position, kind, user_name, user_host, display, version, seats,
           started_at, is_uncertain)
    select ${customerNumber}, ${hostId}, r.feature, row_number() over (), r.kind, r."user", r.host, r.display, r.version,
           r.seats, r."startedAt", r."isUncertain" from json_to_recordset(${holders}::json) as r (
      feature text, kind text, "user" text, host text, display text, version text, seats int, "startedAt" timestamp,
      "isUncertain" boolean)`.execute(tx)
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
/** `polls` and `seen` are JSON. */
type Sample = { readonly at: string; readonly polls: string; readonly seen: string }

/**
 * Keeps what an lmstat output says about use. An output that arrives again changes nothing, and the order of arrival does not matter.
 * Returns the earliest time whose users changed, or null.
 */
export async function saveSample(
  tx: Transaction<DB>,
  { customerNumber, hostId }: HostKey,
  { at, polls, seen }: Sample,
): Promise<string | null> {
  const minute = at.slice(14, 16)
  await sql`
    insert into license_sample as s (customer_number, host_id, hour, polls)
    values (${customerNumber}, ${hostId}, date_trunc('hour', ${at}::timestamp), jsonb_build_object(${minute}::text, ${polls}::jsonb))
    on conflict (customer_number, host_id, hour) do update set
      polls = case when s.polls -> ${minute}::text >= excluded.polls -> ${minute}::text then s.polls else s.polls || excluded.polls end`.execute(
    tx,
  )
  if (seen === '[]') return null
  const shown = sql`
    select feature, "startedAt" as started_at, host as user_host, handle, max("user") as user_name, least(sum(seats), 2147483647)::int as seats
      from json_to_recordset(${seen}::json) as r (feature text, "startedAt" timestamp, host text, handle bigint, "user" text, seats int)
     group by 1, 2, 3, 4`
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
