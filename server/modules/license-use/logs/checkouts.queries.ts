import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely'
import { CopyChunks, CopyEncoder } from '#server/db/copy-rows.ts'
import type { DB } from '#server/db/schema.ts'
import type { HostKey } from '#server/modules/license-use/logs/log.queries.ts'

/** Rows as JSON texts, which the portal passes on to the database unread. */
export type RowTexts = readonly string[]

export type CheckoutRow = {
  readonly id: number
  readonly daemon: string
  readonly feature: string
  readonly user: string
  readonly host: string
  readonly data: string | null
  readonly seats: number
  readonly outAt: string
  readonly inAt: string
  /** The place of the return among the events of its log; null while the seat is out. */
  readonly inId: number | null
  readonly closedBy: string | null
  readonly isStartKnown: boolean
  readonly isOpen: boolean
}
export type ReturnRow = {
  readonly id: number
  readonly outAt: string
  readonly inAt: string
  readonly inId: number
  readonly closedBy: string
}
export type DenialRow = {
  readonly id: number
  readonly at: string
  readonly event: string
  readonly daemon: string
  readonly feature: string
  readonly user: string
  readonly host: string
  readonly seats: number
  readonly version: string | null
  readonly code: number | null
  readonly reason: string | null
  readonly cause: string
  readonly isRetry: boolean
  readonly isGranted: boolean
  readonly isReal: boolean
}
/** `isGranted`: the user got a seat for this denial; otherwise for a later one of its burst. */
export type GrantedRow = { readonly id: number; readonly at: string; readonly isGranted: boolean }
export type LifecycleRow = { readonly at: string; readonly event: string; readonly daemon: string }
export type LogKey = HostKey & { readonly number: number }

const column = <R, K extends keyof R>(rows: readonly R[], name: K) => rows.map((row) => row[name])

const CHECKOUT_COLUMNS =
  'customer_number, host_id, number, id, daemon, feature, user_name, user_host, data, seats, out_at, in_at, in_id, closed_by, is_start_known, is_open_in_log'

/** Checkouts of a log as rows of `insertCheckouts`. */
export function createCheckoutRows({ customerNumber, hostId, number }: LogKey) {
  const encoder = new CopyEncoder()
  return {
    add({ id, daemon, feature, user, host, data, seats, ...row }: CheckoutRow) {
      const { outAt, inAt, inId, closedBy, isStartKnown, isOpen } = row
      const names = [daemon, feature, user, host, data, seats]
      encoder.add([customerNumber, hostId, number, id, ...names, outAt, inAt, inId, closedBy, isStartKnown, isOpen])
    },
    chunks: () => encoder.chunks(),
  }
}

/** About 5,000 rows, so that no statement takes long. */
const CHUNKS_PER_STATEMENT = 40

export async function insertCheckouts(tx: Transaction<DB>, chunks: readonly Uint8Array[]): Promise<void> {
  for (let from = 0; from < chunks.length; from += CHUNKS_PER_STATEMENT) {
    const rows = new CopyChunks(chunks.slice(from, from + CHUNKS_PER_STATEMENT))
    await tx.executeQuery(CompiledQuery.raw(`copy license_checkout (${CHECKOUT_COLUMNS}) from stdin`, [rows]))
  }
}

/** Ends checkouts that an earlier part of the same log began. */
export async function endCheckouts(tx: Transaction<DB>, key: LogKey, rows: RowTexts): Promise<void> {
  for (const text of rows)
    await sql`
      update license_checkout c set in_at = greatest(r."inAt", c.out_at), in_id = r."inId", closed_by = r."closedBy", is_open_in_log = false,
             gone_at = null
        from json_to_recordset(${text}::json) as r (id bigint, "outAt" timestamp, "inAt" timestamp, "inId" bigint, "closedBy" text)
       where c.customer_number = ${key.customerNumber} and c.host_id = ${key.hostId} and c.number = ${key.number}
         and c.id = r.id and c.out_at = r."outAt"`.execute(tx)
}

