import { type Kysely, sql } from 'kysely'
import { readHostId } from '#domain/activations/hosts/host-id.ts'
import type { DB } from '#server/db/schema.ts'
import { beginsWith, containsText } from '#server/lists/like-pattern.ts'

export type FoundHost = { customer_number: string; host_id: string; host_name: string }

/** Hosts of one account by a part of their name or id. */
export async function searchHosts(
  db: Kysely<DB>,
  customerNumber: string,
  text: string,
  limit: number,
): Promise<FoundHost[]> {
  const { rows } = await sql<FoundHost>`
    select h.customer_number, h.host_id, h.host_name from host h
     where h.customer_number = ${customerNumber} and h.removed_at is null
       and (${containsText(sql`h.host_name`, text)} or ${containsText(sql`h.host_id`, readHostId(text).id)})
     order by h.host_name, h.host_id limit ${limit}`.execute(db)
  return rows
}

/** Hosts of any account whose id begins with the text; of a triad, also its second and third id as a whole. */
export async function findHosts(db: Kysely<DB>, text: string, limit: number): Promise<FoundHost[]> {
  const { id } = readHostId(text)
  const { rows } = await sql<FoundHost>`
    (select h.customer_number, h.host_id, h.host_name from host h
      where h.removed_at is null and ${beginsWith(sql`h.host_id`, id)} order by h.host_id limit ${limit})
    union
    (select h.customer_number, h.host_id, h.host_name from host h
      where h.removed_at is null and h.host_id like '%,%' and string_to_array(h.host_id, ',') @> array[${id}]
      limit ${limit})
    limit ${limit}`.execute(db)
  return rows
}
