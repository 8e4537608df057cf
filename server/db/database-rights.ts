import type pg from 'pg'
import { StartupError } from '#server/embedded/startup-error.ts'

type Rights = {
  role: string
  database: string
  /** Needed for the extension and the schema of the job queue, which are created once. */
  creates_in_database: boolean
  /** Needed for tables, and for the partitions of usage, which are created month by month. */
  creates_in_schema: boolean
  /** The owner of tables that belong to another role. */
  owner: string | null
}

const RIGHTS = `
  select quote_ident(current_user) as role, quote_ident(current_database()) as database,
         has_database_privilege(current_database(), 'CREATE') or to_regnamespace('jobs') is not null as creates_in_database,
         has_schema_privilege('public', 'USAGE') and has_schema_privilege('public', 'CREATE') as creates_in_schema,
         (select quote_ident(pg_get_userbyid(relowner)) from pg_class
           where oid = to_regclass('public.migration') and not pg_has_role(relowner, 'USAGE')) as owner`

/** Says in one line what to grant, before the first statement fails because of a missing right. */
export async function refuseWithoutRights(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Rights>(RIGHTS)
  const { role, database, creates_in_database, creates_in_schema, owner } = rows[0]!
  const grants = [
    ...(owner === null ? [] : [`grant ${owner} to ${role}`]),
    ...(creates_in_database ? [] : [`grant create on database ${database} to ${role}`]),
    ...(creates_in_schema ? [] : [`grant usage, create on schema public to ${role}`]),
  ]
  if (grants.length > 0)
    throw new StartupError(
      `the database role ${role} may not make what the portal needs. As a superuser, run in ${database}: ${grants.join('; ')}`,
    )
}
