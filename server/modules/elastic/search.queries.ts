import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { beginsWith } from '#server/lists/like-pattern.ts'

export type FoundServer = { customer_number: string; device_id: string; alias: string }

/** Elastic license servers of any account whose id begins with the text. */
export async function findElasticServers(db: Kysely<DB>, text: string, limit: number): Promise<FoundServer[]> {
  const { rows } = await sql<FoundServer>`
    select o.customer_number, o.device_id, s.alias
      from device_owner o join elastic_server s using (customer_number, device_id)
     where ${beginsWith(sql`o.device_id`, text)} order by o.device_id limit ${limit}`.execute(db)
  return rows
}