export async function insertDenials(tx: Transaction<DB>, key: LogKey, rows: RowTexts): Promise<void> {
  for (const text of rows)
    await sql`
      insert into license_denial (customer_number, host_id, number, id, at, event, daemon, feature, user_name, user_host, seats,
             version, code, reason, cause, is_retry, is_granted, is_real)
      select ${key.customerNumber}, ${key.hostId}, ${key.number}, r.* from json_to_recordset(${text}::json) as r (
        id bigint, at timestamp, event text, daemon text, feature text, "user" text, host text, seats int, version text, code int,
        reason text, cause text, "isRetry" boolean, "isGranted" boolean, "isReal" boolean)`.execute(tx)
}

/** Which features had shortages before, in the minutes of these denials. */
export async function listDeniedMinutes(
  tx: Transaction<DB>,
  { customerNumber, hostId }: HostKey,
  denials: readonly Pick<DenialRow, 'feature' | 'at'>[],
): Promise<{ feature: string; at: string }[]> {
  const { rows } = await sql<{ feature: string; at: string }>`
    select distinct d.feature, date_trunc('minute', d.at)::text as at
      from unnest(${column(denials, 'feature')}::text[], ${column(denials, 'at')}::timestamp[]) as r (feature, at)
      join license_denial d on d.customer_number = ${customerNumber} and d.host_id = ${hostId} and d.feature = r.feature
       and d.at >= date_trunc('minute', r.at) and d.at < date_trunc('minute', r.at) + interval '1 minute'
     where d.cause = 'shortage' and not d.is_retry`.execute(tx)
  return rows
}

/** Denials of earlier parts after which the user got a seat: they, and the first of their bursts, are no real shortage. */
export async function noteGranted(tx: Transaction<DB>, key: LogKey, rows: RowTexts): Promise<void> {
  for (const text of rows)
    await sql`
      update license_denial d set is_granted = d.is_granted or r."isGranted", is_real = false
        from json_to_recordset(${text}::json) as r (id bigint, at timestamp, "isGranted" boolean)
       where d.customer_number = ${key.customerNumber} and d.host_id = ${key.hostId} and d.number = ${key.number}
         and d.id = r.id and d.at = r.at`.execute(tx)
}

export async function insertLifecycle(tx: Transaction<DB>, key: LogKey, rows: RowTexts): Promise<void> {
  for (const text of rows)
    await sql`
      insert into license_lifecycle (customer_number, host_id, number, at, event, daemon)
      select ${key.customerNumber}, ${key.hostId}, ${key.number}, r.*
        from json_to_recordset(${text}::json) as r (at timestamp, event text, daemon text)
      on conflict do nothing`.execute(tx)
}

export async function deleteProblems(tx: Transaction<DB>, key: LogKey, rows: RowTexts): Promise<void> {
  for (const text of rows)
    await sql`
      delete from license_log_problem p using json_to_recordset(${text}::json) as r (line bigint, code text)
       where p.customer_number = ${key.customerNumber} and p.host_id = ${key.hostId} and p.number = ${key.number}
         and p.line = r.line and p.code = r.code`.execute(tx)
}

const MAX_PROBLEMS = 1000

export async function insertProblems(
  tx: Transaction<DB>,
  key: LogKey,
  rows: readonly { readonly line: number; readonly code: string }[],
): Promise<void> {
  if (!rows.length) return
  await sql`
    insert into license_log_problem (customer_number, host_id, number, line, code)
    select ${key.customerNumber}, ${key.hostId}, ${key.number}, r.line, r.code
      from unnest(${column(rows, 'line')}::bigint[], ${column(rows, 'code')}::text[]) as r (line, code)
     where ${MAX_PROBLEMS} > (select count(*) from license_log_problem p where p.customer_number = ${key.customerNumber}
                                  and p.host_id = ${key.hostId} and p.number = ${key.number})
     limit ${MAX_PROBLEMS}
    on conflict do nothing`.execute(tx)
}

/** Of a license server, in all logs together: joining takes time and memory for each of them. */
const MAX_HALVES = 50_000

/**
 * The latest checkouts and returns of a license server whose other half is in another log, or nowhere; and what ends checkouts. Rows as
 * JSON.
 */
