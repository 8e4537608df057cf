import type { Kysely } from 'kysely'
import { SERVICE_SCOPES, type ServiceScope } from '#domain/access/roles.ts'
import type { DB } from '#server/db/schema.ts'
import { insertServiceKey } from '#server/identity/service-keys.queries.ts'
import { createServiceKey } from '#server/identity/service-keys.ts'

const DAY = 24 * 60 * 60 * 1000
const SECRET_LENGTH = 43

type Options = { scopes?: readonly ServiceScope[]; days?: number; createdDaysAgo?: number }

/** A key with every scope that works for a day from now on, unless said otherwise. */
export async function giveServiceKey(
  { db, clock }: { db: Kysely<DB>; clock: { now(): Date } },
  name: string,
  { scopes = SERVICE_SCOPES, days = 1, createdDaysAgo = 0 }: Options = {},
) {
  const { id, key, secretHash } = createServiceKey()
  const createdAt = new Date(clock.now().getTime() - createdDaysAgo * DAY)
  const expiresAt = new Date(createdAt.getTime() + days * DAY)
  await db
    .transaction()
    .execute((tx) => insertServiceKey(tx, { id, name, scopes, secretHash, createdBy: 'a test', createdAt, expiresAt }))
  return { id, key, secret: key.slice(-SECRET_LENGTH), expiresAt, headers: bearer(key) }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
