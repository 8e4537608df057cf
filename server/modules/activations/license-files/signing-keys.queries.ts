import type { Insertable, Kysely, Selectable, Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'

export type SigningKeyRow = Selectable<DB['signing_key']>

export function findCurrentKey(db: Kysely<DB>): Promise<SigningKeyRow | undefined> {
  return db.selectFrom('signing_key').selectAll().where('retired_at', 'is', null).executeTakeFirst()
}

/** All keys that ever signed, the newest first. */
export function listKeys(db: Kysely<DB>): Promise<SigningKeyRow[]> {
  return db.selectFrom('signing_key').selectAll().orderBy('created_at', 'desc').orderBy('key_id').execute()
}

/** Adds a key unless there is a current one. */
export async function insertFirstKey(db: Kysely<DB>, row: Insertable<DB['signing_key']>): Promise<void> {
  await db
    .insertInto('signing_key')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Makes a new key the signing key; the previous one only verifies from now on. */
export async function replaceKey(tx: Transaction<DB>, row: Insertable<DB['signing_key']>, now: Date): Promise<void> {
  await tx.updateTable('signing_key').set({ retired_at: now }).where('retired_at', 'is', null).execute()
  await tx.insertInto('signing_key').values(row).execute()
}
