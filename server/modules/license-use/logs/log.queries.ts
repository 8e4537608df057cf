import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { MissingPartitionError } from '#server/db/missing-partition-error.ts'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'

export type HostKey = { readonly customerNumber: string; readonly hostId: string }
export type LogRow = Pick<
  Selectable<DB['license_log']>,
  'number' | 'name' | 'head_hash' | 'head_length' | 'tail_hash' | 'tail_length' | 'rest' | 'first_at' | 'last_at'
> & {
  position: number
  lines: number
  unread_lines: number
  /** What the reader knows, as JSON: only its thread reads it. */
  state: string
}
/** To recognize a file. */
export type LogHead = Pick<LogRow, 'name' | 'position' | 'head_hash' | 'head_length' | 'tail_hash' | 'tail_length'>

const LOG_COLUMNS = sql`number, name, position::float8 as position, head_hash, head_length, tail_hash, tail_length, state::text as state, rest,
  first_at::text as first_at, last_at::text as last_at, lines::float8 as lines, unread_lines::float8 as unread_lines`

type Locked = {
  readonly logAt: string | null
  readonly statusAt: string | null
  readonly unsummedFrom: string | null
  readonly unsummedTo: string | null
}

/** Notes that a license server has reported, and lets one report at a time change what is kept of it. */
export async function lockReport(tx: Transaction<DB>, { customerNumber, hostId }: HostKey, now: Date) {
  await sql`
    insert into license_report (customer_number, host_id, reported_at) values (${customerNumber}, ${hostId}, ${now})
    on conflict (customer_number, host_id) do update set reported_at = greatest(license_report.reported_at, excluded.reported_at)`.execute(
    tx,
  )
  const { rows } = await sql<Locked>`
    select log_at::text as "logAt", status_at::text as "statusAt", unsummed_from::text as "unsummedFrom",
           unsummed_to::text as "unsummedTo" from license_report
     where customer_number = ${customerNumber} and host_id = ${hostId} for update`.execute(tx)
  return rows[0]!
}

export async function noteLogTime(tx: Transaction<DB>, { customerNumber, hostId }: HostKey, at: string): Promise<void> {
  await sql`
    update license_report set log_at = greatest(log_at, ${at}::timestamp)
     where customer_number = ${customerNumber} and host_id = ${hostId}`.execute(tx)
}

/** Sets the times of a license server back to the last ones that are possible, and removes sums of later ones. */
export async function forgetTimesAfter(
  tx: Transaction<DB>,
  { customerNumber, hostId }: HostKey,
  latest: string,
): Promise<void> {
  const ours = sql`customer_number = ${customerNumber} and host_id = ${hostId}`
  const newest = (table: string, column: string) =>
    sql`select max(${sql.ref(column)}) as at from ${sql.table(table)} where ${ours} and ${sql.ref(column)} <= ${latest}::timestamp`
  await sql`
    with known as (
      select max(at) as at from (
        ${newest('license_checkout', 'out_at')} union all ${newest('license_checkout', 'in_at')}
        union all ${newest('license_denial', 'at')} union all ${newest('license_log', 'last_at')}) found)
    update license_report r
       set log_at = case when r.log_at > ${latest}::timestamp then known.at else r.log_at end,
           status_at = case when r.status_at <= ${latest}::timestamp then r.status_at end,
           unsummed_from = case when r.unsummed_from <= known.at then r.unsummed_from end,
           unsummed_to = case when r.unsummed_from <= known.at then least(r.unsummed_to, known.at) end
      from known where ${ours}`.execute(tx)
  await sql`
    update license_log set first_at = case when first_at <= ${latest}::timestamp then first_at end,
           last_at = (select log_at from license_report where ${ours})
     where ${ours} and last_at > ${latest}::timestamp`.execute(tx)
  await sql`delete from license_use_hour where ${ours} and hour > ${latest}::timestamp`.execute(tx)
  await sql`delete from license_use_day where ${ours} and day > ${latest}::timestamp`.execute(tx)
}

/** The time of the last log line of a license server. */
export async function findLogTime(db: Kysely<DB>, { customerNumber, hostId }: HostKey): Promise<string | null> {
  const { rows } = await sql<{ logAt: string | null }>`
    select log_at::text as "logAt" from license_report
     where customer_number = ${customerNumber} and host_id = ${hostId}`.execute(db)
  return rows[0]?.logAt ?? null
}

/** Keeps which times are to be summed later; null once they are. */
export async function saveUnsummed(
  tx: Transaction<DB>,
  { customerNumber, hostId }: HostKey,
  window: { readonly from: string; readonly to: string } | null,
): Promise<void> {
  await sql`
    update license_report set unsummed_from = ${window?.from ?? null}::timestamp, unsummed_to = ${window?.to ?? null}::timestamp
     where customer_number = ${customerNumber} and host_id = ${hostId}`.execute(tx)
}

export async function findLog(
  db: Kysely<DB>,
  { customerNumber, hostId }: HostKey,
  name: string,
): Promise<LogRow | undefined> {
  const { rows } = await sql<LogRow>`
    select ${LOG_COLUMNS} from license_log
     where customer_number = ${customerNumber} and host_id = ${hostId} and name = ${name}`.execute(db)
  return rows[0]
}

