import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely'
import { listMissingRights } from '#server/db/portal-rights.ts'
import type { DB } from '#server/db/schema.ts'
import type { Placement } from '#server/scale-out/placement.ts'

/** Foreign keys that are dropped while tables are moved. Stored in a table, so that an interrupted run can continue. */
export const KEPT_KEYS = 'sharding_foreign_key'

/** All tables of customers are co-located with this one. */
export const FIRST_TABLE = 'account'

/** The version of the extension in this database, such as 13.2-1; undefined where it is not installed. */
export async function findCitusVersion(db: Kysely<DB>): Promise<string | undefined> {
  const { rows } = await sql<{
    version: string
  }>`select extversion as version from pg_extension where extname = 'citus'`.execute(db)
  return rows[0]?.version
}

/** Whether the tables of customers are on shards. */
export async function isSharded(db: Kysely<DB>): Promise<boolean> {
  return (await findCitusVersion(db)) !== undefined && (await listPlaced(db)).has(FIRST_TABLE)
}

export type Node = { readonly name: string; readonly holdsShards: boolean; readonly answers: boolean }

/** Every node but this one, and whether it answers. */
export async function listWorkers(db: Kysely<DB>): Promise<Node[]> {
  const { rows } = await sql<Node>`
    select nodename || ':' || nodeport as name, shouldhaveshards as "holdsShards", coalesce(success, false) as answers
      from pg_dist_node left join run_command_on_workers('select 1') using (nodename, nodeport)
     where groupid > 0 and noderole = 'primary' and isactive order by 1`.execute(db)
  return rows
}

export type NodeFigure =
  | 'up'
  | 'disk_free_bytes'
  | 'disk_size_bytes'
  | 'database_size_bytes'
  | 'connections'
  | 'prepared_transaction_seconds'
type NodeState = { readonly node: string; readonly figures: Partial<Record<NodeFigure, number>> }

const NODE_FIGURES = `
  select json_build_object('up', 1, 'disk_free_bytes', available_disk_size, 'disk_size_bytes', total_disk_size,
           'database_size_bytes', pg_database_size(current_database()),
           'connections', (select sum(numbackends) from pg_stat_database),
           'prepared_transaction_seconds', (select coalesce(extract(epoch from now() - min(prepared)), 0)
                                              from pg_prepared_xacts where database = current_database()))
    from citus_local_disk_space_stats()`

/** Every node, the coordinator first. Of one that does not answer only that is known. */
export async function listNodes(db: Kysely<DB>): Promise<NodeState[]> {
  const { rows } = await sql<NodeState>`
    select nodename || ':' || nodeport as node,
           case when groupid = 0 then (${sql.raw(NODE_FIGURES)}) when success then result::json else '{"up": 0}' end as figures
      from pg_dist_node left join run_command_on_workers(${NODE_FIGURES}) using (nodename, nodeport)
     where noderole = 'primary' and isactive order by groupid`.execute(db)
  return rows
}

/** Tables that Citus knows, and where their rows are. */
export async function listPlaced(db: Kysely<DB>): Promise<ReadonlyMap<string, Placement>> {
  const { rows } = await sql<{ name: string; placement: Placement }>`
    select logicalrelid::text as name,
           case when partmethod = 'h' then 'customer' when repmodel = 't' then 'reference' else 'local' end as placement
      from pg_dist_partition`.execute(db)
  return new Map(rows.map(({ name, placement }) => [name, placement]))
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

/** Includes the partitions of usage, because triggers are enabled and disabled for each of them. */
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
  // An earlier version of the portal may have placed it elsewhere.
  if ((await listPlaced(tx)).has(table)) await sql`select undistribute_table(${table}::regclass)`.execute(tx)
  await sql`select set_config('citus.shard_count', ${String(shards)}, true)`.execute(tx)
  await PLACE[placement](table).execute(tx)
}

type ShardOfNoAccount = {
  readonly shard: string
  readonly isAlone: boolean
  readonly isOnCoordinator: boolean
  readonly node: number
  readonly coordinator: number
}

