import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { DB } from '#server/db/schema.ts'

/** A secret that all processes of this installation share. The first process that loads it creates it. */
export async function loadInstallationSecret(db: Kysely<DB>, name: string): Promise<Buffer> {
  await db
    .insertInto('installation_secret')
    .values({ name, secret: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { secret } = await db
    .selectFrom('installation_secret')
    .select('secret')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return secret
}
