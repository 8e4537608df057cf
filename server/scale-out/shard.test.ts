import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import { placementOf } from '#server/scale-out/placement.ts'
import { isSharded } from '#server/scale-out/shard.queries.ts'
import { planSharding, shard } from '#server/scale-out/shard.ts'
import { citusNodes, dropCitusDatabase, makeCitusDatabase } from '#server/testing/citus.ts'
import { freshDatabase } from '#server/testing/database.ts'

const { CITUS_URL } = process.env
if (!CITUS_URL) console.warn('CITUS_URL is not set: the database was not distributed over a cluster')

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

test.skipIf(CITUS_URL)('a database without Citus is refused, and says what to do', async () => {
  const { db, close } = await freshDatabase()
  await expect(planSharding(db)).rejects.toThrow('Create the extension on the coordinator and on every worker first.')
  expect(await isSharded(db)).toBe(false)
  await close()
})

async function filledCitusDatabase(): Promise<Database> {
  const nodes = await citusNodes(CITUS_URL!)
  const database = `shard_${randomBytes(6).toString('hex')}`
  await makeCitusDatabase(nodes, database)
  const connection = { ...nodes[0]!, database }
  await migrate(connection)
  const opened = openDatabase({ ...connection, max: 4 })
  closing.push(async () => {
    await opened.db.destroy()
    await dropCitusDatabase(nodes, database)
  })
  await loadDemo(opened.db, { now: new Date(), usageTransactions: 500, progress: () => {} })
  return opened
}

/** But for those of shards on this node, whose names end with a number. */
const keysOf = async ({ db }: Database) => {
  const { rows } = await sql<{ name: string; from: string; to: string }>`
    select conname as name, conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace and conname !~ '_[0-9]{6}$' order by 2, 1`.execute(
    db,
  )
  return rows
}

test.runIf(CITUS_URL)('an installation is distributed with its data, and an interrupted run goes on', async () => {
  const database = await filledCitusDatabase()
  const { db } = database
  const keys = await keysOf(database)
  const before = await planSharding(db)
  expect(before).toMatchObject({ workers: 2, isBegun: false, isDone: false })
  expect(await isSharded(db)).toBe(false)

  let moved = 0
  const interrupted = shard(db, 4, (_done, _total, table) => {
    if (table === 'fulfillment') throw new Error('interrupted')
    moved++
  })
  await expect(interrupted).rejects.toThrow('interrupted')
  const left = await planSharding(db)
  expect(left).toMatchObject({ isBegun: true, isDone: false })
  expect(left.steps).toEqual(before.steps.slice(moved))

  await shard(db, 4, () => {})
  expect(await planSharding(db)).toMatchObject({ steps: [], isBegun: false, isDone: true })
  expect(await isSharded(db)).toBe(true)
  // No node can check what a portal-wide table says of customers.
  const checkable = keys.filter(({ from, to }) => placementOf(from) === 'customer' || placementOf(to) !== 'customer')
  expect(await keysOf(database)).toEqual(checkable)
  for (const { table, rows } of before.steps) {
    const counted = await sql<{ count: number }>`select count(*)::int as count from ${sql.id(table)}`.execute(db)
    expect({ table, rows: counted.rows[0]?.count }).toEqual({ table, rows })
  }

  // The triggers are on every shard.
  const change = sql`update usage_day set charge = 0 where customer_number = '100001'`.execute(db)
  await expect(change).rejects.toThrow('follows the booked usage: UPDATE refused')
  const removal = sql`delete from audit_log where customer_number = '100001'`.execute(db)
  await expect(removal).rejects.toThrow('refused')
  const { rows } = await sql<{ made: number }>`
    select ensure_usage_partitions(now() + interval '1 year', now() + interval '1 year') as made`.execute(db)
  expect(rows).toEqual([{ made: 1 }])
})
