import type { Insertable, Kysely } from 'kysely'
import type { DB } from '#server/db/schema.ts'

type Session = Insertable<DB['session']>
type Tokens = Omit<Insertable<DB['session_token']>, 'id_hash'>

export async function insertSession(db: Kysely<DB>, session: Session, tokens: Tokens): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('session').where('expires_at', '<', session.created_at).execute()
    await tx.insertInto('session').values(session).execute()
    await tx
      .insertInto('session_token')
      .values({ ...tokens, id_hash: session.id_hash })
      .execute()
  })
}

export async function touchSession(db: Kysely<DB>, idHash: Buffer, at: Date): Promise<void> {
  await db.updateTable('session').set({ last_seen_at: at }).where('id_hash', '=', idHash).execute()
}

type EndedSession = { email: string; id_token: Buffer | null; refresh_token: Buffer | null }

/** Answers whose session it was, and what the provider had handed over for it. */
export function deleteSession(db: Kysely<DB>, idHash: Buffer): Promise<EndedSession | undefined> {
  return db
    .with('ended', (cte) => cte.deleteFrom('session').where('id_hash', '=', idHash).returning(['id_hash', 'email']))
    .selectFrom('ended')
    .leftJoin('session_token', 'session_token.id_hash', 'ended.id_hash')
    .select(['ended.email', 'session_token.id_token', 'session_token.refresh_token'])
    .executeTakeFirst()
}
