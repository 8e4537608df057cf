import { createHmac, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { findSettings } from '#server/modules/license-use/settings.queries.ts'

const PSEUDONYM = /^user-[0-9a-f]{10}$/

/** A name always gets the same pseudonym. Nobody can turn a pseudonym back without the secret of the account. */
export function pseudonymOf(secret: Uint8Array, user: string): string {
  if (user === '' || PSEUDONYM.test(user)) return user
  return `user-${createHmac('sha256', secret).update(user.toLowerCase()).digest('hex').slice(0, 10)}`
}

export const newSecret = () => randomBytes(32)

export type Rename = (user: string) => string

/** Makes pseudonyms for what is stored from now on; null if users are stored by their names. */
export async function loadSecret(db: Kysely<DB>, customerNumber: string): Promise<Buffer | null> {
  const settings = await findSettings(db, customerNumber)
  return settings?.has_pseudonyms ? settings.pseudonym_secret : null
}

/** For one text: its users are named again and again, and a pseudonym takes longer to make than a line to read. */
export function renameWith(secret: Uint8Array | null): Rename | undefined {
  if (secret === null) return undefined
  const known = new Map<string, string>()
  return (user) => {
    const pseudonym = known.get(user) ?? pseudonymOf(secret, user)
    known.set(user, pseudonym)
    return pseudonym
  }
}

export const loadRename = async (db: Kysely<DB>, customerNumber: string): Promise<Rename> =>
  renameWith(await loadSecret(db, customerNumber)) ?? ((user) => user)
