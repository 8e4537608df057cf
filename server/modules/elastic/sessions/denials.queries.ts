import { type Insertable, type Kysely, sql } from 'kysely'
import type { SessionRefusal } from '#domain/elastic/sessions/session-refusal.ts'
import type { DB } from '#server/db/schema.ts'

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
