import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { ensureDatabase, migrate, readMigrations } from '#server/db/migrate.ts'
import { serverEnvironment } from '#server/embedded/cluster.ts'
import { stopPostmaster } from '#server/embedded/postmaster.ts'
import { giveTo, isRoot, postgresUser } from '#server/embedded/server-user.ts'
import { StartupError } from '#server/embedded/startup-error.ts'
import { answers } from '#server/testing/answers.ts'
import { readCatalog } from '#server/testing/catalog.ts'
import { until } from '#server/testing/until.ts'
import { walkableDirectory } from '#server/testing/walkable-directory.ts'

const quietly = () => {}

async function emptyDatabase(): Promise<pg.ClientConfig> {
  const database = `migrate_${randomBytes(6).toString('hex')}`
  await ensureDatabase(inject('testServer'), database)
  onTestFinished(() => query(inject('testServer'), `drop database ${database} with (force)`).then(quietly))
  return { ...inject('testServer'), database }
}

async function query(connection: pg.ClientConfig, statement: string) {
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

const NOTHING = { isNew: false, steps: [] }
const CREATED = { isNew: true, steps: [] }

test('the tables are created once, also when several processes start at once', async () => {
  const connection = await emptyDatabase()
  const lines: string[] = []
  const start = () => migrate(connection, (line) => lines.push(line))
  const done = await Promise.all([start(), start(), start()])
  expect(done.filter(({ isNew }) => isNew)).toEqual([CREATED])
  expect(lines).toEqual(['Created the tables'])
  expect(await migrate(connection)).toEqual(NOTHING)
  expect(await query(connection, 'select name from migration order by name')).toEqual(
    readMigrations().map(({ name }) => ({ name })),
  )
})

test('a new installation has the catalog and the rows of one that has run every step', async () => {
  const [created, stepped] = [await emptyDatabase(), await emptyDatabase()]
  expect(await migrate(created)).toEqual(CREATED)
  const steps = readMigrations()
  await migrate(stepped, quietly, directoryOf(Object.fromEntries(steps.map(({ name, text }) => [name, text]))))
  for (const connection of [created, stepped])
    await query(connection, `select ensure_usage_partitions('2026-01-01', '2026-02-28')`)
  const [whole, bySteps] = [await readCatalog(created), await readCatalog(stepped)]
  expect(bySteps, 'A change of the schema is two: in the file of the module, and as a step').toEqual(whole)
  expect(whole.length).toBeGreaterThan(1_000)
})

test('the steps run once and in order, also when several processes start at once', async () => {
  const connection = await emptyDatabase()
  const steps = directoryOf({ '0001_a.sql': 'create table a (id int);', '0002_b.sql': 'alter table a add b int;' })
  const start = () => migrate(connection, quietly, steps)
  const ran = await Promise.all([start(), start(), start()])
  expect(ran.filter((done) => done.steps.length > 0)).toEqual([{ isNew: false, steps: ['0001_a.sql', '0002_b.sql'] }])
})

test('a database of version 0.x is refused with what to do, and nothing is changed', async () => {
  const connection = await emptyDatabase()
  await migrate(connection, quietly, directoryOf({ '0001_accounts.sql': 'create table account (name text);' }))
  const refusal = await migrate(connection).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(StartupError)
  expect((refusal as StartupError).message).toBe(
    'this database is of version 0.x, which this version does not read: begin with a new database, ' +
      'and bring the records over with "export" of 0.x and "import"',
  )
  expect(await query(connection, `select name from migration`)).toEqual([{ name: '0001_accounts.sql' }])
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

test('a file that was changed after it ran stops the start by name; line ends and comments may change', async () => {
  const connection = await emptyDatabase()
  await migrate(connection, quietly, directoryOf({ '0001_a.sql': '-- A.\ncreate table a (\n  id int\n);\n' }))
  const reworded = '-- What\r\n  -- it is.\r\n\r\ncreate table a (\r\n  id int\r\n);\r\n'
  expect(await migrate(connection, quietly, directoryOf({ '0001_a.sql': reworded }))).toEqual(NOTHING)
  await expect(
    migrate(connection, quietly, directoryOf({ '0001_a.sql': 'create table a (id bigint);' })),
  ).rejects.toThrow('migration 0001_a.sql was changed after it ran')
})

test('an older portal starts on what a newer one has added, and below the version that a step needs it does not', async () => {
  const connection = await emptyDatabase()
  const older = { '0001_a.sql': 'create table a (id int);' }
  const newer = {
    ...older,
    '0002_b.sql': 'create table b (id int);',
    '0003_c.from_1.0.0.contract.sql': 'drop table b;',
  }
  await migrate(connection, quietly, directoryOf(newer))
  expect(await migrate(connection, quietly, directoryOf(older))).toEqual(NOTHING)
  const newest = {
    ...newer,
    '0004_d.from_9.10.0.contract.sql': 'drop table a;',
    '0005_e.from_9.2.0.contract.sql': 'select 1;',
  }
  await migrate(connection, quietly, directoryOf(newest))
  const refusal = await migrate(connection, quietly, directoryOf(older)).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(StartupError)
  expect((refusal as Error).message).toBe(
    'this database needs version 9.10.0 of the portal or a later one, and this is version 1.0.0: a newer portal has migrated it',
  )
})

test('a step that takes something away without the oldest version that may serve is refused', async () => {
  const step = directoryOf({ '0001_a.contract.sql': 'drop table a;' })
  await expect(migrate(await emptyDatabase(), quietly, step)).rejects.toThrow(
    '0001_a.contract.sql does not end in .from_<oldest version that may serve>.contract.sql',
  )
})

test('a portal with steps of its own does not start on the database of another one, and changes nothing', async () => {
  const connection = await emptyDatabase()
  const older = { '0001_a.sql': 'create table a (id int);' }
  await migrate(connection, quietly, directoryOf({ ...older, '0003_c.sql': 'create table c (id int);' }))
  const refusal = await migrate(
    connection,
    quietly,
    directoryOf({ ...older, '0002_b.sql': 'create table b (id int);' }),
  ).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(StartupError)
  expect((refusal as StartupError).message).toBe(
    'a newer portal has migrated this database (0003_c.sql): install that version or a later one',
  )
  expect(await query(connection, `select to_regclass('b') as b`)).toEqual([{ b: null }])
})

test('a role without the right to create gets one line that says what to grant, and then starts', async () => {
  const connection = await emptyDatabase()
  const role = `role_${randomBytes(6).toString('hex')}`
  await query(connection, `create role ${role} login password 'secret'`)
  onTestFinished(() => query(inject('testServer'), `drop role ${role}`).then(quietly))
  // Drops what the role owns in the database, before the role itself is dropped.
  onTestFinished(() => query(connection, `drop owned by ${role}`).then(quietly))
  const asRole = { ...connection, user: role, password: 'secret' }
  const refusal = (await migrate(asRole).catch((error: unknown) => error)) as StartupError
  expect(refusal).toBeInstanceOf(StartupError)
  const [, grants = ''] = /^the database role .* may not make .* run in \w+: (.*)$/.exec(refusal.message) ?? []
  expect(grants).toBe(
    `grant create on database ${connection.database} to ${role}; grant usage, create on schema public to ${role}`,
  )
  await query(connection, grants)
  expect(await migrate(asRole)).toEqual(CREATED)
})

test('a role that does not own the tables gets one line that names the role it must be a member of', async () => {
  const connection = await emptyDatabase()
  await migrate(connection)
  const role = `role_${randomBytes(6).toString('hex')}`
  await query(connection, `create role ${role} login password 'secret'`)
  onTestFinished(() => query(inject('testServer'), `drop role ${role}`).then(quietly))
  onTestFinished(() => query(connection, `drop owned by ${role}`).then(quietly))
  await query(
    connection,
    `grant create on database ${connection.database} to ${role}; grant create on schema public to ${role}`,
  )
  await expect(migrate({ ...connection, user: role, password: 'secret' })).rejects.toThrow(
    `run in ${connection.database}: grant portal to ${role}`,
  )
})

test('a migration that fails is rolled back, keeps those before it, and runs once it is fixed', async () => {
  const connection = await emptyDatabase()
  const good = { '0001_a.sql': 'create table a (id int);' }
  const broken = directoryOf({ ...good, '0002_b.sql': 'create table b (id int); select 1 / 0;' })
  await expect(migrate(connection, quietly, broken)).rejects.toThrow('migration 0002_b.sql failed: division by zero')
  expect(await query(connection, `select to_regclass('a') as a, to_regclass('b') as b`)).toEqual([{ a: 'a', b: null }])
  expect(
    await migrate(connection, quietly, directoryOf({ ...good, '0002_b.sql': 'create table b (id int);' })),
  ).toEqual({ isNew: false, steps: ['0002_b.sql'] })
})

test('two files with one number are refused before anything runs', async () => {
  const twice = directoryOf({ '0001_a.sql': 'select 1', '0001_b.sql': 'select 1' })
  await expect(migrate(await emptyDatabase(), quietly, twice)).rejects.toThrow(
    '0001_a.sql and 0001_b.sql have one number',
  )
})

test('creates a database once, however many processes start at the same time', async () => {
  const name = `ensure_${randomBytes(6).toString('hex')}`
  onTestFinished(() => query(inject('testServer'), `drop database ${name} with (force)`).then(quietly))
  await Promise.all(Array.from({ length: 4 }, () => ensureDatabase(inject('testServer'), name)))
  expect(await query(inject('testServer'), `select datname from pg_database where datname = '${name}'`)).toHaveLength(1)
})

/** The oldest supported server for DATABASE_URL, and the places where distributions install it. */
const FOLDERS = ['/usr/lib/postgresql/15/bin', '/usr/pgsql-15/bin', '/opt/homebrew/opt/postgresql@15/bin']
const postgres15 = findPostgres15()
if (!postgres15) console.warn('Not available on this machine: PostgreSQL 15, so the schema was not tried on it')

test.runIf(postgres15)('the tables and their partitions are created on PostgreSQL 15', async () => {
  const connection = await startPostgres15(postgres15!)
  expect(await migrate(connection)).toEqual(CREATED)
  expect(await migrate(connection)).toEqual(NOTHING)
  const months = await query(connection, `select ensure_usage_partitions('2026-01-01', '2026-02-28') as made`)
  expect(months).toEqual([{ made: 2 }])
})

function findPostgres15(): string | undefined {
  return FOLDERS.find((folder) => fs.existsSync(path.join(folder, 'initdb')))
}

/** A server for one test. */
async function startPostgres15(binaries: string): Promise<pg.ClientConfig> {
  const user = isRoot() ? postgresUser() : undefined
  const directory = walkableDirectory('pg15')
  giveTo(user, directory)
  const home = path.join(directory, 'data')
  const options = { ...user, cwd: directory, env: serverEnvironment }
  const { status, stderr } = spawnSync(
    path.join(binaries, 'initdb'),
    ['-D', home, '-U', 'portal', '--auth=trust', '-E', 'UTF8', '--no-sync'],
    { ...options, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`initdb of PostgreSQL 15 failed: ${stderr}`)
  const server = spawn(
    path.join(binaries, 'postgres'),
    ['-D', home, '-k', directory, '-c', 'listen_addresses=', '-c', 'fsync=off'],
    { ...options, stdio: 'ignore' },
  )
  onTestFinished(async () => {
    if (server.pid) await stopPostmaster(server.pid, console.error)
    fs.rmSync(directory, { recursive: true, force: true })
  })
  const connection = { host: directory, port: 5432, user: 'portal', database: 'postgres' }
  await until(() => answers(connection), 'PostgreSQL 15 did not start')
  return connection
}
