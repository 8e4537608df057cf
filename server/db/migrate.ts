import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { BUILD_INFO } from '#server/build-info.ts'
import { isTransactionConflict } from '#server/db/database-errors.ts'
import { refuseWithoutRights } from '#server/db/database-rights.ts'
import { SESSION_SETTINGS } from '#server/db/session-settings.ts'
import { splitStatements } from '#server/db/sql-statements.ts'
import { lockTables } from '#server/db/step-locks.ts'
import { StartupError } from '#server/embedded/startup-error.ts'

/** Advisory lock: one migration at a time on a database, no matter how many processes start at once. */
export const MIGRATION_LOCK = 7_301_002
export const MIGRATION_TABLE =
  'create table if not exists migration (name text primary key, sha256 text not null, ran_at timestamptz not null default now())'
const STEPS = new URL('../migrations/steps/', import.meta.url)
/** The schema of version 1.0.0. As long as there are no steps, it is that of the modules. */
const BASE = '0000_schema.sql'
/** What an operator does with a database or a backup without the base. */
export const ABOUT_0X =
  'is of version 0.x, which this version does not read: begin with a new database, and bring the records over with "export" of 0.x and "import"'
const SCHEMA = new URL('../migrations/', import.meta.url)
/** The first line of a file of the schema names the files that it refers to. */
const AFTER = /^-- after: (.*)$/m
/** A step that takes something away says from which version on portals do without it. */
const CONTRACT = /\.from_(\d+\.\d+\.\d+)\.contract\.sql$/
/** Shorter than the time after which PostgreSQL looks for deadlocks: a step gives way before a transaction of a portal is ended. */
const LOCK_TIMEOUT = '900ms'
const LOCK_TIMED_OUT = '55P03'
/** Milliseconds before the retries of a step that a portal's transactions kept from its locks. */
const RETRY_AFTER = [500, 1_000, 2_000]
/** Lines that may be reworded after a step has run. */
const COMMENTS = /^\s*(--.*)?\n/gm
const DUPLICATE_DATABASE = '42P04'
const UNIQUE_VIOLATION = '23505'
/** In milliseconds: a database that is frozen takes connections and never answers. */
const TIMEOUT = 10_000

export type Migration = { readonly name: string; readonly text: string; readonly sha256: string }
/** What was done to the database: its tables were created, or these steps were run. */
export type Migrated = { readonly isNew: boolean; readonly steps: readonly string[] }

/**
 * Creates the tables of a new database. On an older one, runs the missing steps in order, each in a separate
 * transaction. With a directory of other steps, a new database is created by those. `complete` runs last, under the same
 * lock.
 */
export async function migrate(
  connection: pg.ClientConfig,
  log: (line: string) => void = () => {},
  directory?: URL,
  complete: (client: pg.Client) => Promise<void> = async () => {},
): Promise<Migrated> {
  const migrations = readMigrations(directory)
  const client = new pg.Client({ connectionTimeoutMillis: TIMEOUT, ...connection })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(SESSION_SETTINGS)
    await refuseWithoutRights(client)
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    const migrated = await runMissing(client, migrations, log, directory === undefined)
    await complete(client)
    return migrated
  } finally {
    await client.end()
  }
}

async function runMissing(
  client: pg.Client,
  migrations: Migration[],
  log: (line: string) => void,
  hasWholeSchema: boolean,
): Promise<Migrated> {
  const { isNew, pending } = await findPending(client, migrations)
  if (isNew && hasWholeSchema) {
    await runInTransaction(client, () => client.query(newSchema(migrations))).catch(startupError('creating the tables'))
    log('Created the tables')
    return { isNew, steps: [] }
  }
  for (const migration of pending) {
    await runStep(client, migration).catch(startupError(`migration ${migration.name}`))
    log(`Migrated ${migration.name}`)
  }
  return { isNew: false, steps: pending.map(({ name }) => name) }
}

/** The schema as it is, a file per module (server/migrations/README.md), each after those that it refers to. */
function schemaText(): string {
  const files = fs.readdirSync(SCHEMA).filter((file) => file.endsWith('.sql'))
  const placed = new Map<string, string>()
  const place = (file: string) => {
    if (placed.has(file)) return
    const text = readSql(new URL(file, SCHEMA))
    for (const before of AFTER.exec(text)?.[1]?.split(', ') ?? []) place(`${before}.sql`)
    placed.set(file, text)
  }
  for (const file of files.sort()) place(file)
  return [...placed.values()].join('\n')
}

/** All statements that bring an empty database to this version. It then counts as having run all steps. */
export const newSchema = (migrations: readonly Migration[]): string =>
  [schemaText(), ...migrations.map(noteOf)].join('\n')

export const stepOf = (migration: Migration): string => `${migration.text}\n${noteOf(migration)}`

const noteOf = ({ name, sha256 }: Migration) =>
  `insert into migration (name, sha256) values (${pg.escapeLiteral(name)}, ${pg.escapeLiteral(sha256)});`

// A checkout on Windows may have other line ends; the migration counts as unchanged.
const readSql = (file: URL) => fs.readFileSync(file, 'utf8').replaceAll('\r\n', '\n')

