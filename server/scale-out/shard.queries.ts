import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import type { Placement } from '#server/scale-out/placement.ts'

/** Foreign keys that are gone while tables are moved. Kept in a table, so that an interrupted run can go on. */
const KEPT_KEYS = 'sharding_foreign_key'

/** All tables of customers have as many shards as this one, on the same nodes. */
const FIRST_TABLE = 'account'

export type Cluster = {
  /** Of the extension; null where it is not installed in this database. */
  readonly version: string | null
  /** Nodes that can hold shards. */
  readonly workers: number
}

export async function findCluster(db: Kysely<DB>): Promise<Cluster> {
  const { rows } = await sql<{
    version: string
  }>`select extversion as version from pg_extension where extname = 'citus'`.execute(db)
  if (!rows[0]) return { version: null, workers: 0 }
  const nodes = await sql<{ workers: number }>`
    select count(*)::int as workers from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards`.execute(
    db,
  )
  return { version: rows[0].version, workers: nodes.rows[0]?.workers ?? 0 }
}

/** Whether the tables of customers are on shards. */
export async function isSharded(db: Kysely<DB>): Promise<boolean> {
  const { version } = await findCluster(db)
  return version !== null && (await listPlaced(db)).has(FIRST_TABLE)
}

/** Tables that Citus knows. */
export async function listPlaced(db: Kysely<DB>): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`select logicalrelid::text as name from pg_dist_partition`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** Tables without the partitions of others, the one that all others are distributed with first. */
export async function listWholeTables(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname <> all(${[KEPT_KEYS]})
       and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = pg_class.oid and d.deptype = 'e')
     order by relname <> ${FIRST_TABLE}, relname`.execute(db)
  return rows.map(({ name }) => name)
}

/** Also the partitions of usage: triggers are switched for each of them. */
export async function listTablesAndMonths(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
       and exists (select 1 from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

export async function countRows(db: Kysely<DB>, table: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) as count from ${sql.id(table)}`.execute(db)
  return Number(rows[0]?.count)
}

/** Charges and hours of all usage, and of the sums that are kept of it. */
export async function findUsageSums(db: Kysely<DB>): Promise<Readonly<Record<string, string>>> {
  const { rows } = await sql<Record<string, string>>`
    select (select coalesce(sum(charge), 0) || ' ' || coalesce(sum(hours), 0) from usage_transaction) as "usage_transaction",
           (select coalesce(sum(charge), 0) || ' ' || coalesce(sum(hours), 0) from usage_day) as "usage_day",
           (select coalesce(sum(charge), 0) || ' ' || coalesce(sum(hours), 0) from usage_total) as "usage_total"`.execute(
    db,
  )
  return rows[0] ?? {}
}

const PLACE: Readonly<Record<Placement, (table: string) => ReturnType<typeof sql>>> = {
  reference: (table) => sql`select create_reference_table(${table}::regclass)`,
  local: (table) => sql`select citus_add_local_table_to_metadata(${table}::regclass)`,
  customer: (table) => sql`
    select create_distributed_table(${table}::regclass, 'customer_number',
                                    colocate_with => ${table === FIRST_TABLE ? 'none' : FIRST_TABLE})`,
}

/** Moves the rows of a table to where they belong. */
export async function placeTable(
  tx: Transaction<DB>,
  table: string,
  placement: Placement,
  shards: number,
): Promise<void> {
  await sql`select set_config('citus.shard_count', ${String(shards)}, true)`.execute(tx)
  await PLACE[placement](table).execute(tx)
}

/** What was copied to the shards is still in the table on the coordinator, where nobody sees it. */
export async function dropCopiedRows(tx: Transaction<DB>, table: string): Promise<void> {
  await sql`select truncate_local_data_after_distributing_table(${table}::regclass)`.execute(tx)
}

/** The functions that triggers call are there with their tables; those that they call in turn are not. */
export async function distributeFunctions(tx: Transaction<DB>): Promise<void> {
  await sql`
    select create_distributed_function(p.oid::regprocedure) from pg_proc p
     where p.pronamespace = current_schema()::regnamespace and p.prokind = 'f'
       and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
       and not exists (select 1 from pg_catalog.pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)`.execute(
    tx,
  )
}

type ForeignKey = { readonly table_name: string; readonly name: string; readonly definition: string }

export async function suspendKeys(tx: Transaction<DB>): Promise<void> {
  const kept = sql.id(KEPT_KEYS)
  await sql`create table if not exists ${kept} (table_name text, name text, definition text, target text, primary key (table_name, name))`.execute(
    tx,
  )
  const { rows } = await sql<ForeignKey>`
    insert into ${kept}
    select conrelid::regclass::text, conname, pg_get_constraintdef(oid), confrelid::regclass::text from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace
    returning table_name, name, definition`.execute(tx)
  for (const { table_name, name } of rows)
    await sql`alter table ${sql.id(table_name)} drop constraint ${sql.id(name)}`.execute(tx)
}

/** All but those from a portal-wide table to one of customers: no shard can check them. */
export async function resumeKeys(
  tx: Transaction<DB>,
  isCheckable: (from: string, to: string) => boolean,
): Promise<void> {
  const { rows } = await sql<ForeignKey & { target: string }>`select * from ${sql.id(KEPT_KEYS)}`.execute(tx)
  for (const { table_name, name, definition, target } of rows)
    if (isCheckable(table_name, target))
      await sql`alter table ${sql.id(table_name)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(tx)
  await sql`drop table ${sql.id(KEPT_KEYS)}`.execute(tx)
}

export async function hasKeptKeys(db: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${KEPT_KEYS}) is not null as found`.execute(db)
  return rows[0]?.found ?? false
}

/** While rows are moved, triggers are off: they are booked already. */
export async function switchTriggers(
  tx: Transaction<DB>,
  tables: readonly string[],
  how: 'enable' | 'disable',
): Promise<void> {
  for (const table of tables) await sql`alter table ${sql.id(table)} ${sql.raw(how)} trigger user`.execute(tx)
}
