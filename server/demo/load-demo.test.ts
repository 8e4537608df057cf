import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { DB } from '#server/db/schema.ts'
import { DEMO_PARTS, loadDemo } from '#server/demo/load-demo.ts'
import { DEMO_PEOPLE } from '#server/demo/people.ts'
import { freshDatabase } from '#server/testing/database.ts'

type Opened = Awaited<ReturnType<typeof freshDatabase>>

const NOON = new Date('2026-11-15T12:00:00Z')
const ALL_PARTS = DEMO_PARTS.map(({ name }) => name)

/** The demo data loaded at noon, its reported progress, and all its rows. */
let complete: Opened
let content: Map<string, string>
const reports: string[] = []
beforeAll(async () => {
  complete = await freshDatabase()
  const progress = (done: number, total: number, what: string) => reports.push(`${done}/${total} ${what}`)
  expect(await loadDemo(complete.db, { now: NOON, usageTransactions: 500, progress })).toEqual(ALL_PARTS)
  content = await loadContent(complete.db)
})
afterAll(() => complete.close())

const opened: Opened[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
})

async function open(): Promise<Opened> {
  const database = await freshDatabase()
  opened.push(database)
  return database
}

const load = (db: Kysely<DB>, now: Date, parts = DEMO_PARTS) =>
  loadDemo(db, { now, usageTransactions: 500, progress: () => {}, parts })

/**
 * License files are signed, and PINs encrypted, with keys that every installation makes for itself. Mailed statements have
 * random ids.
 */
const OWN_TO_THE_INSTALLATION = [
  'installation_secret',
  'signing_key',
  'license_file',
  'elastic_pin',
  'mailed_statement',
]

/** Every row of every table, except when the parts were loaded and records were written. */
async function loadContent(db: Kysely<DB>): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'demo_part'`.execute(db)
  const content = new Map<string, string>()
  for (const { name } of rows.filter((row) => !OWN_TO_THE_INSTALLATION.includes(row.name))) {
    const answer = await sql<{ hash: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(r.row, '|' order by r.row)), '') as hash
      from ${sql.table(name)} t, lateral (select (to_jsonb(t) - 'changed_at')::text as row) r`.execute(db)
    content.set(name, answer.rows[0]!.hash)
  }
  return content
}

async function count(db: Kysely<DB>, table: keyof DB): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) from ${sql.table(table)}`.execute(db)
  return Number(rows[0]!.count)
}

it('the demo data fills a fresh installation', async () => {
  const { db } = complete
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

it('the demo data reports its progress while it loads', () => {
  const total = ALL_PARTS.length
  expect(reports).toEqual([...ALL_PARTS.map((name, done) => `${done}/${total} ${name}`), `${total}/${total} ready`])
})

it('the demo data has the same rows at any hour of a day', async () => {
  const { db } = await open()
  await load(db, new Date('2026-11-15T13:30:00Z'))
  expect(await loadContent(db)).toEqual(content)
})

it('the second start loads nothing, and needs one query to find out', async () => {
  const queries: string[] = []
  const watched = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: complete.pool }),
    log: (event) => {
      queries.push(event.query.sql)
    },
  })
  const steps: string[] = []
  const later = new Date('2027-02-03T04:05:06Z')
  const progress = (_done: number, _total: number, what: string) => steps.push(what)
  expect(await loadDemo(watched, { now: later, usageTransactions: 500, progress })).toEqual([])
  expect(queries).toHaveLength(1)
  expect(steps).toEqual([])
  expect(await loadContent(complete.db)).toEqual(content)
})

it('every part is loaded once when several processes start together', async () => {
  const { db } = await open()
  const loaded = await Promise.all([load(db, NOON), load(db, NOON), load(db, NOON)])
  expect(loaded.flat().sort()).toEqual([...ALL_PARTS].sort())
  expect(await loadContent(db)).toEqual(content)
})

it('an installation with older parts only gets the missing ones', async () => {
  const { db } = complete
  await db.deleteFrom('contact').execute()
  await db.deleteFrom('account_grant').execute()
  await sql`delete from removed_record`.execute(db)
  await db.deleteFrom('demo_part').where('name', '=', 'contacts').execute()
  expect(await load(db, NOON)).toEqual(['contacts'])
  expect(await loadContent(db)).toEqual(content)
})

it('a part that fails is rolled back, and loaded at the next start', async () => {
  const { db } = await open()
  await db.insertInto('account').values({ customer_number: '200500', name: 'In the way' }).execute()
  const [people, accounts, contacts] = DEMO_PARTS
  const parts = [people!, accounts!, contacts!]
  await expect(load(db, NOON, parts)).rejects.toThrow('account_pkey')
  expect(await count(db, 'account')).toBe(1)
  await db.deleteFrom('account').execute()
  expect(await load(db, NOON, parts)).toEqual(['accounts', 'contacts'])
  expect(await count(db, 'account')).toBe(1249)
})

it('an existing person is not changed', async () => {
  const { db } = await open()
  const ada = { email: 'ada.admin@aerodyne.example', first_name: 'Adelheid', last_name: 'Admin' }
  await db.insertInto('person').values(ada).execute()
  const grant = { email: 'olivia.ops@vendor.example', role: 'busops', granted_by: 'operator' } as const
  await db.insertInto('staff_role').values(grant).execute()
  await load(db, NOON, DEMO_PARTS.slice(0, 1))
  const found = await db.selectFrom('person').selectAll().where('email', '=', ada.email).executeTakeFirstOrThrow()
  expect(found.first_name).toBe('Adelheid')
  const olivia = await db.selectFrom('staff_role').select('granted_by').where('email', '=', grant.email).execute()
  expect(olivia).toEqual([{ granted_by: 'operator' }])
})
