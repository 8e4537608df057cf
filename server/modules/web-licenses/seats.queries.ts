import { type Kysely, sql, type Transaction } from 'kysely'
import { oldestHeartbeat } from '#domain/elastic/sessions/session-life.ts'
import { namesCustomers } from '#server/db/named-customers.ts'
import type { DB } from '#server/db/schema.ts'
import type { CountSeats } from '#server/modules/entitlements/entitlements.public.ts'

export type SeatPair = { readonly activationId: string; readonly email: string }

/** Users who are assigned to entitlements, by activation id. Ids without users are left out. */
export async function listSeatUsers(
  db: Kysely<DB>,
  customerNumber: string,
  activationIds: readonly string[],
): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ activation_id: string; emails: string[] }>`
    select s.activation_id, array_agg(s.email) as emails from web_seat s
     where s.customer_number = ${customerNumber} and s.activation_id = any (${activationIds})
     group by s.activation_id`.execute(db)
  return new Map(rows.map((row) => [row.activation_id, new Set(row.emails)]))
}

/** Seats that are given to users, of entitlements of several customers. */
export const countAssigned: CountSeats = async (tx, keys) => {
  const { rows } = await sql<{ activation_id: string; seats: number }>`
    select activation_id, u.seats
      from unnest(${keys.map((key) => key.customerNumber)}::text[], ${keys.map((key) => key.activationId)}::text[])
           as k (customer_number, activation_id) join web_license_use u using (customer_number, activation_id)
     where ${namesCustomers(
       'u',
       keys.map((key) => key.customerNumber),
     )}`.execute(tx)
  return new Map(rows.map((row) => [row.activation_id, row.seats]))
}

/** How many entitlements a user is assigned to. */
export async function countSeatsOf(db: Kysely<DB>, customerNumber: string, email: string): Promise<number> {
  const { rows } = await sql<{ seats: number }>`
    select count(*)::int as seats from web_seat s
     where s.customer_number = ${customerNumber} and s.email = ${email}`.execute(db)
  return rows[0]?.seats ?? 0
}

/** Inserts seats. Users who have one keep it. The database refuses more seats than the quantity. */
export async function insertSeats(
  tx: Transaction<DB>,
  customerNumber: string,
  seats: readonly SeatPair[],
  now: Date,
): Promise<void> {
  if (seats.length === 0) return
  await sql`
    insert into web_seat (customer_number, activation_id, email, since)
    select ${customerNumber}::text, activation_id, email, ${now}::timestamptz
      from unnest(${seats.map((one) => one.activationId)}::text[], ${seats.map((one) => one.email)}::text[])
        as wanted (activation_id, email)
     order by 2, 3
    on conflict do nothing`.execute(tx)
}

/**
 * How a running checkout of `web_checkout c` ends that is ended now. One without heartbeats was over before. Added to in UTC,
 * because the sum of an instant and an interval depends on the time zone of the session: a sharded table refuses that.
 */
export function endOfCheckout(status: 'Completed' | 'Revoked', now: Date) {
  const oldest = oldestHeartbeat(now)
  return sql`
    status = case when c.last_heartbeat_at <= ${oldest}::timestamptz then 'Timed out' else ${status}::text end,
    ends_at = greatest(c.started_at, case when c.last_heartbeat_at <= ${oldest}::timestamptz
      then (c.last_heartbeat_at at time zone 'UTC' + (${now}::timestamptz - ${oldest}::timestamptz)) at time zone 'UTC'
      else ${now}::timestamptz end)`
}

/**
 * Releases the seats of users on entitlements, unless something else still assigns them, and ends the checkouts that run on
 * released seats. Without `emails`, those of all users. Answers how many checkouts were ended.
 */
export async function releaseSeats(
  tx: Transaction<DB>,
  customerNumber: string,
  { activationIds, emails }: { activationIds: readonly string[]; emails?: readonly string[] },
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ ended: number }>`
    with released as (
      delete from web_seat s
       where s.customer_number = ${customerNumber} and s.activation_id = any (${activationIds})
         and (${emails ?? null}::text[] is null or s.email = any (${emails ?? []}))
         and not exists (select 1 from web_user_assignment a where a.customer_number = s.customer_number
                            and a.activation_id = s.activation_id and a.email = s.email)
         and not exists (select 1 from web_group_assignment a
                           join web_group_member m on m.customer_number = a.customer_number and m.group_id = a.group_id
                          where a.customer_number = s.customer_number and a.activation_id = s.activation_id
                            and m.email = s.email)
      returning s.activation_id, s.email),
    ended as (
      update web_checkout c set ${endOfCheckout('Revoked', now)} from released r
       where c.customer_number = ${customerNumber} and c.activation_id = r.activation_id and c.email = r.email
         and c.ends_at = 'infinity'
      returning c.checkout_number)
    select count(*)::int as ended from ended`.execute(tx)
  return rows[0]?.ended ?? 0
}
