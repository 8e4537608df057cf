import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/**
 * What the running session `r` would cost if it were closed now: the SQL side of `closeSession` and `sessionCharge`. Null if
 * it was not started here and so has no rate.
 */
export const accruedCharge = (now: RawBuilder<unknown>) => sql<string>`
  round(r.product_count * r.units_per_hour
    * extract(epoch from least(${now}::timestamptz, r.last_heartbeat_at + interval '15 minutes') - r.started_at) / 3600, 2)`

/** A session that was started here and has not ended. */
export type RunningSession = Selectable<DB['usage_transaction_running']> & {
  readonly activation_id: string
  readonly last_heartbeat_at: Date
  readonly units_per_hour: string
}

/** Null if the session is unknown or over; otherwise the export status of its account. */
export async function saveHeartbeat(
  tx: Transaction<DB>,
  session: { customerNumber: string; sessionId: string },
  { now, oldest }: { now: Date; oldest: Date },
): Promise<{ exportControlStatus: string } | null> {
  const { rows } = await sql<{ exportControlStatus: string }>`
    update usage_transaction_running r set last_heartbeat_at = greatest(r.last_heartbeat_at, ${now})
     where r.customer_number = ${session.customerNumber} and r.session_id = ${session.sessionId}
       and r.last_heartbeat_at > ${oldest}
    returning (select a.export_control_status from account a where a.customer_number = ${session.customerNumber})
      as "exportControlStatus"`.execute(tx)
  return rows[0] ?? null
}

/** Reads a session whose end is to be booked, and locks it against heartbeats. Lock the account first. */
export async function takeSession(
  tx: Transaction<DB>,
  customerNumber: string,
  sessionId: string,
): Promise<RunningSession | undefined> {
  const [session] = await takeSessions(tx, customerNumber, sql`r.session_id = ${sessionId}`)
  return session
}

/** Reads and locks all sessions of an account that have been silent for too long. */
export function takeSilentSessions(
  tx: Transaction<DB>,
  customerNumber: string,
  oldest: Date,
): Promise<RunningSession[]> {
  return takeSessions(tx, customerNumber, sql`r.last_heartbeat_at <= ${oldest}`)
}

async function takeSessions(
  tx: Transaction<DB>,
  customerNumber: string,
  which: RawBuilder<unknown>,
): Promise<RunningSession[]> {
  const { rows } = await sql<RunningSession>`
    select * from usage_transaction_running r
     where r.customer_number = ${customerNumber} and ${which} and r.units_per_hour is not null
       for update`.execute(tx)
  return rows
}

export async function listAccountsWithSilentSessions(db: Kysely<DB>, oldest: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('usage_transaction_running')
    .select('customer_number')
    .distinct()
    .where('last_heartbeat_at', '<=', oldest)
    .orderBy('customer_number')
    .execute()
  return rows.map(({ customer_number }) => customer_number)
}

export type EndedSession = { readonly started_at: Date; readonly ends_at: Date; readonly charge: string }

/** The booked usage of a session that is over. */
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
    .selectFrom('usage_transaction_running')
    .select('session_id')
    .where('customer_number', '=', customerNumber)
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return found !== undefined
}
