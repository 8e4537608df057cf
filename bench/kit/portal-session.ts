import { randomBytes } from 'node:crypto'
import type { OpenedDatabase } from '#bench/kit/database.ts'
import type { StaffRole } from '#domain/access/roles.ts'
import { hashOfId } from '#server/identity/principal.queries.ts'

/** Signs a person in without the identity provider, and returns the cookie. */
export async function signedIn(
  { db }: Pick<OpenedDatabase, 'db'>,
  email: string,
  roles: StaffRole[] = [],
): Promise<string> {
  const id = randomBytes(32).toString('base64url')
  const now = new Date()
  await db
    .insertInto('session')
    .values({
      id_hash: hashOfId(id),
      email,
      claim_roles: roles,
      created_at: now,
      last_seen_at: now,
      expires_at: new Date(now.getTime() + 12 * 3_600_000),
    })
    .execute()
  return `session=${id}`
}