/** Where rows without an account are: their customer number is empty. Undefined until the tables of customers are distributed. */
async function findShardOfNoAccount(db: Kysely<DB>): Promise<ShardOfNoAccount | undefined> {
  if (!(await isSharded(db))) return undefined
  const { rows } = await sql<ShardOfNoAccount>`
    select s.shardid::text as shard, s.shardminvalue = s.shardmaxvalue as "isAlone", n.groupid = 0 as "isOnCoordinator",
           n.nodeid as node, c.nodeid as coordinator
      from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
      join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      join pg_dist_node c on c.groupid = 0 and c.noderole = 'primary'
     where s.shardid = get_shard_id_for_distribution_column(${FIRST_TABLE}, '')`.execute(db)
  return rows[0]
}

/** Whether rows without an account can be written while a worker is dead. */
export const isNoAccountOnCoordinator = async (db: Kysely<DB>): Promise<boolean> =>
  (await findShardOfNoAccount(db))?.isOnCoordinator ?? true

/**
 * Gives rows without an account a shard of their own on the coordinator: every sign-in writes one, whichever worker is dead. Tables
 * that are distributed later follow the shards of the first one.
 */
export async function moveNoAccountToCoordinator(tx: Transaction<DB>): Promise<void> {
  const found = await findShardOfNoAccount(tx)
  if (!found || found.isOnCoordinator) return
  const { shard, isAlone, node, coordinator } = found
  if (isAlone) {
    // A rebalance has moved it away: Citus moves shards only to nodes that may have them.
    await allowShardsOnCoordinator(tx, true)
    await sql`select citus_move_shard_placement(${shard}::bigint, ${node}::int, ${coordinator}::int, 'block_writes')`.execute(
      tx,
    )
    await allowShardsOnCoordinator(tx, false)
  } else {
    const hash = sql`worker_hash(''::text)`
    await sql`
      select citus_split_shard_by_split_points(${shard}::bigint, array[${hash} - 1, ${hash}]::text[],
                                               array[${node}, ${coordinator}, ${node}]::int[], 'block_writes')`.execute(
      tx,
    )
  }
}

const STRATEGY = 'licensing_portal'
const MAY_MOVE = 'shard_may_move'

/** A rebalance and the draining of a worker go by this strategy, unless another one is named: that of Citus, without the shard of no account. */
export async function keepNoAccountInPlace(tx: Transaction<DB>): Promise<void> {
  await sql`
    create or replace function ${sql.id(MAY_MOVE)} (shard bigint, node integer) returns boolean stable language sql set search_path = public as
    $$ select shardminvalue is distinct from worker_hash(''::text)::text from pg_catalog.pg_dist_shard where shardid = shard $$`.execute(
    tx,
  )
  await sql`delete from pg_catalog.pg_dist_rebalance_strategy where name = ${STRATEGY}`.execute(tx)
  await sql`
    select citus_add_rebalance_strategy(${STRATEGY}, s.shard_cost_function, s.node_capacity_function, ${MAY_MOVE}::regproc,
                                        s.default_threshold, s.minimum_threshold, s.improvement_threshold)
      from pg_catalog.pg_dist_rebalance_strategy s where s.name = 'by_disk_size'`.execute(tx)
  await sql`select citus_set_default_rebalance_strategy(${STRATEGY})`.execute(tx)
}

/** Whether a rebalance leaves rows without an account where they are. */
export async function isNoAccountKept(db: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql<{ kept: boolean }>`
    select exists (select from pg_catalog.pg_dist_rebalance_strategy
                    where default_strategy and shard_allowed_on_node_function::oid = to_regproc(${MAY_MOVE})::oid) as kept`.execute(
    db,
  )
  return rows[0]?.kept ?? false
}

async function allowShardsOnCoordinator(tx: Transaction<DB>, isAllowed: boolean): Promise<void> {
  await sql`
    select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', ${isAllowed}) from pg_dist_node where groupid = 0`.execute(
    tx,
  )
}

/** What splits and moves have left behind. Not in a transaction. */
export async function dropLeftShards(db: Kysely<DB>): Promise<void> {
  await sql`call citus_cleanup_orphaned_resources()`.execute(db)
}

