import type { Kysely, Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { announceAccess } from '#server/identity/access-changes.queries.ts'

export type DueSignInSession = { refresh_token: Buffer | null; subject: string; email: string; claim_roles: string[] }

/**
 * Claims the right to request the roles of a session, if they are due: one process gets the session, others get
 * undefined until `until` has passed or the first one has finished. All conditions are on one row, so that PostgreSQL
 * checks them again after waiting for another process.
 */
export function takeDueSignInSession(
  db: Kysely<DB>,
  idHash: Buffer,
  { now, checkedBefore, until }: { now: Date; checkedBefore: Date; until: Date },
): Promise<DueSignInSession | undefined> {
  return db
    .with('taken', (cte) =>
      cte
        .updateTable('session')
        .set({ claim_roles_asking_until: until })
        .where('id_hash', '=', idHash)
        .where('claim_roles_checked_at', '<=', checkedBefore)
        .where(({ eb, or, and }) =>
          and(
            (['claim_roles_asking_until', 'claim_roles_ask_again_at'] as const).map((column) =>
              or([eb(column, 'is', null), eb(column, '<=', now)]),
            ),
          ),
        )
        .returning(['id_hash', 'email', 'claim_roles']),
    )
    .selectFrom('taken')
    .innerJoin('session_token', 'session_token.id_hash', 'taken.id_hash')
    .select(['refresh_token', 'subject', 'email', 'claim_roles'])
    .executeTakeFirst()
}

export async function isRenewing(db: Kysely<DB>, idHash: Buffer, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('session')
    .select('id_hash')
    .where('id_hash', '=', idHash)
    .where('claim_roles_asking_until', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

type Renewed = { roles: string[]; checkedAt: Date; idToken: Buffer | undefined; refreshToken: Buffer | undefined }

/** Tokens that the provider did not send again are kept. */
export async function saveClaimRoles(
  tx: Transaction<DB>,
  idHash: Buffer,
  { roles, checkedAt, idToken, refreshToken }: Renewed,
): Promise<void> {
  const tokens = {
    ...(idToken ? { id_token: idToken } : {}),
    ...(refreshToken ? { refresh_token: refreshToken } : {}),
  }
  await tx
    .updateTable('session')
    .set({
      claim_roles: roles,
      claim_roles_checked_at: checkedAt,
      claim_roles_asking_until: null,
      claim_roles_ask_again_at: null,
    })
    .where('id_hash', '=', idHash)
    .execute()
  await announceAccess(tx, [idHash.toString('hex')], 'session')
  if (idToken || refreshToken) await tx.updateTable('session_token').set(tokens).where('id_hash', '=', idHash).execute()
}

export async function postponeRenewal(db: Kysely<DB>, idHash: Buffer, until: Date): Promise<void> {
  await db
    .updateTable('session')
    .set({ claim_roles_asking_until: null, claim_roles_ask_again_at: until })
    .where('id_hash', '=', idHash)
    .execute()
}