/** Checkouts of a log, and denials that got no seat, those of earlier parts included. */
export async function countEvents(
  db: Kysely<DB>,
  { customerNumber, hostId }: HostKey,
  number: number,
): Promise<{ sessions: number; denials: number }> {
  const ofLog = sql`customer_number = ${customerNumber} and host_id = ${hostId} and number = ${number}`
  const { rows } = await sql<{ sessions: number; denials: number }>`
    select (select count(*)::int from license_checkout where ${ofLog}) as sessions,
           (select count(*)::int from license_denial where ${ofLog} and is_real) as denials`.execute(db)
  return rows[0] ?? { sessions: 0, denials: 0 }
}

/** All logs of a license server without their state, to recognize an uploaded file. */
export async function listLogHeads(db: Kysely<DB>, { customerNumber, hostId }: HostKey): Promise<LogHead[]> {
  const { rows } = await sql<LogHead>`
    select name, position::float8 as position, head_hash, head_length, tail_hash, tail_length from license_log
     where customer_number = ${customerNumber} and host_id = ${hostId} and position > 0 order by number desc limit 200`.execute(
    db,
  )
  return rows
}

const EMPTY = Buffer.alloc(0)

export async function insertLog(
  tx: Transaction<DB>,
  { customerNumber, hostId }: HostKey,
  name: string,
): Promise<LogRow> {
  const { rows } = await sql<LogRow>`
    insert into license_log (customer_number, host_id, number, name, head_hash, head_length, tail_hash, tail_length, state, rest)
    select ${customerNumber}, ${hostId}, 1 + coalesce(max(number), 0), ${name}, ${EMPTY}, 0, ${EMPTY}, 0, '{}', ${EMPTY}
      from license_log where customer_number = ${customerNumber} and host_id = ${hostId}
    returning ${LOG_COLUMNS}`.execute(tx)
  return rows[0]!
}

export async function saveLog(tx: Transaction<DB>, { customerNumber, hostId }: HostKey, log: LogRow): Promise<void> {
  await sql`
    update license_log set position = ${log.position}, head_hash = ${log.head_hash}, head_length = ${log.head_length},
           tail_hash = ${log.tail_hash}, tail_length = ${log.tail_length}, state = ${log.state},
           rest = ${log.rest}, first_at = ${log.first_at}::timestamp, last_at = ${log.last_at}::timestamp, lines = ${log.lines},
           unread_lines = ${log.unread_lines}
     where customer_number = ${customerNumber} and host_id = ${hostId} and number = ${log.number}`.execute(tx)
}

type Part = { readonly position: number; readonly end: number; readonly hash: Buffer; readonly content: Buffer }

/** The part that begins at a position, or that reaches over it. */
export async function findPartAt(
  db: Kysely<DB>,
  { customerNumber, hostId }: HostKey,
  name: string,
  position: number,
): Promise<{ hash: Buffer; content: Buffer | null } | undefined> {
  const { rows } = await sql<{ hash: Buffer; content: Buffer | null }>`
    select hash, content from license_log_part
     where customer_number = ${customerNumber} and host_id = ${hostId} and name = ${name} and position = ${position}`.execute(
    db,
  )
  return rows[0]
}

export async function insertPart(
  tx: Transaction<DB>,
  { customerNumber, hostId }: HostKey,
  name: string,
  { position, end, hash, content }: Part,
  now: Date,
): Promise<void> {
  await sql`
    insert into license_log_part (customer_number, host_id, name, position, end_position, hash, content, arrived_at)
    values (${customerNumber}, ${hostId}, ${name}, ${position}, ${end}, ${hash}, ${content}, ${now})`.execute(tx)
}

/** The content of a part that was read is not needed any more; its hash is, to recognize it when it is sent again. */
export async function forgetContent(
  tx: Transaction<DB>,
  { customerNumber, hostId }: HostKey,
  name: string,
  position: number,
): Promise<void> {
  await sql`
    update license_log_part set content = null
     where customer_number = ${customerNumber} and host_id = ${hostId} and name = ${name} and position = ${position}`.execute(
    tx,
  )
}

/** Bytes of parts that wait for an earlier one, over all logs of the license server. */
export async function countWaitingBytes(db: Kysely<DB>, { customerNumber, hostId }: HostKey): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(length(content)), 0)::float8 as bytes from license_log_part
     where customer_number = ${customerNumber} and host_id = ${hostId} and content is not null`.execute(db)
  return rows[0]?.bytes ?? 0
}

export async function ensureMonths(db: Kysely<DB>, months: readonly string[]): Promise<void> {
  for (const month of months)
    await db.transaction().execute(async (tx) => {
      await allowLongWork(tx)
      await sql`select ensure_license_use_partitions(${month}::timestamp, ${month}::timestamp)`.execute(tx)
    })
}

/** Throws unless there are partitions for these months. */
export async function requireMonths(tx: Transaction<DB>, months: readonly string[]): Promise<void> {
  if (!months.length) return
  const { rows } = await sql<{ month: string }>`
    select m as month from unnest(${months}::text[]) m
     where to_regclass('license_checkout' || to_char(m::timestamp, '_YYYY_MM')) is null
        or to_regclass('license_denial' || to_char(m::timestamp, '_YYYY_MM')) is null`.execute(tx)
  const missing = rows.map(({ month }) => month)
  if (missing.length > 0) throw new MissingPartitionError((db) => ensureMonths(db, missing))
}

/** License servers with an upload that was not read to its end and got no part since. */
export async function listUnsummedHosts(db: Kysely<DB>, customerNumber: string, before: Date): Promise<string[]> {
  const { rows } = await sql<{ host_id: string }>`
    select host_id from license_report
     where customer_number = ${customerNumber} and unsummed_from is not null and reported_at < ${before}`.execute(db)
  return rows.map(({ host_id }) => host_id)
}
