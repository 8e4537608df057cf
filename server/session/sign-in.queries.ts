import type { Insertable, Kysely } from 'kysely'
import type { DB } from '#server/db/schema.ts'

export async function keepAttempt(
  db: Kysely<DB>,
  attempt: Insertable<DB['sign_in_attempt']>,
  now: Date,
): Promise<void> {
  await db.deleteFrom('sign_in_attempt').where('expires_at', '<', now).execute()
  await db.insertInto('sign_in_attempt').values(attempt).execute()
}

/** An attempt can be taken once: a replayed callback finds nothing. */
export function takeAttempt(db: Kysely<DB>, idHash: Buffer) {
  return db.deleteFrom('sign_in_attempt').where('id_hash', '=', idHash).returningAll().executeTakeFirst()
}

export async function rememberPerson(
  db: Kysely<DB>,
  person: { email: string; firstName: string; lastName: string; at: Date },
): Promise<void> {
  const names = {
    ...(person.firstName ? { first_name: person.firstName } : {}),
    ...(person.lastName ? { last_name: person.lastName } : {}),
  }
  await db
    .insertInto('person')
    .values({ email: person.email, ...names, last_sign_in_at: person.at })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ ...names, last_sign_in_at: person.at }))
    .execute()
}
