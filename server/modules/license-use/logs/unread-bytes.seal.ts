import { createSecretKey } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { openBytes, sealBytes } from '#server/db/sealed-bytes.ts'
import type { InstallationSecrets } from '#server/db/secrets.queries.ts'

/**
 * Encrypts what has arrived of logs and is not read yet: nobody can tell which of its names will be replaced by pseudonyms. It opens
 * for its account only. Nothing stays nothing.
 */
export async function loadUnreadSeal(db: Kysely<DB>, secrets: InstallationSecrets, customerNumber: string) {
  const key = createSecretKey(await secrets.load(db, 'unread logs'))
  const boundTo = Buffer.from(customerNumber)
  return {
    seal: (plain: Buffer): Buffer => (plain.length > 0 ? sealBytes(key, boundTo, plain) : plain),
    open(sealed: Buffer): Buffer {
      const plain = sealed.length > 0 ? openBytes(key, boundTo, sealed) : sealed
      if (!plain)
        throw new Error(
          `A part of a log of account ${customerNumber} does not open with the secret of this installation`,
        )
      return plain
    },
  }
}
