import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { ensureDatabase, migrate } from '#server/db/migrate.ts'
import { serverEnvironment } from '#server/embedded/cluster.ts'
import { stopPostmaster } from '#server/embedded/postmaster.ts'
import { giveTo, isRoot, postgresUser } from '#server/embedded/server-user.ts'
import { StartupError } from '#server/embedded/startup-error.ts'
import { answers } from '#server/testing/answers.ts'
import { readCatalog } from '#server/testing/catalog.ts'
import { until } from '#server/testing/until.ts'
import { walkableDirectory } from '#server/testing/walkable-directory.ts'

const quietly = () => {}
const SHIPPED = fs
  .readdirSync(new URL('../migrations/steps/', import.meta.url))
  .filter((name) => name.endsWith('.sql'))
  .sort()

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
  expect(await query(connection, 'select name from migration order by name')).toEqual(SHIPPED.map((name) => ({ name })))
})

test('the steps run once and in order, also when several processes start at once', async () => {
  const connection = await emptyDatabase()
  await migrateBefore('0002', connection)
  const ran = await Promise.all([migrate(connection), migrate(connection), migrate(connection)])
  expect(ran.filter(({ steps }) => steps.length > 0)).toEqual([{ isNew: false, steps: SHIPPED.slice(1) }])
})

test('audit rows from before principals belong to sessions, those of the command line to operators', async () => {
  const connection = await emptyDatabase()
  const textOf = (name: string) => fs.readFileSync(new URL(`../migrations/steps/${name}`, import.meta.url), 'utf8')
  const older = SHIPPED.filter((name) => name < '0022')
  await migrate(connection, quietly, directoryOf(Object.fromEntries(older.map((name) => [name, textOf(name)]))))
  const row = (email: string) => `(now(), '${email}', '', '', 'any', 'done')`
  await query(
    connection,
    `insert into audit_log (at, email, address, request_id, action, outcome) values ${row('operator')}, ${row('a@b.example')}`,
  )
  await migrate(connection)
  expect(await query(connection, 'select email, principal from audit_log order by id')).toEqual([
    { email: 'operator', principal: 'operator' },
    { email: 'a@b.example', principal: 'session' },
  ])
  await expect(query(connection, "update audit_log set email = ''")).rejects.toThrow(/append-only/)
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
  ).toEqual(NOTHING)
  await expect(
    migrate(connection, quietly, directoryOf({ '0001_a.sql': 'create table a (id bigint);' })),
  ).rejects.toThrow('migration 0001_a.sql was changed after it ran')
})

