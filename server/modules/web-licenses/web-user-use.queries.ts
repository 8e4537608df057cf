import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'

type WebUserUse = {
  readonly email: string
  readonly name: string
  readonly added_at: Date
  readonly added_by: string
  /** How many entitlements they may use. */
  readonly entitlements: number
  /** The last sign of life of a checkout that runs, or the end of the last one. */
  readonly last_used_at: Date | null
}

/** The web users of an account, with the last time that they used a license. */
export async function listWebUserUse(db: Kysely<DB>, customerNumber: string): Promise<WebUserUse[]> {
  const { rows } = await sql<WebUserUse>`
    select p.email, p.name, p.added_at, p.added_by,
           (select count(*)::int from web_seat s where s.customer_number = ${customerNumber} and s.email = p.email)
             as entitlements,
           (select case when c.ends_at = 'infinity' then c.last_heartbeat_at else c.ends_at end from web_checkout c
             where c.customer_number = ${customerNumber} and c.email = p.email
             order by c.started_at desc, c.checkout_number desc limit 1) as last_used_at
      from web_user p where p.customer_number = ${customerNumber} order by p.email`.execute(db)
  return rows
}
