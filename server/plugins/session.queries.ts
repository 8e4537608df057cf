import type { Insertable, Kysely } from 'kysely'
import type { DB } from '#server/plugins/schema.ts'

export async function insertSession(db: Kysely<DB>, session: Insertable<DB['session']>): Promise<void> {
  await db.deleteFrom('session').where('expires_at', '<', session.created_at).execute()
  await db.insertInto('session').values(session).execute()
}

export async function touchSession(db: Kysely<DB>, idHash: Buffer, at: Date): Promise<void> {
  await db.updateTable('session').set({ last_seen_at: at }).where('id_hash', '=', idHash).execute()
}

/** Answers whose session it was. */
export async function deleteSession(db: Kysely<DB>, idHash: Buffer): Promise<string | undefined> {
  const row = await db.deleteFrom('session').where('id_hash', '=', idHash).returning('email').executeTakeFirst()
  return row?.email
}
