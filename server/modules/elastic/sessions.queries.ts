import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import type { UsageRow } from '#server/modules/elastic/usage-booking.queries.ts'

/** What `elastic_session s` would cost if it were closed now: the SQL side of `closeSession` and `sessionCharge`. */
export const accruedCharge = (now: Date) => sql<string>`
  round(s.product_count * s.units_per_hour
    * extract(epoch from least(${now}::timestamptz, s.last_heartbeat_at + interval '15 minutes') - s.started_at) / 3600, 2)`

export type RunningSession = Selectable<DB['elastic_session']>

/** Null if the session is unknown or over; otherwise the export status of its account. */
export async function saveHeartbeat(
  tx: Transaction<DB>,
  session: { customerNumber: string; sessionId: string },
  { now, oldest }: { now: Date; oldest: Date },
): Promise<{ exportControlStatus: string } | null> {
  const { rows } = await sql<{ exportControlStatus: string }>`
    update elastic_session s set last_heartbeat_at = greatest(s.last_heartbeat_at, ${now})
     where s.customer_number = ${session.customerNumber} and s.session_id = ${session.sessionId}
       and s.last_heartbeat_at > ${oldest}
    returning (select a.export_control_status from account a where a.customer_number = s.customer_number)
      as "exportControlStatus"`.execute(tx)
  return rows[0] ?? null
}

/** Takes sessions out of those that run: whoever gets a session here books its end. Lock the account first. */
export function takeSession(
  tx: Transaction<DB>,
  customerNumber: string,
  sessionId: string,
): Promise<RunningSession | undefined> {
  return tx
    .deleteFrom('elastic_session')
    .where('customer_number', '=', customerNumber)
    .where('session_id', '=', sessionId)
    .returningAll()
    .executeTakeFirst()
}

/** The same with all sessions of an account that have been silent for too long. */
export function takeSilentSessions(
  tx: Transaction<DB>,
  customerNumber: string,
  oldest: Date,
): Promise<RunningSession[]> {
  return tx
    .deleteFrom('elastic_session')
    .where('customer_number', '=', customerNumber)
    .where('last_heartbeat_at', '<=', oldest)
    .returningAll()
    .execute()
}

export async function listAccountsWithSilentSessions(db: Kysely<DB>, oldest: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('elastic_session')
    .select('customer_number')
    .distinct()
    .where('last_heartbeat_at', '<=', oldest)
    .orderBy('customer_number')
    .execute()
  return rows.map(({ customer_number }) => customer_number)
}

/** The usage row of a running session, for those who book further parts of it. */
export async function loadRunningRow(tx: Transaction<DB>, session: RunningSession): Promise<UsageRow> {
  const {
    transaction_number: _number,
    hours: _hours,
    ...row
  } = await tx
    .selectFrom('usage_transaction')
    .selectAll()
    .where('customer_number', '=', session.customer_number)
    .where('transaction_number', '=', session.transaction_number)
    .where('ends_at', '=', sql<Date>`'infinity'`)
    .executeTakeFirstOrThrow()
  return { ...row, ends_at: undefined }
}

export type EndedSession = { readonly started_at: Date; readonly ends_at: Date; readonly charge: string }

/** What was booked of a session that is over. */
export async function findEndedSession(
  db: Kysely<DB>,
  customerNumber: string,
  sessionId: string,
): Promise<EndedSession | undefined> {
  const { rows } = await sql<EndedSession>`
    select min(u.started_at) as started_at, max(u.ends_at) as ends_at, sum(u.charge)::text as charge
      from usage_transaction u
     where u.customer_number = ${customerNumber} and u.session_id = ${sessionId} and u.ends_at < 'infinity'
       and u.corrects is null
    having count(*) > 0`.execute(db)
  return rows[0]
}

export async function hasSession(db: Kysely<DB>, customerNumber: string, sessionId: string): Promise<boolean> {
  const found = await db
    .selectFrom('elastic_session')
    .select('session_id')
    .where('customer_number', '=', customerNumber)
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return found !== undefined
}
