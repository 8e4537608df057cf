import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { beginsWithLower } from '#server/lists/like-pattern.ts'

export type FoundWebUser = { customer_number: string; email: string; name: string; entitlements: number }

/** Web users of any account whose email address begins with the text, with how many entitlements they may use. */
export async function findWebUsersByEmail(db: Kysely<DB>, text: string, limit: number): Promise<FoundWebUser[]> {
  const { rows } = await sql<FoundWebUser>`
    select p.customer_number, p.email, p.name,
           (select count(*)::int from web_seat s where s.customer_number = p.customer_number and s.email = p.email)
             as entitlements
      from web_user p where ${beginsWithLower(sql`p.email`, text)}
     order by p.email, p.customer_number limit ${limit}`.execute(db)
  return rows
}
