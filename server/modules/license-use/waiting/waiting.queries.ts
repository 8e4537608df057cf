import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { Move, Priority } from '#domain/license-use/waiting/waiting-line.ts'
import { isClosed } from '#domain/license-use/waiting/waiting-line.ts'
import type { DB } from '#server/db/schema.ts'

export type WaitRow = Omit<Selectable<DB['license_wait']>, 'number'> & { readonly number: number }

const ALL = sql`w.customer_number, w.wait_id, w.feature, w.host_id, w.seats, w.email, w.is_mailed, w.user_name, w.priority,
  w.number::float8 as number, w.joined_at, w.until, w.state, w.held_before, w.offered_host, w.offered_at, w.offer_ends_at, w.closed_at`

/** Serializes what changes the lines of an account. Take it after the locks of reports. */
export async function lockLines(tx: Transaction<DB>, customerNumber: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('lines for seats'), hashtext(${customerNumber}))`.execute(tx)
}

/** Everybody in line for a feature, or for any feature. */
export async function listWaiting(db: Kysely<DB>, customerNumber: string, feature?: string): Promise<WaitRow[]> {
  const { rows } = await sql<WaitRow>`
    select ${ALL} from license_wait w
     where w.customer_number = ${customerNumber} and w.closed_at is null
       and (${feature ?? null}::text is null or w.feature = ${feature ?? null}) order by w.feature, w.number`.execute(
    db,
  )
  return rows
}

export async function findPlace(db: Kysely<DB>, customerNumber: string, id: string): Promise<WaitRow | undefined> {
  const { rows } = await sql<WaitRow>`
    select ${ALL} from license_wait w where w.customer_number = ${customerNumber} and w.wait_id = ${id}`.execute(db)
  return rows[0]
}

export async function insertPlace(
  tx: Transaction<DB>,
  place: Omit<Insertable<DB['license_wait']>, 'number' | 'state'>,
): Promise<void> {
  const next = sql<number>`(
    select coalesce(max(n.number), 0) + 1 from license_wait n
     where n.customer_number = ${place.customer_number} and n.feature = ${place.feature})`
  await tx
    .insertInto('license_wait')
    .values({ ...place, number: next, state: 'waiting' })
    .execute()
}

type Key = Pick<WaitRow, 'customer_number' | 'wait_id'>

/** Stores where a place has moved. */
export async function saveMove(tx: Transaction<DB>, key: Key, { place, state }: Move, now: Date): Promise<void> {
  await tx
    .updateTable('license_wait')
    .set({
      state,
      held_before: JSON.stringify(place.heldBefore),
      offered_host: place.offer?.serverId ?? null,
      offered_at: place.offer?.offeredAt ?? null,
      offer_ends_at: place.offer?.endsAt ?? null,
      ...(isClosed(state) ? { closed_at: now } : {}),
    })
    .where('customer_number', '=', key.customer_number)
    .where('wait_id', '=', key.wait_id)
    .execute()
}

export async function withdrawPlace(tx: Transaction<DB>, key: Key, now: Date): Promise<void> {
  await tx
    .updateTable('license_wait')
    .set({ state: 'withdrawn', closed_at: now })
    .where('customer_number', '=', key.customer_number)
    .where('wait_id', '=', key.wait_id)
    .execute()
}

export async function savePriority(tx: Transaction<DB>, key: Key, priority: Priority): Promise<void> {
  await tx
    .updateTable('license_wait')
    .set({ priority })
    .where('customer_number', '=', key.customer_number)
    .where('wait_id', '=', key.wait_id)
    .execute()
}

type OfferRow = {
  readonly feature: string
  readonly seats: number
  readonly serverName: string
  readonly endsAt: Date
}

/** Seats that are free for a person. */
export async function listOffersOf(db: Kysely<DB>, customerNumber: string, email: string) {
  const { rows } = await sql<OfferRow>`
    select w.feature, w.seats, coalesce(h.host_name, w.offered_host) as "serverName", w.offer_ends_at as "endsAt"
      from license_wait w
      left join host h on h.customer_number = ${customerNumber} and h.host_id = w.offered_host
     where w.customer_number = ${customerNumber} and w.email = ${email} and w.closed_at is null and w.state = 'offered'
     order by w.offer_ends_at, w.feature limit 20`.execute(db)
  return rows.map(({ endsAt, ...offer }) => ({ ...offer, endsAt: endsAt.toISOString() }))
}

/** Accounts where somebody is in line. */
export async function listAccountsWithLines(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ customer_number: string }>`
    select distinct w.customer_number from license_wait w where w.closed_at is null order by 1`.execute(db)
  return rows.map(({ customer_number }) => customer_number)
}

/** Tells the streams of a person, in whatever process they are, when the transaction is done. */
export async function announceOffer(tx: Transaction<DB>, offer: object): Promise<void> {
  await sql`select pg_notify('seat_offer', ${JSON.stringify(offer)})`.execute(tx)
}

/** Seats that people in line wait for, by feature and license server; null: any license server. */
export async function listWantedSeats(
  db: Kysely<DB>,
  customerNumber: string,
): Promise<{ feature: string; hostId: string | null; seats: number }[]> {
  const { rows } = await sql<{ feature: string; hostId: string | null; seats: number }>`
    select w.feature, w.host_id as "hostId", sum(w.seats)::float8 as seats from license_wait w
     where w.customer_number = ${customerNumber} and w.closed_at is null group by 1, 2 order by 1, 2 nulls first`.execute(
    db,
  )
  return rows
}

/** Notes that a holder is asked. False: somebody asked them on this day already. */
export async function insertHolderAsk(
  tx: Transaction<DB>,
  customerNumber: string,
  userName: string,
  { on, by }: { readonly on: CalendarDay; readonly by: string },
): Promise<boolean> {
  const added = await tx
    .insertInto('license_holder_ask')
    .values({ customer_number: customerNumber, user_name: userName.toLowerCase(), asked_on: on, asked_by: by })
    .onConflict((conflict) => conflict.doNothing())
    .returning('asked_on')
    .executeTakeFirst()
  return added !== undefined
}

export async function deleteHolderAsks(tx: Transaction<DB>, customerNumber: string): Promise<void> {
  await tx.deleteFrom('license_holder_ask').where('customer_number', '=', customerNumber).execute()
}

/** Removes who has left the lines of an account, and who was asked for a seat, before a time. */
export async function deleteClosedBefore(db: Kysely<DB>, customerNumber: string, before: Date): Promise<void> {
  await sql`
    delete from license_wait where customer_number = ${customerNumber} and closed_at < ${before}`.execute(db)
  await sql`
    delete from license_holder_ask where customer_number = ${customerNumber} and asked_on < ${before.toISOString().slice(0, 10)}::date`.execute(
    db,
  )
}
