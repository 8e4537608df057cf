import type { Kysely } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { IDLE_LIMIT } from '#server/session/session.ts'

/** Those of the sessions (SHA-256 of their ids, in hex) that are neither over nor idle for too long. */
export async function livingSessions(db: Kysely<DB>, hashes: readonly string[], now: Date): Promise<Set<string>> {
  const rows = await db
    .selectFrom('session')
    .select('id_hash')
    .where(
      'id_hash',
      'in',
      hashes.map((hash) => Buffer.from(hash, 'hex')),
    )
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', new Date(now.getTime() - IDLE_LIMIT))
    .execute()
  return new Set(rows.map((row) => row.id_hash.toString('hex')))
}
