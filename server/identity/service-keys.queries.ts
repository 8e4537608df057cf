import type { Kysely, Selectable, Transaction } from 'kysely'
import type { ServiceScope } from '#domain/access/roles.ts'
import type { DB } from '#server/db/schema.ts'
import { announceAccess } from '#server/identity/access-changes.queries.ts'

export type ServiceKeyRow = Selectable<DB['service_key']>

/** False if a key of this name is in use. */
export async function insertServiceKey(
  tx: Transaction<DB>,
  key: {
    readonly id: string
    readonly name: string
    readonly scopes: readonly ServiceScope[]
    readonly secretHash: Buffer
    readonly createdBy: string
    readonly createdAt: Date
    readonly expiresAt: Date
  },
): Promise<boolean> {
  const row = await tx
    .insertInto('service_key')
    .values({
      id: key.id,
      name: key.name,
      scopes: [...key.scopes],
      secret_hash: key.secretHash,
      created_at: key.createdAt,
      created_by: key.createdBy,
      expires_at: key.expiresAt,
    })
    .onConflict((conflict) => conflict.column('name').where('revoked_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export function listServiceKeys(db: Kysely<DB>): Promise<ServiceKeyRow[]> {
  return db.selectFrom('service_key').selectAll().orderBy('name').orderBy('created_at').execute()
}

export function findServiceKey(db: Kysely<DB>, id: string): Promise<ServiceKeyRow | undefined> {
  return db.selectFrom('service_key').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The key that was revoked; undefined if none of this name is in use. */
export async function revokeServiceKey(
  tx: Transaction<DB>,
  name: string,
  at: Date,
): Promise<ServiceKeyRow | undefined> {
  const revoked = await tx
    .updateTable('service_key')
    .set({ revoked_at: at })
    .where('name', '=', name)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (revoked) await announceAccess(tx, [revoked.id], 'key')
  return revoked
}

/** One of several simultaneous calls saves the use. */
export async function saveServiceKeyUse(
  db: Kysely<DB>,
  id: string,
  { at, unlessAfter }: { at: Date; unlessAfter: Date },
): Promise<void> {
  await db
    .updateTable('service_key')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<=', unlessAfter)]))
    .execute()
}
