import pg from 'pg'

/**
 * The schema of a database, one line per object, and its rows. Columns are not ordered, because a step adds them at the
 * end. A constraint that a step did not validate counts as the same constraint.
 */
export async function readCatalog(connection: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ line: string }>(CATALOG)
    const kept = await client.query<{ name: string }>(TABLES)
    const lines = rows.map(({ line }) => line)
    for (const { name } of kept.rows) {
      const found = await client.query<{ row: string }>(
        `select (to_jsonb(t) - 'ran_at')::text as row from ${client.escapeIdentifier(name)} t`,
      )
      lines.push(...found.rows.map(({ row }) => `row of ${name}: ${row}`))
    }
    return lines.sort()
  } finally {
    await client.end()
  }
}

const TABLES = `
  select relname as name from pg_class
   where relnamespace = current_schema()::regnamespace and relkind = 'r'`

const CATALOG = `
  with ours as (
    select c.* from pg_class c where c.relnamespace = current_schema()::regnamespace
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  ), functions as (
    select p.* from pg_proc p where p.pronamespace = current_schema()::regnamespace
       and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  )
  select format('extension %s in %s', e.extname, e.extnamespace::regnamespace) as line from pg_extension e
  union all
  select format('table %s: %s', c.relname, concat_ws(' | ', c.relkind, c.relpersistence, c.reloptions, c.relacl,
                c.relrowsecurity, c.relreplident, pg_get_partkeydef(c.oid), pg_get_expr(c.relpartbound, c.oid),
                (select string_agg(i.inhparent::regclass::text, ' ') from pg_inherits i where i.inhrelid = c.oid)))
    from ours c where c.relkind in ('r', 'p')
  union all
  select format('column %s.%s: %s', c.relname, a.attname, concat_ws(' | ', format_type(a.atttypid, a.atttypmod),
                (select l.collname from pg_collation l where l.oid = a.attcollation), 'not null ' || a.attnotnull,
                format('identity %s, generated %s', a.attidentity, a.attgenerated), pg_get_expr(d.adbin, d.adrelid),
                format('storage %s', a.attstorage), a.attcompression,
                -- Late versions of PostgreSQL 15 count the changes of a column there.
                (select string_agg(o, ' ') from unnest(a.attoptions) o where o not like 'pg\\_attver=%'), a.attacl))
    from ours c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
   where c.relkind in ('r', 'p', 'v', 'm')
  union all
  -- PostgreSQL 18 has constraints for "not null" as well; the column says that already.
  select format('constraint %s on %s: %s', k.conname, coalesce(c.relname, k.contypid::regtype::text),
                concat_ws(' | ', regexp_replace(pg_get_constraintdef(k.oid), ' NOT VALID$', ''), k.condeferrable, k.condeferred,
                          k.conislocal, k.coninhcount, k.connoinherit))
    from pg_constraint k left join ours c on c.oid = k.conrelid
   where k.connamespace = current_schema()::regnamespace and k.contype <> 'n'
  union all
  select format('index %s: %s', c.relname, concat_ws(' | ', pg_get_indexdef(c.oid), i.indisvalid, i.indisclustered,
                i.indisreplident, (select string_agg(h.inhparent::regclass::text, ' ') from pg_inherits h where h.inhrelid = c.oid)))
    from ours c join pg_index i on i.indexrelid = c.oid
  union all
  select format('trigger %s on %s: %s | %s', t.tgname, c.relname, pg_get_triggerdef(t.oid), t.tgenabled)
    from ours c join pg_trigger t on t.tgrelid = c.oid where not t.tgisinternal
  union all
  -- The instant at which the database was made is part of one function.
  select format('function %s: %s | %s', p.oid::regprocedure, case p.proname when 'removals_noted_since' then ''
                else pg_get_functiondef(p.oid) end, p.proacl) from functions p where p.prokind in ('f', 'p')
  union all
  select format('aggregate %s', p.oid::regprocedure) from functions p where p.prokind not in ('f', 'p')
  union all
  select format('type %s: %s', t.typname, concat_ws(' | ', t.typtype, format_type(t.typbasetype, t.typtypmod), t.typnotnull,
                t.typdefault, (select string_agg(e.enumlabel, ' ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)))
    from pg_type t where t.typnamespace = current_schema()::regnamespace and t.typtype in ('d', 'e', 'r')
  union all
  select format('view %s: %s', c.relname, pg_get_viewdef(c.oid)) from ours c where c.relkind in ('v', 'm')
  union all
  select format('sequence %s: %s', c.relname, concat_ws(' | ', s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmin, s.seqmax,
                s.seqcache, s.seqcycle, (select pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid) from pg_depend d
                  where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i') limit 1)))
    from ours c join pg_sequence s on s.seqrelid = c.oid
  union all
  select format('policy %s on %s', p.polname, p.polrelid::regclass) from pg_policy p
  union all
  select format('rule %s on %s: %s', r.rulename, c.relname, pg_get_ruledef(r.oid)) from ours c join pg_rewrite r on r.ev_class = c.oid
  union all
  select format('statistics %s: %s', s.stxname, pg_get_statisticsobjdef(s.oid)) from pg_statistic_ext s
  union all
  select format('comment on %s: %s', pg_describe_object(d.classoid, d.objoid, d.objsubid), d.description) from pg_description d
   where d.classoid = 'pg_class'::regclass and d.objoid in (select oid from ours)
      or d.classoid = 'pg_proc'::regclass and d.objoid in (select oid from functions)
  union all
  select format('schema %s: %s', nspname, nspacl) from pg_namespace where nspname = current_schema()`
