import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
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

test('the README of the schema names the rule of every trigger function', async () => {
  const { db, connection } = await newDatabase()
  await migrate(connection)
  await MONTHS.execute(db)
  const { rows } = await sql<{ name: string }>`
    select distinct p.proname as name from pg_trigger t join pg_proc p on p.oid = t.tgfoid where not t.tgisinternal`.execute(
    db,
  )
  const readme = fs.readFileSync(new URL('../migrations/README.md', import.meta.url), 'utf8')
  const table = [...readme.matchAll(/^\| (`.*?) +\| .*? +\| (.*?) +\|$/gm)]
  const named = table.flatMap(([, functions = '']) => [...functions.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(named.sort()).toEqual(rows.map(({ name }) => name).sort())
  const places = table.flatMap(([, , where = '']) => [...where.matchAll(/`(.*?)`/g)].map(([, file]) => file as string))
  expect(places.filter((file) => !fs.existsSync(file))).toEqual([])
})

/** Before the schema became one file per module, every installation was made by these steps. */
const LAST_BY_STEPS = '0106'

test('an installation that was made by steps keeps every row, and usage is not rewritten', async () => {
  const { db, migrate: migrateOn } = await earlierDatabase(LAST_BY_STEPS)
  await loadDemo(db, { now: new Date('2026-11-15T10:00:00Z'), usageTransactions: 500, progress: () => {} })
  const before = { rows: await readRows(db), files: await usageFiles(db) }
  expect((await migrateOn()).steps[0]).toMatch(/^0106/)
  expect({ rows: await readRows(db), files: await usageFiles(db) }).toEqual(before)
  expect(Object.keys(before.rows).length).toBeGreaterThan(30)
  expect(before.files.length).toBeGreaterThan(100)
})

/** Of the large tables and their indexes, but for the smallest: what was written again has another file. */
async function usageFiles(db: Kysely<DB>) {
  const { rows } = await sql<{ name: string; file: string }>`
    select c.relname as name, pg_relation_filenode(c.oid) as file from pg_class c left join pg_index i on i.indexrelid = c.oid
     where c.relkind in ('r', 'i') and c.relname !~ '_by_corrections$|^usage_transaction_running_' and coalesce(i.indrelid, c.oid) in (
       select inhrelid from pg_inherits where inhparent = 'usage_transaction'::regclass
       union all select unnest(array['usage_receipt', 'usage_day', 'usage_user_day', 'usage_total']::regclass[]))
     order by c.relname`.execute(db)
  return rows
}

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
