import { createHmac, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { findSettings } from '#server/modules/license-use/settings.queries.ts'

const PSEUDONYM = /^user-[0-9a-f]{10}$/

/** A name always gets the same pseudonym. Nobody can turn a pseudonym back without the secret of the account. */
export function pseudonymOf(secret: Buffer, user: string): string {
  if (user === '' || PSEUDONYM.test(user)) return user
  return `user-${createHmac('sha256', secret).update(user.toLowerCase()).digest('hex').slice(0, 10)}`
}

export const newSecret = () => randomBytes(32)

export type Rename = (user: string) => string

/** How users are named in what is stored from now on, unless it is by their names. */
export async function loadPseudonyms(db: Kysely<DB>, customerNumber: string): Promise<Rename | undefined> {
  const settings = await findSettings(db, customerNumber)
  return settings?.has_pseudonyms ? (user) => pseudonymOf(settings.pseudonym_secret, user) : undefined
}

export const loadRename = async (db: Kysely<DB>, customerNumber: string): Promise<Rename> =>
  (await loadPseudonyms(db, customerNumber)) ?? ((user) => user)
