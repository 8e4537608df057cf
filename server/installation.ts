import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Config, ConfigError } from '#server/config.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { ensureDatabase, type Migrated, migrate } from '#server/db/migrate.ts'
import { connectOrStartEmbedded, type Embedded, startEmbedded } from '#server/embedded/supervisor.ts'

/** An opened database, embedded or external, and migrated unless `keepsVersion` is set. */
export type Installation = Database & {
  readonly embedded: Embedded | undefined
  readonly migrated: Migrated
  close(): Promise<void>
}

const DATABASE = 'portal'
const AS_IT_WAS: Migrated = { isNew: false, steps: [] }
/** Milliseconds for the last statements when the portal closes: their requests have already ended. */
const PATIENCE = 2_000

type Options = {
  log(line: string): void
  /** The command line works alongside a running portal; a second portal is refused. */
  sharesDatabase?: boolean
  /** Opens the database without migrating it. */
  keepsVersion?: boolean | undefined
}

export async function openInstallation(
  config: Config,
  { log, sharesDatabase = false, keepsVersion = false }: Options,
): Promise<Installation> {
  if (config.databaseUrl) {
    const connection = { connectionString: config.databaseUrl }
    const migrated = await (keepsVersion ? reach(connection) : migrate(connection)).catch((error: unknown) => {
      throw databaseError(error)
    })
    const database = openDatabase(connection)
    return { ...database, embedded: undefined, migrated, close: () => closeSoon(database) }
  }
  const embedded = await (sharesDatabase ? connectOrStartEmbedded : startEmbedded)(config.dataDir, log)
  try {
    await ensureDatabase(embedded.connection, DATABASE)
    const connection = { ...embedded.connection, database: DATABASE }
    const migrated = keepsVersion ? AS_IT_WAS : await migrate(connection)
    const database = openDatabase(connection)
    const close = async () => {
      await closeSoon(database)
      await embedded.stop()
    }
    return { ...database, embedded, migrated, close }
  } catch (error) {
    await embedded.stop()
    throw error
  }
}

/** Without a migration, this query tests the connection. */
async function reach(connection: { connectionString: string }): Promise<Migrated> {
  const { db } = openDatabase({ ...connection, max: 1 })
  try {
    await sql`select`.execute(db)
    return AS_IT_WAS
  } finally {
    await db.destroy()
  }
}

async function closeSoon({ db }: Database): Promise<void> {
  await Promise.race([db.destroy(), sleep(PATIENCE, undefined, { ref: false })])
}

/** Checks settings that depend on the machine, before anything is created or changed: each error names its setting. */
export async function refuseUnusable(config: Config): Promise<void> {
  ensureDirectory(config.dataDir)
  await tryToListen(config)
}

/** One directory at a time: below /proc, a recursive mkdir never returns. */
function ensureDirectory(directory: string): void {
  try {
    if (fs.statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return
    if (path.dirname(directory) !== directory) ensureDirectory(path.dirname(directory))
    fs.mkdirSync(directory)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const { code } = error as NodeJS.ErrnoException
    // Another start may have created it at the same time.
    if (code === 'EEXIST' && fs.statSync(directory).isDirectory()) return
    throw new ConfigError(`DATA_DIR cannot be used: ${directory} is not a directory and cannot be created (${code})`)
  }
}

async function tryToListen({ port, host }: Config): Promise<void> {
  const probe = net.createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error) => reject(listenError(error, { port, host })))
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}

export function listenError(error: unknown, { port, host }: Pick<Config, 'port' | 'host'>): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new ConfigError(`PORT ${port} is in use by another program`)
    case 'EACCES':
      return new ConfigError(`This user is not allowed to use PORT ${port}`)
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
      return new ConfigError(`HOST ${host} is not an address of this machine`)
    default:
      return error
  }
}

/** Why an external database cannot be used. The message leaves out its address, which may hold a password. */
function databaseError(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  const isUnreachable = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOENT'].includes(code)
  // Classes of PostgreSQL: refused connections and credentials, and a database that is not there.
  const isRefused = /^(?:08|28)...$/.test(code) || code === '3D000'
  return isUnreachable || isRefused ? new ConfigError(`DATABASE_URL cannot be used: ${message || code}`) : error
}
