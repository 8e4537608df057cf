import { StartupError } from '#server/embedded/startup-error.ts'

/*
 * The rights of the portal's role, which owns nothing. They follow from the catalog: every table may be read and added
 * to. What `refuse_change` and `refuse_audit_removal` refuse for all rows of a table is not granted either, and nothing may
 * be truncated. So an append-only table needs nothing but its triggers.
 */

/** Statement triggers without a condition or a list of columns: bit 8 is DELETE, bit 16 is UPDATE. */
const REFUSED = `
  select t.tgrelid, bit_or(t.tgtype::int) as events from pg_trigger t join pg_proc p on p.oid = t.tgfoid
   where p.proname in ('refuse_change', 'refuse_audit_removal') and t.tgtype & 1 = 0 and t.tgqual is null and t.tgattr::text = ''
   group by 1`

/** Statements that are missing until the role $1 has its rights, and no others. */
const MISSING = `
  with portal as (select oid, quote_ident(rolname) as name from pg_roles where rolname = $1),
  schema as (select oid, nspname, nspowner from pg_namespace where nspname in ('public', 'jobs')),
  relation as (
    select c.oid, case c.relkind when 'S' then 'sequence ' else '' end || c.oid::regclass as name, c.relacl as acl,
           case when c.relkind = 'S' then array['SELECT', 'USAGE']
                when s.nspname = 'jobs' then array['SELECT', 'INSERT', 'UPDATE', 'DELETE']
                  -- The job queue rebuilds bloated indexes. Before PostgreSQL 17 only the owner can.
                  || case when current_setting('server_version_num')::int >= 170000 then array['MAINTAIN'] end
                when c.relname in ('migration', 'audit_retention') then array['SELECT']
                when c.relname = 'installation_secret' then array['SELECT', 'INSERT']
                  -- Citus locks a table that every node has a copy of, and lets only those lock it who may change it.
                  || case when exists (select 1 from pg_extension where extname = 'citus') then array['UPDATE'] end
                else array['SELECT', 'INSERT']
                  || case when coalesce(r.events, 0) & 16 = 0 then array['UPDATE'] end
                  || case when coalesce(r.events, 0) & 8 = 0 then array['DELETE'] end
           end as wanted
      from pg_class c join schema s on s.oid = c.relnamespace left join (${REFUSED}) r on r.tgrelid = c.oid
     where c.relkind in ('r', 'p', 'v', 'S')
       and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  ),
  difference as (
    select r.name,
           (select string_agg(w, ', ') from unnest(r.wanted) w where w <> all(h.has)) as missing,
           (select string_agg(e, ', ') from unnest(h.has) e where e <> all(r.wanted)) as extra
      from relation r cross join portal cross join lateral (
        select coalesce(array_agg(a.privilege_type), '{}') as has from aclexplode(r.acl) a where a.grantee = portal.oid) h
  ),
  definer as (
    select p.oid, p.oid::regprocedure::text as name, coalesce(p.proacl, acldefault('f', p.proowner)) as acl
      from pg_proc p join schema s on s.oid = p.pronamespace where s.nspname = 'public' and p.prosecdef
  )
  select 1 as turn, format('grant usage on schema %I to %s', s.nspname, portal.name) as statement from schema s cross join portal
   where not has_schema_privilege(portal.oid, s.oid, 'USAGE')
  union all
  select 2, format('revoke %s on %s from %s', lower(d.extra), d.name, portal.name) from difference d cross join portal
   where d.extra is not null
  union all
  select 3, format('grant %s on %s to %s', lower(d.missing), d.name, portal.name) from difference d cross join portal
   where d.missing is not null
  union all
  select 4, format('revoke execute on function %s from public', f.name) from definer f
   where exists (select 1 from portal) and exists (select 1 from aclexplode(f.acl) a where a.grantee = 0)
  union all
  select 5, format('grant execute on function %s to %s', f.name, portal.name) from definer f cross join portal
   where not exists (select 1 from aclexplode(f.acl) a where a.grantee = portal.oid)
   order by 1, 2`

/** A client, a pool, or whatever runs a statement. */
type Queryable = { query(text: string, values: unknown[]): Promise<{ rows: unknown[]; rowCount?: number | null }> }

/** What has to be granted or revoked, as statements. */
export async function listMissingRights(client: Queryable, role: string): Promise<string[]> {
  const { rows } = await client.query(MISSING, [role])
  return (rows as { statement: string }[]).map(({ statement }) => statement)
}

/** Gives the portal's role what it needs. Runs as the owner, after every migration and restore. */
export async function grantPortalRights(client: Queryable, role: string): Promise<void> {
  const { rows } = await client.query('select from pg_roles where rolname = $1', [role])
  if (rows.length === 0) throw new StartupError(`the role ${role} of DATABASE_URL does not exist`)
  const statements = await listMissingRights(client, role)
  if (statements.length > 0) await client.query(['begin', ...statements, 'commit'].join('; '), [])
}