test('an older portal starts on what a newer one has added, and not where a step took something away', async () => {
  const connection = await emptyDatabase()
  const older = { '0001_a.sql': 'create table a (id int);' }
  const newer = { ...older, '0002_b.sql': 'create table b (id int);' }
  await migrate(connection, quietly, directoryOf(newer))
  expect(await migrate(connection, quietly, directoryOf(older))).toEqual(NOTHING)
  await migrate(connection, quietly, directoryOf({ ...newer, '0003_c.contract.sql': 'drop table a;' }))
  await expect(migrate(connection, quietly, directoryOf(older))).rejects.toThrow(
    'a newer portal has migrated this database (0003_c.contract.sql): install that version or a later one',
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

async function migrateBefore(number: string, connection: pg.ClientConfig): Promise<void> {
  const files = SHIPPED.filter((name) => name < number).map((name) => [
    name,
    fs.readFileSync(new URL(`../migrations/steps/${name}`, import.meta.url), 'utf8'),
  ])
  await migrate(connection, quietly, directoryOf(Object.fromEntries(files)))
}

/** A database as an installation had it before keys began with the customer number (0020 and 0021), with data in it. */
async function databaseBefore0020(connection: pg.ClientConfig): Promise<void> {
  await migrateBefore('0020', connection)
  await query(
    connection,
    `insert into account (customer_number, name, time_zone) values ('C1', 'One', 'Asia/Tokyo'), ('C2', 'Two', 'UTC');
     insert into entitlement (customer_number, activation_id, entitlement_id, part_number, product_name, license_model,
       line_item_quantity, start_date, is_permanent) values ('C1', 'A1', 'E1', 'P1', 'Units', 'Elastic-AEU', 1, '2026-01-01', true);
     insert into elastic_server (customer_number, device_id, alias) values ('C1', 'S1', 'One'), ('C2', 'S2', 'Two');
     insert into table_preference (email, customer_number, table_name, preference, saved_at)
       values ('a@b.example', 'C1', 'emailList', '{}', now());
     insert into audit_log (at, email, address, request_id, action, customer_number, outcome)
       values (now(), 'a', '', '', 'portal', null, 'done'), (now(), 'a', '', '', 'account', 'C1', 'done');
     insert into mail (customer_number, queued_at, message_id, recipients, subject, body_html, body_text, next_attempt_at)
       values ('C1', now(), '<1@portal>', '{a@b.example}', 'Subject', '', '', now());
     select ensure_usage_partitions('2026-01-01', '2026-03-31');
     insert into usage_transaction (customer_number, server_id, session_id, session_status, started_at, ends_at, product,
       product_count, feature_count, user_name, host, activation_id, charge, currency)
     select 'C1', 'S1', n::text, 'Completed', instant - interval '1 hour', instant, 'P', 1, 1, 'u', 'h', 'A1', 0.01 * n, 'AEU'
       from generate_series(1, 500) n cross join lateral (select timestamptz '2026-01-02' + n * interval '4 hours' as instant) e;
     insert into usage_transaction (customer_number, server_id, session_id, session_status, started_at, product, product_count,
       feature_count, user_name, host, currency) values ('C2', 'S2', 'running', 'Active', now(), 'P', 1, 1, 'u', 'h', 'AEU');`,
  )
}

const ALL_DAYS = 'select * from usage_day order by customer_number, day, activation_id, product, currency'

/** Migrates data of the version before 0020, and books more into it. */
async function expectKeysByCustomer(connection: pg.ClientConfig): Promise<void> {
  await databaseBefore0020(connection)
  const days = await query(connection, ALL_DAYS)
  await migrate(connection)
  expect(await query(connection, ALL_DAYS)).toEqual(days)
  const rows = (statement: string) => query(connection, statement)
  expect(await rows('select * from activation_owner')).toEqual([{ activation_id: 'A1', customer_number: 'C1' }])
  expect(await rows('select device_id, customer_number from device_owner order by 1')).toEqual([
    { device_id: 'S1', customer_number: 'C1' },
    { device_id: 'S2', customer_number: 'C2' },
  ])
  expect(await rows('select action, customer_number from audit_log order by id')).toEqual([
    { action: 'portal', customer_number: '' },
    { action: 'account', customer_number: 'C1' },
  ])
  const sums = 'select sum(transactions)::int as n, sum(charge) as charge from usage_day'
  expect(await rows(sums)).toEqual([{ n: 500, charge: '1252.50' }])
  await rows(`update account set time_zone = 'Europe/Berlin'; update account set time_zone = 'Asia/Tokyo'`)
  expect(await rows(ALL_DAYS)).toEqual(days)
  await rows(`insert into usage_transaction (customer_number, server_id, session_id, session_status, started_at, ends_at,
    product, product_count, feature_count, user_name, host, activation_id, charge, currency)
    values ('C1', 'S1', 'new', 'Completed', '2026-02-01', '2026-02-02', 'P', 1, 1, 'u', 'h', 'A1', 0.50, 'AEU')`)
  expect(await rows(sums)).toEqual([{ n: 501, charge: '1253.00' }])
  await expect(rows('delete from usage_transaction_2026_01')).rejects.toThrow('append-only')
  await expect(rows('delete from usage_transaction_running')).rejects.toThrow('append-only')
  await expect(
    rows(`insert into elastic_server (customer_number, device_id, alias) values ('C2', 'S1', 'Two')`),
  ).rejects.toThrow('device_id_is_claimed')
}

/** A running session was two rows before 0096; months that were there keep the indexes that new ones get. */
async function expectRunningSessionsInOneRow(connection: pg.ClientConfig): Promise<void> {
  await migrateBefore('0096', connection)
  const usage = `insert into usage_transaction (customer_number, transaction_number, server_id, session_id, session_status,
    started_at, ends_at, product, product_count, feature_count, user_name, host, activation_id, charge, currency)`
  await query(
    connection,
    `insert into account (customer_number, name) values ('C1', 'One');
     insert into device_owner (device_id, customer_number) values ('S1', 'C1');
     insert into elastic_server (customer_number, device_id, alias) values ('C1', 'S1', 'One');
     select ensure_usage_partitions('2026-01-01', '2026-02-28');
     ${usage} values
       ('C1', 1, 'S1', 'over', 'Completed', '2026-01-31T08:00Z', '2026-01-31T09:00Z', 'P', 1, 1, 'u', 'h', 'A1', 7.5, 'AEU'),
       ('C1', 2, 'S1', 'C1.runs', 'Active', '2026-02-01T08:00Z', 'infinity', 'P', 2, 2, 'u', 'h', 'A1', null, 'AEU'),
       ('C1', 3, 'S1', 'other', 'Active', '2026-02-01T08:00Z', 'infinity', 'P', 1, 1, 'u', 'h', null, null, 'AEU');
     insert into elastic_session (customer_number, session_id, transaction_number, server_id, activation_id, started_at,
       last_heartbeat_at, product_count, units_per_hour, currency)
     values ('C1', 'C1.runs', 2, 'S1', 'A1', '2026-02-01T08:00Z', '2026-02-01T08:05Z', 2, 7.5, 'AEU');`,
  )
  const days = await query(connection, ALL_DAYS)
  await migrate(connection)
  await query(connection, `select ensure_usage_partitions('2026-03-01', '2026-03-31')`)
  const rows = (statement: string) => query(connection, statement)
  expect(
    await rows(`select transaction_number::int as n, units_per_hour::text as rate, last_heartbeat_at is not null as kept
      from usage_transaction order by 1`),
  ).toEqual([
    { n: 1, rate: null, kept: false },
    { n: 2, rate: '7.5000', kept: true },
    { n: 3, rate: null, kept: false },
  ])
  expect(await rows(`select to_regclass('elastic_session') as gone`)).toEqual([{ gone: null }])
  const indexesOf = (month: string) =>
    rows(`select replace(pg_get_indexdef(indexrelid), '${month}', 'MONTH') as definition from pg_index
      where indrelid = 'usage_transaction_${month}'::regclass and not indisprimary order by 1`)
  const withoutNames = (found: unknown) =>
    JSON.stringify(found).replaceAll(/INDEX \S*(start|session)\S* ON/g, 'INDEX ON')
  expect(withoutNames(await indexesOf('2026_01'))).toEqual(withoutNames(await indexesOf('2026_03')))
  const checksOf = (month: string) =>
    rows(`select replace(pg_get_constraintdef(oid), ' NOT VALID', '') as definition from pg_constraint
      where conrelid = 'usage_transaction_${month}'::regclass and contype = 'c' order by 1`)
  expect(await checksOf('2026_01')).toHaveLength(11)
  expect(await checksOf('2026_01')).toEqual(await checksOf('2026_03'))
  const triggersOf = (month: string) =>
    rows(`select tgname from pg_trigger where tgrelid = 'usage_transaction_${month}'::regclass order by 1`)
  expect(await triggersOf('2026_01')).toEqual(await triggersOf('2026_03'))
  expect(await rows(ALL_DAYS)).toEqual(days)
  await rows(`update usage_transaction set ends_at = '2026-02-01T09:00Z', charge = 15, last_heartbeat_at = null,
    units_per_hour = null where transaction_number = 2`)
  expect(await rows('select sum(charge) as charge from usage_day')).toEqual([{ charge: '22.50' }])
}

/** Before 0099, corrections and further parts of a split charge had 0.01 hours each. 0098 learns addresses from usage. */
async function expectHoursOfWholeSessions(connection: pg.ClientConfig): Promise<void> {
  await migrateBefore('0098', connection)
  const rows = (statement: string) => query(connection, statement)
  const usage = (values: string) =>
    rows(`insert into usage_transaction (customer_number, transaction_number, server_id, session_id, session_status,
      started_at, ends_at, product, product_count, feature_count, user_name, host, activation_id, charge, currency, corrects,
      external_ip) values ${values}`)
  await rows(`insert into account (customer_number, name) values ('C1', 'One');
    insert into device_owner (device_id, customer_number) values ('S1', 'C1');
    insert into elastic_server (customer_number, device_id, alias) values ('C1', 'S1', 'One');
    select ensure_usage_partitions(now() - interval '3 months', now())`)
  const end = `date_trunc('hour', now()) - interval '5 days'`
  const what = `'P', 1, 1, 'u', 'h'`
  await usage(`
    ('C1', 1, 'S1', 'split', 'Completed', ${end} - interval '48 hours', ${end}, ${what}, 'A1', 7, 'AEU', null, '192.0.2.7'),
    ('C1', 2, 'S1', 'split', 'Completed', ${end}, ${end}, ${what}, 'A2', 3, 'AEU', null, '::ffff:192.0.2.8'),
    ('C1', 3, 'S1', 'split', 'Completed', ${end}, ${end}, ${what}, 'A3', 2, 'AEU', null, '2001:db8:1:2::9'),
    ('C1', 4, 'S1', 'short', 'Completed', ${end}, ${end}, ${what}, 'A1', 0, 'AEU', null, 'unknown')`)
  await usage(`('C1', 5, 'S1', 'back', 'Correction', ${end}, ${end}, ${what}, 'A1', -1, 'AEU', 1, null)`)
  await migrate(connection)
  expect(
    await rows(`select transaction_number::int as n, hours::text, continues from usage_transaction order by 1`),
  ).toEqual([
    { n: 1, hours: '48.00', continues: false },
    { n: 2, hours: '0.00', continues: true },
    { n: 3, hours: '0.00', continues: true },
    { n: 4, hours: '0.01', continues: false },
    { n: 5, hours: '0.00', continues: false },
  ])
  for (const sums of ['usage_day', 'usage_user_day', 'usage_project_day', 'usage_host_day', 'usage_total'])
    expect(await rows(`select sum(hours)::text as hours, sum(charge)::text as charge from ${sums}`), sums).toEqual([
      { hours: '48.01', charge: '11.00' },
    ])
  await expect(rows('update usage_transaction set continues = true where transaction_number = 4')).rejects.toThrow()
  expect(await rows('select server_id, external_ip from pin_address order by 2')).toEqual([
    { server_id: 'S1', external_ip: '192.0.2.7' },
    { server_id: 'S1', external_ip: '192.0.2.8' },
    { server_id: 'S1', external_ip: '2001:db8:1:2::/64' },
  ])
}

test('the migration gives the hours of a session to its first part, in the sums as well', async () => {
  await expectHoursOfWholeSessions(await emptyDatabase())
})

test('the migration makes a running session one row, and months keep their indexes', async () => {
  await expectRunningSessionsInOneRow(await emptyDatabase())
})

test('a migrated database with data keeps its sums and gets keys that begin with the customer number', async () => {
  const connection = await emptyDatabase()
  await expectKeysByCustomer(connection)
})

/** The oldest supported server for DATABASE_URL, and the places where distributions install it. */
const FOLDERS = ['/usr/lib/postgresql/15/bin', '/usr/pgsql-15/bin', '/opt/homebrew/opt/postgresql@15/bin']
const postgres15 = findPostgres15()
if (!postgres15) console.warn('Not available on this machine: PostgreSQL 15, so the schema was not tried on it')

test.runIf(postgres15)('the tables are created and migrated on PostgreSQL 15, with data and without', async () => {
  const connection = await startPostgres15(postgres15!)
  expect(await migrate(connection)).toEqual(CREATED)
  expect(await migrate(connection)).toEqual(NOTHING)
  const stepped = { ...connection, database: 'stepped' }
  await ensureDatabase(connection, 'stepped')
  await migrateBefore('9999', stepped)
  expect(await readCatalog(stepped)).toEqual(await readCatalog(connection))
  const filled = { ...connection, database: 'filled' }
  await ensureDatabase(connection, 'filled')
  await expectKeysByCustomer(filled)
  await ensureDatabase(connection, 'running')
  await expectRunningSessionsInOneRow({ ...connection, database: 'running' })
  await ensureDatabase(connection, 'hours')
  await expectHoursOfWholeSessions({ ...connection, database: 'hours' })
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