export async function listToJoin(
  db: Kysely<DB>,
  { customerNumber, hostId }: HostKey,
): Promise<{ halves: string; endings: string }> {
  const { rows } = await sql<{ halves: string; endings: string }>`
    select (select coalesce(json_agg(h), '[]')::text from (
              select number as log, id, daemon, seats, out_at::text as "outAt", in_at::text as "inAt", closed_by as "closedBy",
                     is_start_known as "isStartKnown", is_joined as "isJoined", gone_at::text as "goneAt",
                     concat_ws(E'\\x01', daemon, feature, user_name, user_host, coalesce(data, E'\\x02')) as key
                from license_checkout
               where customer_number = ${customerNumber} and host_id = ${hostId} and (is_open_in_log or not is_start_known)
                 and not is_repeated
               order by out_at desc, number desc, id desc limit ${MAX_HALVES}) h) as halves,
           (select coalesce(json_agg(e), '[]')::text from (
              select at::text as at, event, daemon, number as log from license_lifecycle
               where customer_number = ${customerNumber} and host_id = ${hostId}
                 and event in ('lmgrd-start', 'daemon-exit', 'daemon-restart', 'quorum-lost')) e) as endings`.execute(
    db,
  )
  return rows[0]!
}

/** Writes how checkouts of one log end in another. */
export async function saveJoined(
  tx: Transaction<DB>,
  { customerNumber, hostId }: HostKey,
  { ended, matched }: { readonly ended: RowTexts; readonly matched: RowTexts },
): Promise<void> {
  for (const text of ended)
    await sql`
      update license_checkout c set in_at = r."newIn", closed_by = r."newBy"
        from json_to_recordset(${text}::json) as r (log int, id bigint, "outAt" timestamp, "newIn" timestamp, "newBy" text)
       where c.customer_number = ${customerNumber} and c.host_id = ${hostId} and c.number = r.log and c.id = r.id
         and c.out_at = r."outAt"`.execute(tx)
  for (const text of matched)
    await sql`
      update license_checkout c set is_joined = r."isJoined"
        from json_to_recordset(${text}::json) as r (log int, id bigint, "outAt" timestamp, "isJoined" boolean)
       where c.customer_number = ${customerNumber} and c.host_id = ${hostId} and c.number = r.log and c.id = r.id
         and c.out_at = r."outAt"`.execute(tx)
}

/** How a checkout ended that lmstat no longer showed. */
export const GONE = 'lmstat'

/** Rows as JSON. */
export type RowsToReconcile = { readonly open: string; readonly features: string; readonly holders: string }

/**
 * Checkouts that are out as far as the logs say, and were when lmstat was called; and what it said about counted features and those
 * who hold their seats. Null if no checkout is out.
 */
export async function listToReconcile(
  db: Kysely<DB>,
  { customerNumber, hostId }: HostKey,
  statusAt: string,
): Promise<RowsToReconcile | null> {
  const ours = sql`customer_number = ${customerNumber} and host_id = ${hostId}`
  const { rows } = await sql<RowsToReconcile>`
    with open as (
      select number as log, id, feature, user_name as "user", user_host as host, out_at::text as "outAt" from license_checkout
       where ${ours} and in_at = 'infinity' and out_at < ${statusAt}::timestamp and not is_joined and is_start_known)
    select json_agg(o)::text as open,
           (select coalesce(json_agg(f), '[]')::text from (
              select feature as name, in_use as "inUse", reserved from license_feature
               where ${ours} and state = 'counted' and in_use is not null) f) as features,
           (select coalesce(json_agg(h), '[]')::text from (
              select feature, user_name as "user", user_host as host, seats, started_at::text as "startedAt", is_uncertain as "isUncertain"
                from license_holder where ${ours} and kind <> 'queued') h) as holders
      from open o having count(*) > 0`.execute(db)
  return rows[0] ?? null
}

/** Ends checkouts that lmstat no longer showed. A log that comes later may say when they really ended. */
export async function endGone(
  tx: Transaction<DB>,
  { customerNumber, hostId }: HostKey,
  rows: RowTexts,
  at: string,
): Promise<void> {
  for (const text of rows)
    await sql`
      update license_checkout c set in_at = ${at}::timestamp, gone_at = ${at}::timestamp, closed_by = ${GONE}
        from json_to_recordset(${text}::json) as r (log int, id bigint, "outAt" timestamp)
       where c.customer_number = ${customerNumber} and c.host_id = ${hostId} and c.number = r.log and c.id = r.id
         and c.out_at = r."outAt"`.execute(tx)
}
