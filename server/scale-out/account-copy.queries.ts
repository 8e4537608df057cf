import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { isSharded, listPortalRoles, listWorkers } from '#server/scale-out/shard.queries.ts'

/*
 * A statement that asks every node fails while one of them is dead. What people need to sign in and to choose an account is
 * therefore copied to the coordinator every minute: tables of the same names in another schema, for connections that look there
 * first. No right follows from them: a call about an account reads the rights of its caller on the node of the account.
 */
const SCHEMA = 'account_copy'
const COPIED = ['account', 'contact', 'account_grant'] as const
/** How many accounts one transaction copies. */
const AT_ONCE = 500

const copyOf = (table: string) => sql.table(`${SCHEMA}.${table}`)

/** Whether the copies are there, with exactly the columns of their tables: rows are copied column by column. */
export async function isAccountCopyCurrent(db: Kysely<DB>): Promise<boolean> {
  const columns = (schema: string) => sql`(
    select array_agg((c.relname, a.attname, a.atttypid, a.attnotnull)::text order by c.relname, a.attnum)
      from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = to_regnamespace(${schema}) and c.relname = any (${[...COPIED]}) and a.attnum > 0 and not a.attisdropped)`
  const { rows } = await sql<{ current: boolean }>`
    select ${columns('public')} is not distinct from ${columns(SCHEMA)} as current`.execute(db)
  return rows[0]?.current ?? false
}

/** Empty tables. Whoever may write accounts may fill them. */
export async function createAccountCopy(tx: Transaction<DB>): Promise<void> {
  const schema = sql.id(SCHEMA)
  await sql`drop schema if exists ${schema} cascade`.execute(tx)
  await sql`create schema ${schema}`.execute(tx)
  for (const table of COPIED)
    await sql`create table ${copyOf(table)} (like ${sql.table(`public.${table}`)} including indexes)`.execute(tx)
  await sql`create table ${copyOf('refreshed')} as select '-infinity'::timestamptz as until`.execute(tx)
  for (const role of await listPortalRoles(tx)) {
    await sql`grant usage on schema ${schema} to ${sql.id(role)}`.execute(tx)
    await sql`grant select, insert, update, delete on all tables in schema ${schema} to ${sql.id(role)}`.execute(tx)
  }
}

/** Copies the accounts that have changed since the last time, with their contacts and grants. */
export async function refreshAccountCopy(db: Kysely<DB>, signal?: AbortSignal): Promise<void> {
  // A transaction that wrote before the next refresh may commit after it.
  const { rows: instants } = await sql<{ since: string; until: string }>`
    select until::text as since, (clock_timestamp() - interval '5 minutes')::text as until from ${copyOf('refreshed')}`.execute(
    db,
  )
  const { since, until } = instants[0] ?? {}
  const { rows: changed } = await sql<{ customer_number: string }>`
    select customer_number from account where changed_at >= ${since}::timestamptz
    union select customer_number from contact where changed_at >= ${since}::timestamptz
    union select customer_number from account_grant where changed_at >= ${since}::timestamptz
    union select customer_number from removed_record
           where kind in ('contacts', 'roles') and removed_at >= ${since}::timestamptz`.execute(db)
  for (let at = 0; at < changed.length; at += AT_ONCE) {
    if (signal?.aborted) return
    const numbers = changed.slice(at, at + AT_ONCE).map(({ customer_number }) => customer_number)
    await db.transaction().execute((tx) => copyAccounts(tx, numbers))
  }
  await sql`update ${copyOf('refreshed')} set until = ${until}::timestamptz`.execute(db)
}

async function copyAccounts(tx: Transaction<DB>, numbers: readonly string[]): Promise<void> {
  for (const table of COPIED) {
    await sql`delete from ${copyOf(table)} where customer_number = any (${numbers})`.execute(tx)
    await sql`
      insert into ${copyOf(table)} select * from ${sql.table(`public.${table}`)} where customer_number = any (${numbers})`.execute(
      tx,
    )
  }
}

type UnreachableAccount = { customerNumber: string; accountName: string }

/** Accounts on nodes that do not answer, by the copy: how many, and the first of them. */
export async function findUnreachableAccounts(
  db: Kysely<DB>,
  silent: readonly string[],
  limit: number,
): Promise<{ count: number; first: UnreachableAccount[] }> {
  const { rows } = await sql<UnreachableAccount & { count: number }>`
    with lost as (
      select s.shardminvalue::int as low, s.shardmaxvalue::int as high
        from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
        join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
       where s.logicalrelid = 'public.account'::regclass and n.nodename || ':' || n.nodeport = any (${silent}))
    select a.customer_number as "customerNumber", a.name as "accountName", (count(*) over ())::int as count from ${copyOf('account')} a
     where exists (select 1 from lost where worker_hash(a.customer_number) between lost.low and lost.high)
     order by a.customer_number limit ${limit}`.execute(db)
  return { count: rows[0]?.count ?? 0, first: rows.map(({ count: _, ...account }) => account) }
}

type NodeState = { name: string; answers: boolean; accountCount: number; accounts: UnreachableAccount[] }

/** Every node of a distributed database, and the accounts on those that do not answer. */
export async function listNodesWithLostAccounts(db: Kysely<DB>, limit: number): Promise<NodeState[]> {
  if (!(await isSharded(db))) return []
  const nodes = []
  for (const { name, answers } of await listWorkers(db)) {
    const { count, first } = answers ? { count: 0, first: [] } : await findUnreachableAccounts(db, [name], limit)
    nodes.push({ name, answers, accountCount: count, accounts: first })
  }
  return nodes
}
