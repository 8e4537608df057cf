import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { loadDemo } from '#server/demo/load-demo.ts'
import { DEMO_PARTS } from '#server/demo/parts.ts'
import { DEMO_PEOPLE } from '#server/demo/people.ts'
import type { DB } from '#server/plugins/schema.ts'
import { freshDatabase } from '#server/testing/database.ts'

type Opened = Awaited<ReturnType<typeof freshDatabase>>

const NOON = new Date('2026-11-15T12:00:00Z')
const ALL_PARTS = DEMO_PARTS.map(({ name }) => name)

const opened: Opened[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
})

async function open(): Promise<Opened> {
  const database = await freshDatabase()
  opened.push(database)
  return database
}

const load = (db: Kysely<DB>, now: Date) => loadDemo(db, { now, usageTransactions: 500, progress: () => {} })

/** Every row of every table, except when the parts were loaded. */
async function contentOf(db: Kysely<DB>): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'demo_part'`.execute(db)
  const content = new Map<string, string>()
  for (const { name } of rows) {
    const answer = await sql<{ hash: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as hash
      from ${sql.table(name)} t`.execute(db)
    content.set(name, answer.rows[0]!.hash)
  }
  return content
}

async function count(db: Kysely<DB>, table: keyof DB): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) from ${sql.table(table)}`.execute(db)
  return Number(rows[0]!.count)
}

it('fills a fresh installation', async () => {
  const { db } = await open()
  expect(await load(db, NOON)).toEqual(ALL_PARTS)
  expect(await count(db, 'person')).toBe(DEMO_PEOPLE.length)
  expect(await count(db, 'account')).toBe(1249)
  expect(await count(db, 'staff_role')).toBe(4)
  expect(await count(db, 'account_grant')).toBe(2)
  const ada = await db
    .selectFrom('contact')
    .select('customer_number')
    .where('email', '=', 'ada.admin@aerodyne.example')
    .orderBy('customer_number')
    .execute()
  expect(ada.map((row) => row.customer_number)).toEqual(['100001', '100002'])
  const readers = await db.selectFrom('contact').select('customer_number').distinct().execute()
  expect(readers, 'every account has a contact').toHaveLength(1249)
})

it('makes the same content on the same day, whatever the hour', async () => {
  const [one, other] = [await open(), await open()]
  await load(one.db, new Date('2026-11-15T10:00:00Z'))
  await load(other.db, new Date('2026-11-15T13:30:00Z'))
  expect(await contentOf(other.db)).toEqual(await contentOf(one.db))
})

it('has nothing to do the second time, and finds that out with one query', async () => {
  const { db, pool } = await open()
  await load(db, NOON)
  const before = await contentOf(db)
  const queries: string[] = []
  const watched = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: (event) => {
      queries.push(event.query.sql)
    },
  })
  const steps: string[] = []
  const later = new Date('2027-02-03T04:05:06Z')
  expect(
    await loadDemo(watched, {
      now: later,
      usageTransactions: 500,
      progress: (_done, _total, what) => steps.push(what),
    }),
  ).toEqual([])
  expect(queries).toHaveLength(1)
  expect(steps).toEqual([])
  expect(await contentOf(db)).toEqual(before)
})

it('loads every part once when several processes start together', async () => {
  const [together, alone] = [await open(), await open()]
  const loaded = await Promise.all([load(together.db, NOON), load(together.db, NOON), load(together.db, NOON)])
  expect(loaded.flat().sort()).toEqual([...ALL_PARTS].sort())
  await load(alone.db, NOON)
  expect(await contentOf(together.db)).toEqual(await contentOf(alone.db))
})

it('tops up an installation that has the older parts only', async () => {
  const [older, complete] = [await open(), await open()]
  await load(complete.db, NOON)
  await load(older.db, NOON)
  await older.db.deleteFrom('contact').execute()
  await older.db.deleteFrom('account_grant').execute()
  await older.db.deleteFrom('demo_part').where('name', '=', 'contacts').execute()
  expect(await load(older.db, NOON)).toEqual(['contacts'])
  expect(await contentOf(older.db)).toEqual(await contentOf(complete.db))
})

it('leaves nothing of a part that fails, and loads it at the next start', async () => {
  const { db } = await open()
  await db.insertInto('account').values({ customer_number: '200500', name: 'In the way' }).execute()
  await expect(load(db, NOON)).rejects.toThrow('account_pkey')
  expect(await count(db, 'account')).toBe(1)
  await db.deleteFrom('account').execute()
  expect(await load(db, NOON)).toEqual(ALL_PARTS.filter((name) => name !== 'people'))
  expect(await count(db, 'account')).toBe(1249)
})

it('leaves alone what is known of a person who was there before', async () => {
  const { db } = await open()
  const ada = { email: 'ada.admin@aerodyne.example', first_name: 'Adelheid', last_name: 'Admin' }
  await db.insertInto('person').values(ada).execute()
  const grant = { email: 'olivia.ops@vendor.example', role: 'busops', granted_by: 'operator' } as const
  await db.insertInto('staff_role').values(grant).execute()
  await load(db, NOON)
  const found = await db.selectFrom('person').selectAll().where('email', '=', ada.email).executeTakeFirstOrThrow()
  expect(found.first_name).toBe('Adelheid')
  const olivia = await db.selectFrom('staff_role').select('granted_by').where('email', '=', grant.email).execute()
  expect(olivia).toEqual([{ granted_by: 'operator' }])
})

it('tells how far it is', async () => {
  const { db } = await open()
  const steps: string[] = []
  await loadDemo(db, {
    now: NOON,
    usageTransactions: 500,
    progress: (done, total, what) => steps.push(`${done}/${total} ${what}`),
  })
  const total = ALL_PARTS.length
  expect(steps).toEqual([...ALL_PARTS.map((name, done) => `${done}/${total} ${name}`), `${total}/${total} ready`])
})
