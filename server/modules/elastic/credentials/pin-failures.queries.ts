import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { BRAKED_PACE } from '#domain/elastic/credentials/pin-guessing.ts'
import { namedStatement } from '#server/db/named-statements.ts'
import type { DB } from '#server/db/schema.ts'
import { limitsLock } from '#server/modules/elastic/limits/limits-lock.queries.ts'
import { insertDenial } from '#server/modules/elastic/sessions/denials.queries.ts'

export type PinFailureKey = Pick<Selectable<DB['pin_failure']>, 'customer_number' | 'server_id' | 'external_ip'>

/** Facts about a caller who sends a PIN. */
export type PinCaller = {
  /** Wrong PINs from the caller's address. */
  readonly failures: number | null
  readonly failed_at: Date | null
  /** Wrong PINs for the server, from any address. */
  readonly server_failures: number | null
  readonly server_since: Date | null
  /** Whether the right PIN was sent from the caller's address before. */
  readonly was_right: boolean
}

const DAY = 24 * 60 * 60 * 1000

export type FailureCounts = { readonly ofAddress: number; readonly ofServer: number }

export type AttemptedServer = {
  /** The account of the server. */
  readonly owner: string
  /** The account has limits: its starts wait for each other. */
  readonly isLimited: boolean
}

/**
 * PINs of one server from one address are tried one after the other, so that guessing in parallel gains nothing. Starts of an account
 * that has limits wait for each other as well. Undefined if no server has this id.
 */
export async function lockPinAttempts(
  tx: Transaction<DB>,
  serverId: string,
  guesser: string,
): Promise<AttemptedServer | undefined> {
  const [server] = await lockAttempts.run(tx, { serverId, guesser })
  return server && server.owner !== null ? { owner: server.owner, isLimited: server.is_limited } : undefined
}

type Attempted = { readonly owner: string | null; readonly is_limited: boolean }

const lockAttempts = namedStatement<{ serverId: string; guesser: string }, Attempted>(
  'lock-pin-attempts',
  (v) => sql`
  select pg_advisory_xact_lock(hashtext('elastic PIN'), hashtext(${v.serverId}::text || ' ' || ${v.guesser}::text)),
         o.customer_number as owner, l.customer_number is not null as is_limited,
         case when l.customer_number is not null then ${limitsLock(sql`l.customer_number`)} end
    from (select ${v.serverId}::text as device_id) asked
    left join device_owner o on o.device_id = asked.device_id
    left join limited_account l on l.customer_number = o.customer_number`,
)

/** Writes the denial and counts the wrong PIN. The row of the server comes last, because callers wait for each other there. */
export async function addPinFailure(
  tx: Transaction<DB>,
  denial: Insertable<DB['elastic_denial']>,
  guesser: string,
): Promise<FailureCounts> {
  const { customer_number, server_id, denied_at } = denial
  await insertDenial(tx, denial)
  const { failures } = await tx
    .insertInto('pin_failure')
    .values({ customer_number, server_id, external_ip: guesser, failures: 1, failed_at: denied_at })
    .onConflict((conflict) =>
      conflict
        .columns(['customer_number', 'server_id', 'external_ip'])
        .doUpdateSet({ failures: sql`pin_failure.failures + 1`, failed_at: denied_at }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow()
  const server = await tx
    .insertInto('pin_guessing')
    .values({ customer_number, server_id, since: denied_at, failures: 1 })
    .onConflict((conflict) =>
      conflict.columns(['customer_number', 'server_id']).doUpdateSet(oneMoreToday('pin_guessing', denied_at)),
    )
    .returning('failures')
    .executeTakeFirstOrThrow()
  return { ofAddress: failures, ofServer: server.failures }
}

export const oneMoreToday = (table: 'pin_guessing' | 'unknown_pin_guessing', at: Date) => {
  const isToday = sql`${sql.table(table)}.since > ${new Date(at.getTime() - DAY)}::timestamptz`
  return {
    failures: sql<number>`case when ${isToday} then ${sql.table(table)}.failures + 1 else 1 end`,
    since: sql<Date>`case when ${isToday} then ${sql.table(table)}.since else ${at}::timestamptz end`,
  }
}

/** Takes the turn of a server that is slowed down. False if another address took it less than a pace ago. */
export async function takePinTurn(
  db: Kysely<DB>,
  { customer_number, server_id }: Omit<PinFailureKey, 'external_ip'>,
  now: Date,
): Promise<boolean> {
  const taken = await db
    .updateTable('pin_guessing')
    .set({ tried_at: now })
    .where('customer_number', '=', customer_number)
    .where('server_id', '=', server_id)
    .where('tried_at', '<=', aPaceBefore(now))
    .returning('tried_at')
    .executeTakeFirst()
  return taken !== undefined
}

export const aPaceBefore = (now: Date) => new Date(now.getTime() - BRAKED_PACE)

/** Records that the right PIN was sent from an address. */
export async function insertRightAddress(tx: Transaction<DB>, key: PinFailureKey, at: Date): Promise<void> {
  await tx
    .insertInto('pin_address')
    .values({ ...key, right_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The deleted failures; undefined if there were none. */
export async function deletePinFailures(tx: Transaction<DB>, key: PinFailureKey): Promise<number | undefined> {
  const gone = await tx
    .deleteFrom('pin_failure')
    .where('customer_number', '=', key.customer_number)
    .where('server_id', '=', key.server_id)
    .where('external_ip', '=', key.external_ip)
    .returning('failures')
    .executeTakeFirst()
  return gone?.failures
}

export function listPinFailures(db: Kysely<DB>, customerNumber: string): Promise<Selectable<DB['pin_failure']>[]> {
  return db
    .selectFrom('pin_failure')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .orderBy('server_id')
    .orderBy('external_ip')
    .execute()
}

/** Of all accounts, with their names. */
export function listRecentPinFailures(db: Kysely<DB>, since: Date) {
  return db
    .selectFrom('pin_failure as f')
    .innerJoin('account as a', 'a.customer_number', 'f.customer_number')
    .selectAll('f')
    .select('a.name as account_name')
    .where('f.failed_at', '>=', since)
    .execute()
}

export function listPinGuessing(db: Kysely<DB>, customerNumber: string): Promise<Selectable<DB['pin_guessing']>[]> {
  return db
    .selectFrom('pin_guessing')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .orderBy('server_id')
    .execute()
}

export async function deleteRightAddressesBefore(db: Kysely<DB>, instant: Date): Promise<void> {
  await db.deleteFrom('pin_address').where('right_at', '<', instant).execute()
}
