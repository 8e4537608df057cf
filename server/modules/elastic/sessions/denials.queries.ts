import { type Insertable, type Kysely, sql } from 'kysely'
import type { DeniedStarts } from '#domain/elastic/sessions/still-denied.ts'
import type { DB } from '#server/db/schema.ts'
import { containsText } from '#server/lists/like-pattern.ts'

export async function insertDenial(db: Kysely<DB>, denial: Insertable<DB['elastic_denial']>): Promise<void> {
  await db.insertInto('elastic_denial').values(denial).execute()
}

export async function deleteDenialsBefore(db: Kysely<DB>, instant: Date): Promise<void> {
  await db.deleteFrom('elastic_denial').where('denied_at', '<', instant).execute()
}

export type DeniedGroup = DeniedStarts & {
  /** The license server that denied an address or a username; empty for other reasons, which do not depend on it. */
  readonly server: string
  readonly count: number
}

/** Denials since an instant by reason and by what was denied, the most first. */
export async function listDeniedGroups(
  db: Kysely<DB>,
  customerNumber: string,
  since: Date,
  limit: number,
): Promise<DeniedGroup[]> {
  const { rows } = await sql<DeniedGroup>`
    select d.reason,
           case when d.reason in ('ADDRESS_NOT_ALLOWED', 'USER_NOT_ALLOWED') then d.server_id else '' end as server,
           case d.reason when 'ADDRESS_NOT_ALLOWED' then d.external_ip when 'USER_NOT_ALLOWED' then d.user_name
                         when 'UNKNOWN_PRODUCT' then d.product else '' end as subject,
           count(*)::int as count
      from elastic_denial d
     where d.customer_number = ${customerNumber} and d.denied_at >= ${since}
     group by 1, 2, 3 order by 4 desc, 1, 2, 3 limit ${limit}`.execute(db)
  return rows
}

/** Addresses whose session starts were denied since an instant and that contain the text, the most denied first. */
export async function searchDenied(
  db: Kysely<DB>,
  customerNumber: string,
  what: 'external_ip' | 'user_name',
  { text, since, limit }: { readonly text: string; readonly since: Date; readonly limit: number },
): Promise<{ denied: string; count: number }[]> {
  const column = sql<string>`d.${sql.ref(what)}`
  const { rows } = await sql<{ denied: string; count: number }>`
    select ${column} as denied, count(*)::int as count from elastic_denial d
     where d.customer_number = ${customerNumber} and d.denied_at >= ${since} and ${containsText(column, text)}
     group by 1 order by 2 desc, 1 limit ${limit}`.execute(db)
  return rows
}
