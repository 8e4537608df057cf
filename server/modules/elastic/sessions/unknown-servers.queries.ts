import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import {
  aPaceBefore,
  type FailureCounts,
  oneMoreToday,
  type PinCaller,
} from '#server/modules/elastic/credentials/pin-failures.queries.ts'

/*
 * Wrong PINs for ids that no server has. Each function does what `pin-failures.queries.ts` does for a server, in the
 * same number of statements, so that neither the answer nor its time reveals which servers exist.
 */

export async function findUnknownServerCaller(db: Kysely<DB>, serverId: string, guesser: string): Promise<PinCaller> {
  const { rows } = await sql<PinCaller>`
    select f.failures, f.failed_at, g.failures as server_failures, g.since as server_since, false as was_right
      from (select ${serverId}::text as server_id) s
      left join unknown_pin_guessing g on g.server_id = s.server_id
      left join unknown_pin_failure f on f.server_id = s.server_id and f.external_ip = ${guesser}::text`.execute(db)
  return rows[0] as PinCaller
}

export async function addUnknownServerFailure(
  tx: Transaction<DB>,
  { serverId, guesser, now }: { serverId: string; guesser: string; now: Date },
): Promise<FailureCounts> {
  const { failures } = await tx
    .insertInto('unknown_pin_failure')
    .values({ server_id: serverId, external_ip: guesser, failures: 1, failed_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['server_id', 'external_ip'])
        .doUpdateSet({ failures: sql`unknown_pin_failure.failures + 1`, failed_at: now }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow()
  const server = await tx
    .insertInto('unknown_pin_guessing')
    .values({ server_id: serverId, since: now, failures: 1 })
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet(oneMoreToday('unknown_pin_guessing', now)))
    .returning('failures')
    .executeTakeFirstOrThrow()
  await countUnknownServerRefusal(tx, serverId)
  return { ofAddress: failures, ofServer: server.failures }
}

export async function takeUnknownServerTurn(db: Kysely<DB>, serverId: string, now: Date): Promise<boolean> {
  const taken = await db
    .updateTable('unknown_pin_guessing')
    .set({ tried_at: now })
    .where('server_id', '=', serverId)
    .where('tried_at', '<=', aPaceBefore(now))
    .returning('tried_at')
    .executeTakeFirst()
  return taken !== undefined
}

/** Replaces the denial that a server's account would see. */
export async function countUnknownServerRefusal(db: Kysely<DB>, serverId: string): Promise<void> {
  await db
    .updateTable('unknown_pin_guessing')
    .set({ refused: sql`refused + 1` })
    .where('server_id', '=', serverId)
    .execute()
}

/** Wrong PINs are counted for a day. */
export async function deleteUnknownServerFailuresBefore(db: Kysely<DB>, instant: Date): Promise<void> {
  await db.deleteFrom('unknown_pin_failure').where('failed_at', '<', instant).execute()
  await db.deleteFrom('unknown_pin_guessing').where('since', '<', instant).execute()
}
