import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from '#server/config/config-error.ts'
import type { Config } from '#server/config.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { ensureDatabase, type Migrated } from '#server/db/migrate.ts'
import { asPortalRole } from '#server/embedded/cluster.ts'
import { connectOrStartEmbedded, type Embedded, startEmbedded } from '#server/embedded/supervisor.ts'
import { completeDatabase, ensureRole, findRole, prepareDatabase, refuseUnprepared } from '#server/prepare-database.ts'

/** An opened database, embedded or external, and migrated unless `keepsVersion` is set. */
export type Installation = Database & {
  readonly embedded: Embedded | undefined
  readonly migrated: Migrated
  /** Creates what a restore leaves out: the job queue, and the rights of the portal's role. */
  complete(): Promise<void>
  close(): Promise<void>
}

const DATABASE = 'portal'
const AS_IT_WAS: Migrated = { isNew: false, steps: [] }
/** Milliseconds for the last statements when the portal closes: their requests have already ended. */
const TIMEOUT = 2_000

type Options = {
  log(line: string): void
  /** The command line works alongside a running portal; a second portal is refused. */
  sharesDatabase?: boolean
  /** Opens the database without migrating it. */
  keepsVersion?: boolean | undefined
  /** As whom to work: as the portal, or as the owner of the tables. `owner if known` falls back to DATABASE_URL. */
  role?: 'portal' | 'owner' | 'owner if known' | undefined
}

export async function openInstallation(
  config: Config,
  { log, sharesDatabase = false, keepsVersion = false, role = 'portal' }: Options,
): Promise<Installation> {
  if (config.databaseUrl) return openExternal(config.databaseUrl, config, { keepsVersion, role })
  const embedded = await (sharesDatabase ? connectOrStartEmbedded : startEmbedded)(
    config.dataDir,
    log,
    config.processes,
  )
  try {
    await ensureDatabase(embedded.connection, DATABASE)
    const owner = { ...embedded.connection, database: DATABASE }
    const portal = asPortalRole(owner)
    await ensureRole(owner, portal)
    const decided = { portalRole: portal.user, auditRetentionDays: config.auditRetentionDays }
    const migrated = keepsVersion ? AS_IT_WAS : await prepareDatabase(owner, decided)
    const database = openDatabase(role === 'portal' ? portal : owner)
    const close = async () => {
      await closeSoon(database)
      await embedded.stop()
    }
    return { ...database, embedded, migrated, complete: () => completeDatabase(owner, decided), close }
  } catch (error) {
    await embedded.stop()
    throw error
  }
}

async function openExternal(
  portalUrl: string,
  { databaseOwnerUrl: ownerUrl, auditRetentionDays }: Config,
  { keepsVersion, role }: Required<Pick<Options, 'keepsVersion' | 'role'>>,
): Promise<Installation> {
  const portal = { connectionString: portalUrl }
  const owner = ownerUrl === undefined ? undefined : { connectionString: ownerUrl }
  const found = await findRole(portal).catch(databaseError('DATABASE_URL'))
  const granted = owner && (await findRole(owner).catch(databaseError('DATABASE_OWNER_URL'))).name !== found.name
  const decided = { portalRole: granted ? found.name : undefined, auditRetentionDays }
  const isOwner = owner !== undefined || found.isOwner
  if (role === 'owner' && !isOwner)
    throw new ConfigError(
      `The role ${found.name} of DATABASE_URL does not own the tables: set DATABASE_OWNER_URL as well`,
    )
  const prepare = () => (isOwner ? prepareDatabase(owner ?? portal, decided) : refuseUnprepared(portal))
  const migrated = keepsVersion
    ? AS_IT_WAS
    : await prepare().catch(databaseError(owner ? 'DATABASE_OWNER_URL' : 'DATABASE_URL'))
  const database = openDatabase(role === 'portal' ? portal : (owner ?? portal))
  return {
    ...database,
    embedded: undefined,
    migrated,
    complete: () => completeDatabase(owner ?? portal, decided),
    close: () => closeSoon(database),
  }
}

async function closeSoon({ db }: Database): Promise<void> {
  await Promise.race([db.destroy(), sleep(TIMEOUT, undefined, { ref: false })])
}

/** Checks settings that depend on the machine, before anything is created or changed: each error names its setting. */
export async function refuseUnusable(config: Config): Promise<void> {
  ensureDirectory(config.dataDir)
  refuseUnwritableBackups(config.backup)
  await tryToListen(config)
}

/** Found at the start instead of at night. */
function refuseUnwritableBackups({ folder, at, drillAt }: Config['backup']): void {
  if (folder === undefined || (at ?? drillAt) === undefined) return
  try {
    // With the slash, a file is refused.
    fs.accessSync(`${folder}/`, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(
      `BACKUP_DIR ${folder} is not a folder to which the user ${os.userInfo().username} can write (${code})`,
    )
  }
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

/** Says why an external database cannot be used. The message leaves out its address, which may hold a password. */
const databaseError = (setting: string) => (error: unknown) => {
  const { code = '', message } = error as NodeJS.ErrnoException
  const isUnreachable = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOENT'].includes(code)
  // Classes of PostgreSQL: refused connections and credentials, and a database that is not there.
  const isRefused = /^(?:08|28)...$/.test(code) || code === '3D000'
  throw isUnreachable || isRefused ? new ConfigError(`${setting} cannot be used: ${message || code}`) : error
}
