import { randomBytes } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { type InstallationKey, openSecret, wrapLike, wrappingKeyId, wrapSecret } from '#server/db/installation-key.ts'
import type { DB } from '#server/db/schema.ts'

/** A secret that all processes of this installation share. The first process that loads it creates it. */
export async function loadInstallationSecret(db: Kysely<DB>, name: string): Promise<Buffer> {
  const stored = (await findStored(db, name)) ?? (await createSecret(db, name))
  return openSecret(name, stored)
}

async function createSecret(db: Kysely<DB>, name: string): Promise<Buffer> {
  const other = await db.selectFrom('installation_secret').select(['name', 'secret']).limit(1).executeTakeFirst()
  // Fails before a secret is stored that would be the only one in the open.
  if (other) openSecret(other.name, other.secret)
  await db
    .insertInto('installation_secret')
    .values({ name, secret: wrapLike(other?.secret, name, randomBytes(32)) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await findStored(db, name))!
}

async function findStored(db: Kysely<DB>, name: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('installation_secret').select('secret').where('name', '=', name).executeTakeFirst()
  return row?.secret
}

/** Each secret's name, and the id of the key that wraps it; null where none does. */
export async function listWrappings(db: Kysely<DB>): Promise<{ name: string; keyId: string | null }[]> {
  const rows = await db.selectFrom('installation_secret').selectAll().orderBy('name').execute()
  return rows.map(({ name, secret }) => ({ name, keyId: wrappingKeyId(secret) ?? null }))
}

/** Wraps every secret with this key, or with none. Returns the names of those that were stored otherwise. */
export async function wrapSecrets(tx: Transaction<DB>, key: InstallationKey | undefined): Promise<string[]> {
  const rows = await tx.selectFrom('installation_secret').selectAll().orderBy('name').forUpdate().execute()
  const changed = rows.filter(({ secret }) => wrappingKeyId(secret) !== key?.id)
  for (const { name, secret } of changed) {
    const opened = openSecret(name, secret)
    await tx
      .updateTable('installation_secret')
      .set({ secret: key ? wrapSecret(key, name, opened) : opened })
      .where('name', '=', name)
      .execute()
  }
  return changed.map(({ name }) => name)
}
