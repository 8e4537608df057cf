import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { ensureDatabase, migrate } from '#server/db/migrate.ts'
import { findPostgres15, startPostgres15 } from '#server/testing/postgres-15.ts'

const quietly = () => {}
const SHIPPED = fs
  .readdirSync(new URL('../migrations/', import.meta.url))
  .filter((name) => name.endsWith('.sql'))
  .sort()

async function emptyDatabase(): Promise<pg.ClientConfig> {
  const database = `migrate_${randomBytes(6).toString('hex')}`
  await ensureDatabase(inject('testServer'), database)
  onTestFinished(() => ask(inject('testServer'), `drop database ${database} with (force)`).then(quietly))
  return { ...inject('testServer'), database }
}

async function ask(connection: pg.ClientConfig, statement: string) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

function directoryOf(files: Record<string, string>): URL {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-migrations-'))
  onTestFinished(() => fs.rmSync(directory, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(directory, name), text)
  return pathToFileURL(`${directory}/`)
}

test('the shipped migrations run once and in order, also when several processes start at once', async () => {
  const connection = await emptyDatabase()
  const ran = await Promise.all([migrate(connection), migrate(connection), migrate(connection)])
  expect(ran.filter((names) => names.length > 0)).toEqual([SHIPPED])
  expect(await migrate(connection)).toEqual([])
})

test('audit rows from before principals belong to sessions, those of the command line to operators', async () => {
  const connection = await emptyDatabase()
  const textOf = (name: string) => fs.readFileSync(new URL(`../migrations/${name}`, import.meta.url), 'utf8')
  const older = SHIPPED.filter((name) => name < '0022')
  await migrate(connection, quietly, directoryOf(Object.fromEntries(older.map((name) => [name, textOf(name)]))))
  const row = (email: string) => `(now(), '${email}', '', '', 'any', 'done')`
  await ask(
    connection,
    `insert into audit_log (at, email, address, request_id, action, outcome) values ${row('operator')}, ${row('a@b.example')}`,
  )
  await migrate(connection)
  expect(await ask(connection, 'select email, principal from audit_log order by id')).toEqual([
    { email: 'operator', principal: 'operator' },
    { email: 'a@b.example', principal: 'session' },
  ])
  await expect(ask(connection, "update audit_log set email = ''")).rejects.toThrow(/append-only/)
})

test('a later start runs only what was added, and says so', async () => {
  const connection = await emptyDatabase()
  const first = { '0001_a.sql': 'create table a (id int);' }
  const lines: string[] = []
  await migrate(connection, quietly, directoryOf(first))
  await migrate(
    connection,
    (line) => lines.push(line),
    directoryOf({ ...first, '0002_b.sql': 'create table b (id int);' }),
  )
  expect(lines).toEqual(['Migrated 0002_b.sql'])
})

test('a file that was changed after it ran stops the start by name; other line ends are no change', async () => {
  const connection = await emptyDatabase()
  await migrate(connection, quietly, directoryOf({ '0001_a.sql': 'create table a (\n  id int\n);\n' }))
  expect(
    await migrate(connection, quietly, directoryOf({ '0001_a.sql': 'create table a (\r\n  id int\r\n);\r\n' })),
  ).toEqual([])
  await expect(
    migrate(connection, quietly, directoryOf({ '0001_a.sql': 'create table a (id bigint);' })),
  ).rejects.toThrow('migration 0001_a.sql was changed after it ran')
})

test('a migration that fails leaves nothing of itself, keeps those before it, and runs when it is mended', async () => {
  const connection = await emptyDatabase()
  const good = { '0001_a.sql': 'create table a (id int);' }
  const broken = directoryOf({ ...good, '0002_b.sql': 'create table b (id int); select 1 / 0;' })
  await expect(migrate(connection, quietly, broken)).rejects.toThrow('migration 0002_b.sql failed: division by zero')
  expect(await ask(connection, `select to_regclass('a') as a, to_regclass('b') as b`)).toEqual([{ a: 'a', b: null }])
  expect(
    await migrate(connection, quietly, directoryOf({ ...good, '0002_b.sql': 'create table b (id int);' })),
  ).toEqual(['0002_b.sql'])
})

test('two files with one number are refused before anything runs', async () => {
  const twice = directoryOf({ '0001_a.sql': 'select 1', '0001_b.sql': 'select 1' })
  await expect(migrate(await emptyDatabase(), quietly, twice)).rejects.toThrow(
    '0001_a.sql and 0001_b.sql have one number',
  )
})

test('a database is made once, however many ask for it at the same time', async () => {
  const name = `ensure_${randomBytes(6).toString('hex')}`
  onTestFinished(() => ask(inject('testServer'), `drop database ${name} with (force)`).then(quietly))
  await Promise.all(Array.from({ length: 4 }, () => ensureDatabase(inject('testServer'), name)))
  expect(await ask(inject('testServer'), `select datname from pg_database where datname = '${name}'`)).toHaveLength(1)
})

const postgres15 = findPostgres15()
if (!postgres15) console.warn('Not available on this machine: PostgreSQL 15, so the migrations were not run on it')

test.runIf(postgres15)('the shipped migrations run on PostgreSQL 15', async () => {
  const connection = await startPostgres15(postgres15!)
  expect(await migrate(connection)).toEqual(SHIPPED)
  expect(await migrate(connection)).toEqual([])
})
