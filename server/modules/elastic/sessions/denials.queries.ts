import type { Insertable, Kysely } from 'kysely'
import type { DB } from '#server/db/schema.ts'

export async function insertDenial(db: Kysely<DB>, denial: Insertable<DB['elastic_denial']>): Promise<void> {
  await db.insertInto('elastic_denial').values(denial).execute()
}

export async function deleteDenialsBefore(db: Kysely<DB>, instant: Date): Promise<void> {
  await db.deleteFrom('elastic_denial').where('denied_at', '<', instant).execute()
}
