import { type Kysely, sql } from 'kysely'
import type { BackupSequence, BackupTable } from '#server/backup/backup-format.ts'
import type { DB } from '#server/db/schema.ts'

/**
 * Tables that are not backed up. Sessions: a restore must not bring back a session that was ended since, so everybody
 * signs in again. Files of background tasks: they are large and can be made again. Processes: they are those of before. The
 * retention of the audit log: whoever restores decides it.
 */
const LEFT_OUT = [
  'audit_retention',
  'migration',
  'session',
  'session_token',
  'sign_in_attempt',
  'task_piece',
  'portal_process',
]
/** Tables that migrations and a first start fill: an installation with no other data is empty. */
const FILLED_BY_ITSELF = ['feature', 'feature_conflict', 'installation_secret', 'signing_key', ...LEFT_OUT]

/** The tables that hold rows: plain tables and the partitions of partitioned ones. */
export async function listTables(db: Kysely<DB>): Promise<BackupTable[]> {
  const { rows } = await sql<BackupTable>`
    select c.relname as name,
           (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
           case when c.relispartition then json_build_object(
             'of', (select p.relname from pg_inherits i join pg_class p on p.oid = i.inhparent where i.inhrelid = c.oid),
             'bounds', pg_get_expr(c.relpartbound, c.oid)) end as partition
      from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> all(${LEFT_OUT})
     order by c.relname`.execute(db)
  return rows
}

/** `access share`: nobody can change or truncate a table while it is read. `share`: nobody can write until the transaction ends. */
export async function lockTables(
  db: Kysely<DB>,
  tables: readonly BackupTable[],
  mode: 'access share' | 'share',
): Promise<void> {
  const names = sql.join(tables.map(({ name }) => sql.id(name)))
  await sql`lock table ${names} in ${sql.raw(mode)} mode`.execute(db)
}

/** Sequences are not transactional, so they are at least as far as the rows of the snapshot. */
export async function listSequences(db: Kysely<DB>): Promise<BackupSequence[]> {
  const { rows } = await sql<BackupSequence>`
    select sequencename as name, coalesce(last_value, start_value)::text as value, last_value is not null as "isCalled"
      from pg_sequences where schemaname = current_schema() order by sequencename`.execute(db)
  return rows
}

export async function setSequence(db: Kysely<DB>, { name, value, isCalled }: BackupSequence): Promise<void> {
  await sql`select setval(quote_ident(${name})::regclass, ${value}::bigint, ${isCalled})`.execute(db)
}

export type RanMigration = { readonly name: string; readonly sha256: string }

/** Undefined for a database in which no portal has ever started. */
export async function listRanMigrations(db: Kysely<DB>): Promise<RanMigration[] | undefined> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('migration') is not null as found`.execute(db)
  if (!rows[0]?.found) return undefined
  return (await sql<RanMigration>`select name, sha256 from migration order by name`.execute(db)).rows
}

export async function postgresVersion(db: Kysely<DB>): Promise<string> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
  return rows[0]?.version ?? ''
}

export async function databaseName(db: Kysely<DB>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  return rows[0]?.name ?? ''
}

/**
 * The programs that are connected to this database besides this one. The nodes of a cluster are connected to each other.
 * Only superusers see of which kind the sessions of other roles are.
 */
export async function listOtherSessions(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct coalesce(nullif(application_name, ''), usename, 'unknown') as name from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and usename is not null
       and coalesce(backend_type, 'client backend') = 'client backend'
       and application_name not like 'citus\\_%'`.execute(db)
  return rows.map(({ name }) => name)
}

/** The tables that hold data. */
export async function listFilledTables(db: Kysely<DB>): Promise<string[]> {
  const filled: string[] = []
  for (const { name } of await listTables(db)) {
    if (FILLED_BY_ITSELF.includes(name)) continue
    const { rows } = await sql<{ found: boolean }>`select exists (select 1 from ${sql.id(name)}) as found`.execute(db)
    if (rows[0]?.found) filled.push(name)
  }
  return filled
}