export function readMigrations(directory?: URL): Migration[] {
  const steps = readSteps(directory ?? STEPS)
  if (directory || steps[0]?.name === BASE) return steps
  if (steps[0])
    throw new Error(`steps/${BASE} is missing, which ${steps[0].name} follows (server/migrations/README.md)`)
  return [migrationOf(BASE, schemaText())]
}

const migrationOf = (name: string, text: string): Migration => ({
  name,
  text,
  sha256: createHash('sha256').update(text.replaceAll(COMMENTS, '')).digest('hex'),
})

function readSteps(directory: URL): Migration[] {
  const names = fs.globSync('[0-9][0-9][0-9][0-9]_*.sql', { cwd: fileURLToPath(directory) })
  const migrations = names.sort().map((name) => migrationOf(name, readSql(new URL(name, directory))))
  migrations.reduce((before, here) => {
    if (here.name.includes('.contract') && !CONTRACT.test(here.name))
      throw new Error(`${here.name} does not end in .from_<oldest version that may serve>.contract.sql`)
    if (before.slice(0, 4) === here.name.slice(0, 4)) throw new Error(`${before} and ${here.name} have one number`)
    return here.name
  }, '')
  return migrations
}

async function findPending(
  client: pg.Client,
  migrations: Migration[],
): Promise<{ isNew: boolean; pending: Migration[] }> {
  await client.query(MIGRATION_TABLE)
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from migration order by name',
  )
  const ran = new Map(rows.map(({ name, sha256 }) => [name, sha256]))
  const changed = migrations.find(({ name, sha256 }) => ran.has(name) && ran.get(name) !== sha256)
  if (changed)
    throw new StartupError(`migration ${changed.name} was changed after it ran: put it back and write a new one`)
  const pending = migrations.filter(({ name }) => !ran.has(name))
  refuseOtherVersions(rows, migrations, pending)
  return { isNew: rows.length === 0, pending }
}

/**
 * During a roll-out the next version has migrated while this one still serves, and restarts here and there. Its steps
 * leave this version working (server/migrations/README.md), unless the name of one says that only later versions do.
 */
export function refuseOtherVersions(
  ran: readonly Named[],
  migrations: readonly Migration[],
  pending: readonly Migration[],
  version = BUILD_INFO.version,
): void {
  if (isOf0x(ran, migrations)) throw new StartupError(`this database ${ABOUT_0X}`)
  const known = new Set(migrations.map(({ name }) => name))
  const newer = ran.filter(({ name }) => !known.has(name))
  const needed = newer.map(({ name }) => CONTRACT.exec(name)?.[1]).filter((one) => one !== undefined)
  const oldest = needed.sort(compareVersions).at(-1)
  if (oldest !== undefined && compareVersions(version, oldest) < 0)
    throw new StartupError(
      `this database needs version ${oldest} of the portal or a later one, and this is version ${version}: a newer portal has migrated it`,
    )
  if (newer[0] && pending.length > 0)
    throw new StartupError(
      `a newer portal has migrated this database (${newer[0].name}): install that version or a later one`,
    )
}

const compareVersions = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })

type Named = { readonly name: string }
/** The steps of 0.x began otherwise. */
export const isOf0x = (ran: readonly Named[], [first]: readonly Named[]): boolean =>
  first !== undefined && ran.length > 0 && !ran.some(({ name }) => name === first.name)

/** The previous version may still serve: where its transactions are in the way, the step is run again. */
async function runStep(client: pg.Client, migration: Migration): Promise<void> {
  for (const pause of [...RETRY_AFTER, undefined])
    try {
      return await runInTransaction(client, () => sendStep(client, migration))
    } catch (error) {
      if (!isInTheWay(error)) throw error
      if (pause === undefined)
        throw new Error(
          `the portal's transactions kept it from locking its tables, ${RETRY_AFTER.length + 1} times. Nothing was changed: run it again, in a quieter minute or with the portal stopped`,
          { cause: error },
        )
      await sleep(pause)
    }
}

/** One statement at a time: Citus refuses several in one query, on tables that are distributed. */
async function sendStep(client: pg.Client, migration: Migration): Promise<void> {
  const statements = splitStatements(stepOf(migration))
  await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
  await lockTables(client, statements)
  for (const statement of statements) await client.query(statement)
}

const isInTheWay = (error: unknown) =>
  (error as pg.DatabaseError).code === LOCK_TIMED_OUT || isTransactionConflict(error)

async function runInTransaction(client: pg.Client, work: () => Promise<unknown>): Promise<void> {
  try {
    await client.query('begin')
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const startupError = (what: string) => (error: Error) => {
  throw new StartupError(`${what} failed: ${error.message}`, { cause: error })
}

export async function ensureDatabase(connection: pg.ClientConfig, name: string): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`)
  } catch (error) {
    // Another process created the database between the check and the statement.
    const { code } = error as pg.DatabaseError
    if (code !== DUPLICATE_DATABASE && code !== UNIQUE_VIOLATION) throw error
  } finally {
    await client.end()
  }
}
