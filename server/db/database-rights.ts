import type pg from 'pg'
import { StartupError } from '#server/embedded/startup-error.ts'

type Rights = {
  role: string
  database: string
  /** For the extension and the job queue's own schema, which are made once. */
  creates_in_database: boolean
  /** For tables, and for the months of usage, which are made as time goes on. */
  creates_in_schema: boolean
  /** Of tables that belong to somebody else. */
  owner: string | null
}

const RIGHTS = `
  select quote_ident(current_user) as role, quote_ident(current_database()) as database,
         has_database_privilege(current_database(), 'CREATE') or to_regnamespace('jobs') is not null as creates_in_database,
         has_schema_privilege('public', 'USAGE') and has_schema_privilege('public', 'CREATE') as creates_in_schema,
         (select quote_ident(pg_get_userbyid(relowner)) from pg_class
           where oid = to_regclass('public.migration') and not pg_has_role(relowner, 'USAGE')) as owner`

/** Says in one line what to grant, before the first statement fails for want of it. */
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
