import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import type { SlowStatement } from '#server/db/statement-times.ts'

const SLOW = 100

/** Undefined where the extension is not there, or the role may not read it. */
export async function listServerStatements(db: Kysely<DB>, limit: number): Promise<SlowStatement[] | undefined> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('pg_stat_statements') is not null as found`.execute(db)
  if (!rows[0]?.found) return undefined
  try {
    const read = await sql<SlowStatement>`
      select left(regexp_replace(query, '\\s+', ' ', 'g'), 2000) as text, calls::int as calls,
             round(mean_exec_time::numeric, 1)::float8 as "meanMilliseconds",
             round(max_exec_time::numeric, 1)::float8 as "maxMilliseconds"
        from pg_stat_statements
       where dbid = (select oid from pg_database where datname = current_database()) and mean_exec_time >= ${SLOW}
       order by mean_exec_time desc limit ${limit}`.execute(db)
    return read.rows
  } catch {
    return undefined
  }
}
