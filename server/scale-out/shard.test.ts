import { type RawBuilder, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Finding } from '#domain/upkeep/finding.ts'
import { runWords } from '#server/cli/run-words.ts'
import { readConfig } from '#server/config.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { allowLongWork } from '#server/db/time-limit.ts'
import { disk } from '#server/doctor/checks.ts'
import { nodes } from '#server/scale-out/nodes-check.ts'
import { isSharded, placeTable } from '#server/scale-out/shard.queries.ts'
import { planSharding, shard } from '#server/scale-out/shard.ts'
import { databaseUrl } from '#server/testing/child-environment.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { citusNodes, filledCitusDatabase } from '#server/testing/scale-out/citus.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'

const { CITUS_URL } = process.env
if (!CITUS_URL) console.warn('CITUS_URL is not set: the database was not distributed over a cluster')

test.skipIf(CITUS_URL)('a database without Citus is refused with a text that says what to do', async () => {
  const { db, close } = await freshDatabase()
  await expect(planSharding(db)).rejects.toThrow('Create the extension on the coordinator and on every worker first.')
  expect(await isSharded(db)).toBe(false)
  await close()
})

const BY_DEFAULT = { config: readConfig({}), secrets: UNWRAPPED, now: new Date(), isFull: false }

/** What doctor says of the nodes, after the statements if there are any. */
async function findingOf({ db }: Database, ...statements: RawBuilder<unknown>[]): Promise<Finding | undefined> {
  let finding: Finding | undefined
  const undone = db.transaction().execute(async (tx) => {
    for (const statement of statements) await statement.execute(tx)
    finding = await nodes.run({ tx, ...BY_DEFAULT })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  return finding
}

async function portal({ options }: Database['pool'], ...words: string[]) {
  const said: string[] = []
  const output = { write: (text: string) => said.push(text) }
  const env = { DATABASE_URL: databaseUrl(options as Parameters<typeof databaseUrl>[0]) }
  return { status: await runWords(words, { env, stdout: output, stderr: output }), said: said.join('') }
}

/** The foreign keys of all tables. Those of shards on this node are left out: their names end with a number. */
const keysOf = async ({ db }: Database) => {
  const { rows } = await sql<{ name: string; from: string; to: string }>`
    select conname as name, conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace and conname !~ '_[0-9]{6}$' order by 2, 1`.execute(
    db,
  )
  return rows
}

test.runIf(CITUS_URL)('an installation is distributed with its data, and an interrupted run goes on', async () => {
  const database = await filledCitusDatabase(CITUS_URL!)
  onTestFinished(() => database.close())
  const { db } = database
  const keys = await keysOf(database)
  const before = await planSharding(db)
  expect(before).toMatchObject({ workers: 2, isBegun: false, isDone: false })
  expect(await isSharded(db)).toBe(false)

  let moved = 0
  const interrupted = shard(db, 4, (_done, _total, table) => {
    if (table.startsWith('fulfillment,')) throw new Error('interrupted')
    moved++
  })
  await expect(interrupted).rejects.toThrow('interrupted')
  const left = await planSharding(db)
  expect(left).toMatchObject({ isBegun: true, isDone: false })
  expect(left.steps).toEqual(before.steps.slice(moved))
  expect(await findingOf(database)).toMatchObject({ level: 'failed', text: expect.stringContaining('interrupted') })

  expect(await portal(database.pool, 'migrate')).toMatchObject({
    status: 2,
    said: expect.stringMatching(/^"shard" has not ended, .*: run "npm run portal -- shard" again\n$/),
  })

  // Another run ends between moving a table and emptying its copy, of a partitioned one as well.
  for (const table of ['fulfillment', 'usage_transaction'])
    await db.transaction().execute(async (tx) => {
      await allowLongWork(tx)
      await placeTable(tx, table, 'customer', 4)
    })
  expect(await planSharding(db)).toMatchObject({ hiddenCopies: ['fulfillment', 'usage_transaction'] })

  await shard(db, 4, () => {})
  expect(await planSharding(db)).toMatchObject({ steps: [], hiddenCopies: [], isBegun: false, isDone: true })
  expect(await findingOf(database)).toEqual({
    level: 'ok',
    text: '6 shards on 2 workers and the coordinator, all answer',
  })
  expect(await isSharded(db)).toBe(true)
  // No node can check what a portal-wide table says of customers, or that ids are claimed on the coordinator.
  const unchecked = ['busy_host', 'shared_server_member', 'activation_owner', 'device_owner']
  const checkable = keys.filter(({ from, to }) => !unchecked.includes(from) && !unchecked.includes(to))
  expect(await keysOf(database)).toEqual(checkable)
  for (const { table, rows } of before.steps) {
    const counted = await sql<{ count: number }>`select count(*)::int as count from ${sql.id(table)}`.execute(db)
    expect({ table, rows: counted.rows[0]?.count }).toEqual({ table, rows })
  }

  const fullest = await db.transaction().execute((tx) => disk.run({ tx, ...BY_DEFAULT }))
  expect(fullest.text).toMatch(/^\d+ MB free in the data directory of \S+:\d+$/)

  // The strategy of Citus would move rows without an account to a worker.
  const movesFromCoordinator = async (strategy: string | null) => {
    const { rows } = await sql<{ found: boolean }>`
      select exists (select from get_rebalance_table_shards_plan(rebalance_strategy => ${strategy}::name)
                      where (sourcename, sourceport) in (select nodename, nodeport from pg_dist_node where groupid = 0)) as found`.execute(
      db,
    )
    return rows[0]?.found
  }
  expect(await movesFromCoordinator('by_disk_size')).toBe(true)
  expect(await movesFromCoordinator(null)).toBe(false)
  expect(await findingOf(database, sql`select citus_set_default_rebalance_strategy('by_disk_size')`)).toMatchObject({
    level: 'warning',
    text: 'the next rebalance moves audit rows of acts without an account to a worker',
  })

  // The triggers are on every shard.
  const change = sql`update usage_day set charge = 0 where customer_number = '100001'`.execute(db)
  await expect(change).rejects.toThrow('follows the booked usage: UPDATE refused')
  const removal = sql`delete from audit_log where customer_number = '100001'`.execute(db)
  await expect(removal).rejects.toThrow('refused')
  const { rows } = await sql<{ made: number }>`
    select ensure_usage_partitions(now() + interval '1 year', now() + interval '1 year') as made`.execute(db)
  expect(rows).toEqual([{ made: 1 }])

  // What a migration adds is found by doctor, and the next run moves it.
  await sql`create table added_later (customer_number text collate "C" primary key)`.execute(db)
  await sql`create function added_later() returns integer language sql set search_path = public begin atomic select 1; end`.execute(
    db,
  )
  expect(await findingOf(database)).toMatchObject({ level: 'failed', text: 'added_later not distributed yet' })
  await shard(db, 4, () => {})
  expect(await findingOf(database)).toMatchObject({ level: 'ok' })

  // A table that an earlier version placed elsewhere is moved with its rows.
  const claims = await sql`select * from activation_owner order by 1`.execute(db)
  await db.transaction().execute(async (tx) => {
    await allowLongWork(tx)
    await placeTable(tx, 'activation_owner', 'reference', 4)
  })
  const key = sql`alter table entitlement add constraint as_before
                    foreign key (customer_number, activation_id) references activation_owner (customer_number, activation_id)`
  await key.execute(db)
  expect(await findingOf(database)).toMatchObject({ level: 'failed', text: 'activation_owner not distributed yet' })
  expect((await planSharding(db)).steps).toEqual([
    { table: 'activation_owner', placement: 'local', rows: claims.rows.length },
  ])
  await shard(db, 4, () => {})
  expect(await findingOf(database)).toMatchObject({ level: 'ok' })
  expect((await sql`select * from activation_owner order by 1`.execute(db)).rows).toEqual(claims.rows)
  expect((await keysOf(database)).map(({ name }) => name)).not.toContain('as_before')

  const [, worker] = await citusNodes(CITUS_URL!)
  const onWorker = openDatabase({ ...worker, database: database.pool.options.database, max: 1 })
  onTestFinished(() => onWorker.db.destroy())
  await sql`set citus.enable_ddl_propagation = off`.execute(onWorker.db)
  await sql`drop function added_later`.execute(onWorker.db)
  const missing = { level: 'failed', text: expect.stringContaining('missing or old: added_later on ') }
  expect(await findingOf(database)).toMatchObject(missing)
  await shard(db, 4, () => {})
  expect(await findingOf(database)).toMatchObject({ level: 'ok' })
})

test.runIf(CITUS_URL)('the command says what it would do, and refuses what it cannot do', async () => {
  const { db, pool, close } = await filledCitusDatabase(CITUS_URL!)
  onTestFinished(() => close())
  const before = await planSharding(db)
  const dry = await portal(pool, 'shard', '--dry-run', '--shards', '4')
  expect(dry).toMatchObject({
    status: 0,
    said: expect.stringMatching(/account: [\d,]+ rows, distributed by customer/),
  })
  expect(dry.said).toContain('This was a dry run: 4 shards over 2 nodes, nothing was changed.')
  expect(await planSharding(db)).toEqual(before)

  // This test is connected, as a portal would be.
  const refused = await portal(pool, 'shard')
  expect(refused).toMatchObject({ status: 1, said: expect.stringContaining('Stop the portal first') })
  await sql`delete from migration`.execute(db)
  const older = await portal(pool, 'shard', '--dry-run')
  expect(older).toMatchObject({ status: 1, said: expect.stringContaining('Run "migrate" first') })
  expect(await planSharding(db)).toEqual({ ...before, steps: expect.any(Array) })

  await sql`update pg_dist_node set shouldhaveshards = false`.execute(db)
  await expect(planSharding(db)).rejects.toThrow('The coordinator knows no node for shards')
  await sql`update pg_dist_node set nodeport = 1 where groupid = 1`.execute(db)
  await expect(planSharding(db)).rejects.toThrow(':1 cannot be reached from the coordinator')
})
