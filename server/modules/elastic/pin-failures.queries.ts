import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'

export type PinFailureKey = Pick<Selectable<DB['pin_failure']>, 'customer_number' | 'server_id' | 'external_ip'>

/** PINs of one server from one address are tried one after the other, so that guessing in parallel gains nothing. */
export async function lockPinAttempts(tx: Transaction<DB>, serverId: string, guesser: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('elastic PIN'), hashtext(${`${serverId} ${guesser}`}))`.execute(tx)
}

/** Answers how many there are now. */
export async function addPinFailure(db: Kysely<DB>, key: PinFailureKey, at: Date): Promise<number> {
  const { failures } = await db
    .insertInto('pin_failure')
    .values({ ...key, failures: 1, failed_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['customer_number', 'server_id', 'external_ip'])
        .doUpdateSet({ failures: sql`pin_failure.failures + 1`, failed_at: at }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow()
  return failures
}

/** The failures that are forgotten; undefined if there were none. */
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

export function listPinFailures(db: Kysely<DB>, customerNumber?: string): Promise<Selectable<DB['pin_failure']>[]> {
  return db
    .selectFrom('pin_failure')
    .selectAll()
    .$if(customerNumber !== undefined, (query) => query.where('customer_number', '=', customerNumber as string))
    .orderBy('customer_number')
    .orderBy('server_id')
    .orderBy('external_ip')
    .execute()
}
