import { getConstructionPlans, getMigrationPlans } from 'pg-boss'
import packageFile from 'pg-boss/package.json' with { type: 'json' }

/** A connection of the owner. */
type Client = { query(text: string): Promise<{ rows: unknown[] }> }

export const JOBS_SCHEMA = 'jobs'

/**
 * Creates the tables of the job queue, or brings them to the installed version. The queue could do this itself, but it
 * runs as the portal's role, which may not.
 */
export async function prepareJobTables(client: Client): Promise<void> {
  const { rows: found } = await client.query(`
    select to_regclass('${JOBS_SCHEMA}.version') is not null as installed,
           case when exists (select 1 from pg_extension where extname = 'citus') then 'citus' else 'postgres' end as backend`)
  const { installed, backend } = found[0] as { installed: boolean; backend: 'citus' | 'postgres' }
  if (!installed) return void (await client.query(getConstructionPlans(JOBS_SCHEMA, { backend })))
  const { rows } = await client.query(`select version::int as version from ${JOBS_SCHEMA}.version`)
  const version = (rows[0] as { version: number } | undefined)?.version ?? 0
  if (version < packageFile.pgboss.schema) await client.query(getMigrationPlans(JOBS_SCHEMA, version, { backend }))
}
