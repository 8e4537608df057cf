import { randomBytes } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { type InstallationKey, openSecret, wrappingKeyId, wrapSecret } from '#server/db/installation-key.ts'
import type { DB } from '#server/db/schema.ts'

/** The secrets that all processes of this installation share, opened with the keys that this process was given. */
export class InstallationSecrets {
  readonly #keys: readonly InstallationKey[]

  constructor(keys: readonly InstallationKey[]) {
    this.#keys = keys
  }

  /** The first process that loads a secret creates it. */
  async load(db: Kysely<DB>, name: string): Promise<Buffer> {
    return this.open(name, (await findStored(db, name)) ?? (await this.#create(db, name)))
  }

  open(name: string, stored: Buffer): Buffer {
    return openSecret(this.#keys, name, stored)
  }

  /** Wraps every secret with this key, or with none. Returns the names of those that were stored otherwise. */
  async wrapAll(tx: Transaction<DB>, key: InstallationKey | undefined): Promise<string[]> {
    const rows = await tx.selectFrom('installation_secret').selectAll().orderBy('name').forUpdate().execute()
    const changed = rows.filter(({ secret }) => wrappingKeyId(secret) !== key?.id)
    for (const { name, secret } of changed) {
      const opened = this.open(name, secret)
      await tx
        .updateTable('installation_secret')
        .set({ secret: key ? wrapSecret(key, name, opened) : opened })
        .where('name', '=', name)
        .execute()
    }
    return changed.map(({ name }) => name)
  }

  /** A new secret is stored as the others are. */
  async #create(db: Kysely<DB>, name: string): Promise<Buffer> {
    const other = await db.selectFrom('installation_secret').select(['name', 'secret']).limit(1).executeTakeFirst()
    // Fails before a secret is stored that would be the only one in the open.
    if (other) this.open(other.name, other.secret)
    const id = other && wrappingKeyId(other.secret)
    const key = this.#keys.find((one) => one.id === id)
    const secret = randomBytes(32)
    await db
      .insertInto('installation_secret')
      .values({ name, secret: key ? wrapSecret(key, name, secret) : secret })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return (await findStored(db, name))!
  }
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
