import { type Kysely, sql, type Transaction } from 'kysely'
import {
  type BackupEnd,
  BackupError,
  type BackupHeader,
  type BackupTable,
  damaged,
} from '#server/backup/backup-format.ts'
import { checkBackup, readBackup } from '#server/backup/backup-reader.ts'
import { copyStatement } from '#server/backup/copy-statement.ts'
import {
  createPartition,
  databaseName,
  dropEverything,
  emptyTables,
  listFilledTables,
  listOtherSessions,
  listTables,
  resumeChecks,
  setSequence,
  suspendChecks,
} from '#server/backup/schema.queries.ts'
import type { Progress } from '#server/backup/write-backup.ts'
import { CopyIn } from '#server/db/copy-stream.ts'
import {
  ABOUT_0X,
  isOf0x,
  MIGRATION_LOCK,
  MIGRATION_TABLE,
  type Migration,
  newSchema,
  readMigrations,
  stepOf,
} from '#server/db/migrate.ts'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'

type Options = {
  readonly passphrase: string | undefined
  /** The name of the database whose content may be lost. */
  readonly replace: string | undefined
  readonly progress: Progress
  /** Runs last in the transaction. */
  finally(tx: Transaction<DB>, header: BackupHeader): Promise<void>
}
type Restored = BackupEnd & { readonly header: BackupHeader; readonly migrated: string[] }

/**
 * Verifies the whole file first. Then, in one transaction, creates the tables as they were when the backup was taken,
 * fills them and migrates them to this version.
 */
export async function restoreBackup(db: Kysely<DB>, file: string, options: Options): Promise<Restored> {
  options.progress(0, 1, 'checking the file')
  await checkBackup(file, options.passphrase)
  const restored = await db.transaction().execute(async (tx) => {
    await allowLongWork(tx)
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(tx)
    await refuseOthers(tx)
    await refuseFilled(tx, options.replace)
    return load(tx, file, options)
  })
  await db.transaction().execute(async (tx) => {
    await allowLongWork(tx)
    await sql`analyze`.execute(tx)
  })
  return restored
}

async function load(tx: Transaction<DB>, file: string, options: Options): Promise<Restored> {
  const migrations = readMigrations()
  let tables: readonly BackupTable[] = []
  let suspended: Awaited<ReturnType<typeof suspendChecks>> = []
  let done = 0
  const read = await readBackup(file, options.passphrase, {
    async header(header) {
      refuseNewer(header, migrations)
      await dropEverything(tx)
      await sql.raw(MIGRATION_TABLE).execute(tx)
      const ran = migrations.filter((one) => header.migrations.some(({ name }) => name === one.name))
      const isOfThisVersion = ran.length === migrations.length
      await sql.raw(isOfThisVersion ? newSchema(migrations) : ran.map(stepOf).join('\n')).execute(tx)
      tables = header.tables
      await makeReady(tx, tables)
      suspended = await suspendChecks(tx)
      await emptyTables(tx, await listTables(tx))
    },
    async table(name, bytes) {
      options.progress(done++, tables.length, name)
      const table = tables.find((one) => one.name === name)
      if (!table) throw damaged(`it does not announce its table ${name}`)
      const copied = new CopyIn(bytes)
      await tx.executeQuery(copyStatement(tx, table, 'from stdin', copied))
      return copied.rows
    },
    async sequences(sequences) {
      for (const sequence of sequences) await setSequence(tx, sequence)
    },
  })
  options.progress(done, tables.length, 'checking what belongs together')
  await resumeChecks(tx, suspended)
  const ran = new Set(read.header.migrations.map(({ name }) => name))
  const missing = migrations.filter(({ name }) => !ran.has(name))
  for (const migration of missing) await sql.raw(stepOf(migration)).execute(tx)
  await options.finally(tx, read.header)
  return { ...read, migrated: missing.map(({ name }) => name) }
}

/** Creates the missing partitions and compares the columns, so that no row is loaded into a table that does not fit. */
async function makeReady(tx: Transaction<DB>, wanted: readonly BackupTable[]): Promise<void> {
  const before = new Set((await listTables(tx)).map(({ name }) => name))
  for (const table of wanted) if (table.partition && !before.has(table.name)) await createPartition(tx, table)
  const present = new Map((await listTables(tx)).map((table) => [table.name, table]))
  for (const { name, columns, partition } of wanted) {
    const found = present.get(name)
    const absent = columns.filter((column) => !found?.columns.includes(column))
    if (!found || absent.length > 0 || found.partition?.bounds !== partition?.bounds)
      throw new BackupError(
        `The backup holds ${name} (${absent.join(', ') || 'other bounds'}), which the migrations of that version do not make`,
      )
  }
}

function refuseNewer({ migrations, portalVersion }: BackupHeader, known: readonly Migration[]): void {
  if (isOf0x(migrations, known)) throw new BackupError(`This backup ${ABOUT_0X}`)
  const hashes = new Map(known.map(({ name, sha256 }) => [name, sha256]))
  const unknown = migrations.find(({ name }) => !hashes.has(name))
  if (unknown)
    throw new BackupError(
      `A newer portal made this backup (version ${portalVersion}, migration ${unknown.name}): restore it with that version or a later one`,
    )
  const changed = migrations.find(({ name, sha256 }) => hashes.get(name) !== sha256)
  if (changed) throw new BackupError(`The migration ${changed.name} is not the one that this backup was made with`)
}

async function refuseOthers(tx: Transaction<DB>): Promise<void> {
  const others = await listOtherSessions(tx)
  if (others.length > 0)
    throw new BackupError(`Stop the portal first: the database is in use by ${others.join(', ')}. Nothing was changed.`)
}

async function refuseFilled(tx: Transaction<DB>, replace: string | undefined): Promise<void> {
  const name = await databaseName(tx)
  if (replace !== undefined && replace !== name)
    throw new BackupError(`The database is called "${name}", not "${replace}". Nothing was changed.`)
  const filled = replace === undefined ? await listFilledTables(tx) : []
  if (filled.length === 0) return
  const some = filled.slice(0, 3).join(', ') + (filled.length > 3 ? ` and ${filled.length - 3} more tables` : '')
  throw new BackupError(
    `The database "${name}" is not empty: it has rows in ${some}. Nothing was changed. ` +
      `To delete all of it and put the backup in its place, add --replace ${name}`,
  )
}
