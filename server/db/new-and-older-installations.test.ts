import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { listTables } from '#server/backup/schema.queries.ts'
import { openDatabase } from '#server/db/database.ts'
import { ensureDatabase, migrate } from '#server/db/migrate.ts'
import type { DB } from '#server/db/schema.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import { readCatalog } from '#server/testing/catalog.ts'
import { earlierDatabase } from '#server/testing/earlier-database.ts'

async function newDatabase() {
  const connection = { ...inject('testServer'), database: `new_${randomBytes(6).toString('hex')}` }
  await ensureDatabase(connection, connection.database)
  const { db } = openDatabase(connection)
  onTestFinished(async () => {
    await db.destroy()
    const administration = openDatabase(inject('testServer'))
    await sql`drop database ${sql.id(connection.database)} with (force)`.execute(administration.db)
    await administration.db.destroy()
  })
  return { db, connection }
}

const MONTHS = sql`select ensure_usage_partitions('2026-01-01', '2026-02-28')`

test('a new installation has the catalog and the rows of one that has run every step', async () => {
  const created = await newDatabase()
  expect(await migrate(created.connection)).toEqual({ isNew: true, steps: [] })
  expect(await migrate(created.connection)).toEqual({ isNew: false, steps: [] })
  const stepped = await earlierDatabase('9999')
  for (const { db } of [created, stepped]) await MONTHS.execute(db)
  const [whole, bySteps] = [await readCatalog(created.connection), await readCatalog(stepped.connection)]
  const advice =
    'A change of the schema is two: the file of the module in server/migrations, and a step for older installations in server/migrations/steps.'
  expect(
    whole.filter((line) => !bySteps.includes(line)),
    `Only in new installations. ${advice}`,
  ).toEqual([])
  expect(
    bySteps.filter((line) => !whole.includes(line)),
    `Only in older installations. ${advice}`,
  ).toEqual([])
  expect(whole.length).toBeGreaterThan(1_000)
})

/** Before the schema became one file per module, every installation was made by these steps. */
const LAST_BY_STEPS = '0106'

test('an installation that was made by steps keeps every row', async () => {
  const { db, migrate: migrateOn } = await earlierDatabase(LAST_BY_STEPS)
  await loadDemo(db, { now: new Date('2026-11-15T10:00:00Z'), usageTransactions: 500, progress: () => {} })
  const before = await readRows(db)
  expect((await migrateOn()).steps[0]).toMatch(/^0106/)
  expect(await readRows(db)).toEqual(before)
  expect(Object.keys(before).length).toBeGreaterThan(30)
})

/** The number of rows and a digest of them, of every table that has any. */
async function readRows(db: Kysely<DB>): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const { name } of await listTables(db)) {
    const { rows } = await sql<{ digest: string; n: string }>`
      select count(*) as n, md5(string_agg(t::text, E'\n' order by t::text collate "C")) as digest from (
        select to_jsonb(t) from ${sql.id(name)} t) t`.execute(db)
    if (rows[0]?.n !== '0') found[name] = `${rows[0]?.n} ${rows[0]?.digest}`
  }
  return found
}