/** Tables whose rows were copied to the shards and are still in the table on the coordinator as well, where nobody sees them. */
export async function listHiddenCopies(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct coalesce(inhparent, logicalrelid)::regclass::text as name
      from pg_dist_partition left join pg_inherits on inhrelid = logicalrelid
     where pg_relation_size(logicalrelid) > 0 order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** What was copied to the shards is still in the table on the coordinator, where nobody sees it. */
export async function dropCopiedRows(tx: Transaction<DB>, table: string): Promise<void> {
  await sql`select truncate_local_data_after_distributing_table(${table}::regclass)`.execute(tx)
}

/** Ours, not those of extensions; each with a text that tells one version of it from another. */
const OUR_FUNCTIONS = `
  select p.oid, p.oid::regprocedure || ' ' || md5(p.prosrc) as text from pg_proc p
   where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
     and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`

type MissingFunction = { readonly worker: string; readonly name: string; readonly definition: string }

/** Functions that a worker does not have, or has in another version. */
export async function listMissingFunctions(db: Kysely<DB>): Promise<MissingFunction[]> {
  const { rows } = await sql<MissingFunction>`
    select nodename || ':' || nodeport as worker, f.oid::regproc::text as name, pg_get_functiondef(f.oid) as definition
      from run_command_on_workers(${`select json_agg(text) from (${OUR_FUNCTIONS}) f`}) w cross join (${sql.raw(OUR_FUNCTIONS)}) f
     where success and not coalesce(nullif(result, '')::jsonb, '[]') ? f.text order by 1, 2`.execute(db)
  return rows
}

/** The functions that triggers call are there with their tables; those that they call in turn are not. */
export async function distributeFunctions(tx: Transaction<DB>): Promise<void> {
  await sql`
    select create_distributed_function(f.oid::regprocedure) from (${sql.raw(OUR_FUNCTIONS)}) f
     where not exists (select 1 from pg_catalog.pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = f.oid)`.execute(
    tx,
  )
  // Defined again, a function that Citus knows is sent to every worker.
  for (const { definition } of await listMissingFunctions(tx)) await sql.raw(definition).execute(tx)
}

/** Transactions of several nodes that nobody has ended for minutes. Citus looks for them every minute. They keep their locks. */
export async function listForgottenTransactions(db: Kysely<DB>): Promise<string[]> {
  const forgotten = `
    select json_agg(gid) from pg_prepared_xacts
     where database = current_database() and gid like 'citus\\_%' and prepared < now() - interval '5 minutes'`
  const { rows } = await sql<{ name: string }>`
    select jsonb_array_elements_text(result::jsonb) as name
      from (select success, result from run_command_on_workers(${forgotten})
            union all select true, (${sql.raw(forgotten)})::text) found
     where success and result <> '' order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** From now on, the transaction reads every node as of now: over one connection to each, because each has a snapshot of its own. */
export async function openSnapshots(tx: Transaction<DB>): Promise<void> {
  await sql`set local citus.max_adaptive_executor_pool_size = 1`.execute(tx)
  await countRows(tx, FIRST_TABLE)
}

export async function countShards(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_dist_shard where logicalrelid = ${FIRST_TABLE}::regclass`.execute(db)
  return rows[0]?.count ?? 0
}

/** The portal's role, if the tables have another owner: whoever else may add accounts. */
export async function listPortalRoles(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ role: string }>`
    select distinct r.rolname as role from pg_class c cross join aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
     where c.oid = 'public.account'::regclass and a.privilege_type = 'INSERT' and a.grantee <> c.relowner`.execute(db)
  return rows.map(({ role }) => role)
}

/** Citus makes the sequences of a table anew when it moves it, without the rights on them. */
export async function grantLostRights(tx: Transaction<DB>): Promise<void> {
  const client = {
    query: async (text: string, values: unknown[]) => ({
      rows: (await tx.executeQuery(CompiledQuery.raw(text, values))).rows,
    }),
  }
  for (const role of await listPortalRoles(tx))
    for (const statement of await listMissingRights(client, role)) await sql.raw(statement).execute(tx)
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
       and not relation_is_a_known_shard(conrelid)
    returning table_name, name, definition`.execute(tx)
  for (const { table_name, name } of rows)
    await sql`alter table ${sql.id(table_name)} drop constraint ${sql.id(name)}`.execute(tx)
}

/** All foreign keys except those that no node can check. */
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

/** Triggers are disabled while rows are moved: the rows are booked already. */
export async function switchTriggers(
  tx: Transaction<DB>,
  tables: readonly string[],
  how: 'enable' | 'disable',
): Promise<void> {
  for (const table of tables) await sql`alter table ${sql.id(table)} ${sql.raw(how)} trigger user`.execute(tx)
}
