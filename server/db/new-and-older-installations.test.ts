import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { accountList } from '#contract/accounts/account-list.ts'
import { startSession } from '#contract/elastic/sessions/elastic-sessions.ts'
import { listTables } from '#server/backup/schema.queries.ts'
import { openDatabase } from '#server/db/database.ts'
import { ensureDatabase, migrate } from '#server/db/migrate.ts'
import type { DB } from '#server/db/schema.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import { OLIVIA } from '#server/testing/activations.ts'
import { readCatalog } from '#server/testing/catalog.ts'
import { earlierDatabase } from '#server/testing/earlier-database.ts'
import { addMeteredAccount, sessionRequest } from '#server/testing/metering.ts'
import { startPortal } from '#server/testing/portal.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'

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

/** The last version before the schema became one file per module: this step and those after it have not run. */
const FIRST_STEP_SINCE = '0103'
/** Tables that a later step drops, and the texts of features that a later step changes. */
const DROPPED = ['catalog_version', 'elastic_terms']
const NEW_WORDS = new Map([
  ['Activate entitlements on license hosts', 'Activate entitlements on license servers'],
  ['Elastic denials: session starts that were refused', 'Elastic denials: session starts that were denied'],
])
/** Features that a later step adds, after all others. */
const NEW_FEATURES = [
  {
    position: 27,
    name: 'operations',
    is_default: true,
    description: 'Operations: backups, messages, tasks and processes',
  },
  { position: 28, name: 'audit', is_default: true, description: 'Audit log: who did what, and checkpoints' },
]

test('an installation of the version before starts on this one with every row, and usage is not rewritten', async () => {
  const earlier = await earlierDatabase(FIRST_STEP_SINCE)
  const { db } = earlier
  // The demo data is that of today, and its statements read a table that is newer.
  await sql`create table archived_usage_sum (customer_number text, sums text, day date, activation_id text, currency text,
    charge numeric, transactions integer)`.execute(db)
  // These parts need tables that are newer.
  await db
    .insertInto('demo_part')
    .values(
      ['tokens', 'requests', 'webhooks', 'license use'].map((name) => ({
        name,
        loaded_at: new Date(),
        made_for: '2026-01-01',
      })),
    )
    .execute()
  await loadDemo(db, { now: new Date(inject('demoMadeAt')), usageTransactions: 500, progress: () => {} })
  await sql`drop table archived_usage_sum`.execute(db)
  await addMeteredAccount(db, 'METERED')
  const read = async () => {
    const { feature: _, ...rows } = await readRows(db)
    const features = await db.selectFrom('feature').selectAll().orderBy('position').execute()
    return { rows, features, files: await usageFiles(db) }
  }
  const before = await read()
  const keptRows = Object.fromEntries(Object.entries(before.rows).filter(([table]) => !DROPPED.includes(table)))
  const renamed = before.features.map((one) => ({
    ...one,
    description: NEW_WORDS.get(one.description) ?? one.description,
  }))
  const features = [...renamed, ...NEW_FEATURES]
  expect(renamed.filter((one, index) => one.description !== before.features[index]?.description)).toHaveLength(2)
  expect(Object.keys(keptRows).length).toBeGreaterThan(30)
  expect(before.files.length).toBeGreaterThan(100)

  expect((await earlier.migrate()).steps[0]).toMatch(/^0103/)
  expect(await read()).toEqual({ rows: keptRows, features, files: before.files })

  const portal = await startPortal({}, {}, { ...earlier, close: async () => {} })
  onTestFinished(portal.close)
  const olivia = await portal.as(OLIVIA)
  const { body } = await olivia(accountList.count, { body: {} })
  expect(body.data).toBe(Number(before.rows.account?.split(' ')[0]))
  const { headers } = await giveServiceKey(portal, 'Metering')
  const nobody = await portal.as(null)
  const started = await nobody(startSession, { body: sessionRequest('METERED'), headers })
  expect(started.body).toMatchObject({ status: 'SUCCESS' })
})

/** Files of the large tables and their indexes, except the smallest: a rewritten table has another file. */
async function usageFiles(db: Kysely<DB>) {
  const { rows } = await sql<{ name: string; file: string }>`
    select c.relname as name, pg_relation_filenode(c.oid) as file from pg_class c left join pg_index i on i.indexrelid = c.oid
     where c.relkind in ('r', 'i') and c.relname !~ '_by_corrections$|^usage_transaction_running_' and coalesce(i.indrelid, c.oid) in (
       select inhrelid from pg_inherits where inhparent = 'usage_transaction'::regclass
       union all select unnest(array['usage_receipt', 'usage_day', 'usage_user_day', 'usage_total']::regclass[]))
     order by c.relname`.execute(db)
  return rows
}

/** The number of rows and their digest, for every table that is not empty. */
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