/** Drops everything that migrations made, and the job queue, which creates its tables itself. Extensions stay. */
export async function dropEverything(db: Kysely<DB>): Promise<void> {
  const { rows } = await sql<{ statement: string }>`
    with ours as (select current_schema()::regnamespace as schema),
    extension_member as (select classid, objid from pg_depend where deptype = 'e')
    select format('drop %s if exists %s cascade', kind, name) as statement from (
      select 1 as turn, 'table' as kind, oid::regclass::text as name from pg_class c, ours
       where relnamespace = ours.schema and relkind in ('r', 'p') and not relispartition
         and (1259, c.oid) not in (select classid::oid::bigint, objid from extension_member)
      union all
      select 2, 'sequence', oid::regclass::text from pg_class c, ours where relnamespace = ours.schema and relkind = 'S'
         and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i', 'e'))
      union all
      select 3, case prokind when 'p' then 'procedure' else 'function' end, oid::regprocedure::text from pg_proc p, ours
       where pronamespace = ours.schema and prokind in ('f', 'p')
         and (1255, p.oid) not in (select classid::oid::bigint, objid from extension_member)
      union all
      select 4, case typtype when 'd' then 'domain' else 'type' end, oid::regtype::text from pg_type t, ours
       where typnamespace = ours.schema and typtype in ('d', 'e')
         and (1247, t.oid) not in (select classid::oid::bigint, objid from extension_member)
    ) objects order by turn, name`.execute(db)
  for (const { statement } of rows) await sql.raw(statement).execute(db)
  await sql`drop schema if exists jobs cascade`.execute(db)
}

const ensureLicenseUse = (db: Kysely<DB>, from: string) =>
  sql`select ensure_license_use_partitions(${from}::timestamp, ${from}::timestamp)`.execute(db)
const PARTITION_MAKERS = new Map<string, (db: Kysely<DB>, from: string) => Promise<unknown>>([
  [
    'usage_transaction',
    (db, from) => sql`select ensure_usage_partitions(${from}::timestamptz, ${from}::timestamptz)`.execute(db),
  ],
  ['license_checkout', ensureLicenseUse],
  ['license_denial', ensureLicenseUse],
])

/** Makes the month of a partition, with the function that the database has for it. */
export async function createPartition(db: Kysely<DB>, { name, partition }: BackupTable): Promise<void> {
  const [, from] = /FROM \('([^']+)'\)/.exec(partition?.bounds ?? '') ?? []
  const ensure = PARTITION_MAKERS.get(partition?.of ?? '')
  if (!ensure || !from) throw new Error(`${name} cannot be made: ${partition?.bounds}`)
  await ensure(db, from)
}

type ForeignKey = { readonly table: string; readonly name: string; readonly definition: string }

/**
 * Disables triggers and drops foreign keys while rows are loaded in any order. The owner of the tables may do both;
 * disabling the triggers of foreign keys would need a superuser. Returns what `resumeChecks` restores.
 */
export async function suspendChecks(db: Kysely<DB>): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace`.execute(db)
  for (const { table, name } of rows) await sql.raw(`alter table ${table} drop constraint ${name}`).execute(db)
  await eachTable(db, (table) => sql.raw(`alter table ${table} disable trigger user`).execute(db))
  return rows
}

/** Adding a foreign key validates all rows. */
export async function resumeChecks(db: Kysely<DB>, keys: readonly ForeignKey[]): Promise<void> {
  await eachTable(db, (table) => sql.raw(`alter table ${table} enable trigger user`).execute(db))
  for (const { table, name, definition } of keys)
    await sql.raw(`alter table ${table} add constraint ${name} ${definition}`).execute(db)
}

async function eachTable(db: Kysely<DB>, act: (table: string) => Promise<unknown>): Promise<void> {
  const { rows } = await sql<{ table: string }>`
    select oid::regclass::text as table from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`.execute(db)
  for (const { table } of rows) await act(table)
}

/** Rows that migrations wrote into new tables are in the backup too. */
export async function emptyTables(db: Kysely<DB>, tables: readonly BackupTable[]): Promise<void> {
  await sql`truncate ${sql.join(tables.map(({ name }) => sql.id(name)))}`.execute(db)
}
