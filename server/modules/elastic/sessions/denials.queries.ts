import { type Insertable, type Kysely, sql } from 'kysely'
import type { SessionRefusal } from '#domain/elastic/sessions/session-refusal.ts'
import type { DB } from '#server/db/schema.ts'
import { containsText } from '#server/lists/like-pattern.ts'

export async function insertDenial(db: Kysely<DB>, denial: Insertable<DB['elastic_denial']>): Promise<void> {
  await db.insertInto('elastic_denial').values(denial).execute()
}

export async function deleteDenialsBefore(db: Kysely<DB>, instant: Date): Promise<void> {
  await db.deleteFrom('elastic_denial').where('denied_at', '<', instant).execute()
}

export type DeniedGroup = {
  readonly reason: SessionRefusal
  readonly server: string
  /** The address or the username that was denied; empty for other reasons. */
  readonly subject: string
  readonly count: number
}

/** Denials since an instant by reason, license server and whom they concern, the most first. */
export async function listDeniedGroups(
  db: Kysely<DB>,
  customerNumber: string,
  since: Date,
  limit: number,
): Promise<DeniedGroup[]> {
  const { rows } = await sql<DeniedGroup>`
    select d.reason, d.server_id as server,
           case d.reason when 'ADDRESS_NOT_ALLOWED' then d.external_ip when 'USER_NOT_ALLOWED' then d.user_name else '' end as subject,
           count(*)::int as count
      from elastic_denial d
     where d.customer_number = ${customerNumber} and d.denied_at >= ${since}
     group by 1, 2, 3 order by 4 desc, 1, 2, 3 limit ${limit}`.execute(db)
  return rows
}

/** Addresses whose session starts were denied since an instant and that contain the text, the most denied first. */
export async function searchDeniedAddresses(
  db: Kysely<DB>,
  customerNumber: string,
  { text, since, limit }: { readonly text: string; readonly since: Date; readonly limit: number },
): Promise<{ address: string; count: number }[]> {
  const { rows } = await sql<{ address: string; count: number }>`
    select d.external_ip as address, count(*)::int as count from elastic_denial d
     where d.customer_number = ${customerNumber} and d.denied_at >= ${since} and ${containsText(sql`d.external_ip`, text)}
     group by 1 order by 2 desc, 1 limit ${limit}`.execute(db)
  return rows
}
