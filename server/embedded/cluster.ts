import { execFile } from 'node:child_process'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Binaries, findBinaries } from '#server/embedded/binaries.ts'
import { type ClusterLocation, createDurably, locateCluster, syncDirectory } from '#server/embedded/location.ts'
import { isRunning } from '#server/embedded/process-state.ts'
import { giveTo, type ServerUser } from '#server/embedded/server-user.ts'
import { StartupError } from '#server/embedded/startup-error.ts'

export type ConnectionSettings = { host: string; port: number; user: string; password: string; database: string }

/** An initialized database cluster, running or not, and all that is needed to run it. */
export type Cluster = ClusterLocation & {
  readonly dataDir: string
  readonly logFile: string
  readonly passwordFile: string
  readonly connection: ConnectionSettings
  readonly binaries: Binaries
}

const OWNER = 'portal'
/** The role of the running portal: it owns nothing. */
export const PORTAL_ROLE = 'portal_runtime'

/** Connects to the database as the portal's role. The role's password follows from the owner's, so that there is one file to keep. */
export function asPortalRole(owner: ConnectionSettings): ConnectionSettings {
  const password = createHmac('sha256', owner.password).update(PORTAL_ROLE).digest('base64url')
  return { ...owner, user: PORTAL_ROLE, password }
}

/** The only environment variables of PostgreSQL and its tools. */
export const serverEnvironment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }

export async function prepareCluster(directory: string, log: (line: string) => void): Promise<Cluster> {
  if (process.platform === 'win32')
    throw new StartupError('the embedded database needs Linux or macOS: set DATABASE_URL')
  fs.mkdirSync(directory, { recursive: true })
  // One spelling per directory: the name of the socket and PostgreSQL's own lock file depend on it.
  const dataDir = fs.realpathSync(directory)
  const location = locateCluster(dataDir)
  if (location.relocated) log(`The data is kept in ${location.home}, because user postgres cannot enter ${dataDir}`)
  const binaries = findBinaries(location.user, log)

  const passwordFile = path.join(dataDir, 'postgres.password')
  if (!fs.existsSync(path.join(location.home, 'PG_VERSION'))) {
    if (!fs.existsSync(passwordFile)) createDurably(passwordFile, randomBytes(24).toString('base64url'))
    await initialize(location.home, binaries.initdb, readPassword(passwordFile), location.user)
  }
  assertSameMajorVersion(location.home, binaries)
  return {
    ...location,
    dataDir,
    logFile: path.join(dataDir, 'postgres.log'),
    passwordFile,
    connection: {
      host: socketDirectory(location.home),
      port: PORT,
      user: OWNER,
      password: readPassword(passwordFile),
      database: 'postgres',
    },
    binaries,
  }
}

/**
 * Runs initdb in a temporary directory and renames it: half a cluster is never used, and of two first starts one wins.
 */
async function initialize(home: string, initdb: string, password: string, user: ServerUser | undefined) {
  removeLeftovers(home)
  const fresh = `${home}.new-${process.pid}`
  const passwordForInitdb = `${fresh}.password`
  fs.mkdirSync(fresh, { mode: 0o700 })
  fs.writeFileSync(passwordForInitdb, password, { mode: 0o600 })
  giveTo(user, fresh)
  giveTo(user, passwordForInitdb)
  try {
    await promisify(execFile)(
      initdb,
      [
        ...['-D', fresh, '-U', OWNER, `--pwfile=${passwordForInitdb}`, '--auth=scram-sha-256', '--no-instructions'],
        ...['-E', 'UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'],
      ],
      { ...user, cwd: fresh, env: serverEnvironment },
    )
    fs.renameSync(fresh, home)
    syncDirectory(path.dirname(home))
  } catch (error) {
    if (!fs.existsSync(path.join(home, 'PG_VERSION'))) throw new StartupError(`initdb failed: ${complaintOf(error)}`)
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true })
    fs.rmSync(passwordForInitdb, { force: true })
  }
}

function complaintOf(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string }
  return (stderr || message).trim().split('\n').slice(0, 2).join(' ')
}

/** A first start that was killed leaves its temporary directory behind. */
function removeLeftovers(home: string): void {
  const prefix = `${path.basename(home)}.new-`
  for (const name of fs.readdirSync(path.dirname(home))) {
    if (!name.startsWith(prefix)) continue
    const maker = Number.parseInt(name.slice(prefix.length), 10)
    if (maker === process.pid || !isRunning(maker)) {
      fs.rmSync(path.join(path.dirname(home), name), { recursive: true, force: true })
    }
  }
}

function readPassword(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartupError(
      `${file} cannot be read (${code}): it holds the password of the database in the same directory`,
    )
  }
}

function assertSameMajorVersion(home: string, binaries: Binaries): void {
  const made = fs.readFileSync(path.join(home, 'PG_VERSION'), 'utf8').trim()
  if (made === binaries.majorVersion) return
  throw new StartupError(
    `the database in ${home} was made by PostgreSQL ${made}, this portal brings ${binaries.majorVersion}`,
  )
}

/** With a socket the port is only a part of the socket's name. */
const PORT = 5432

/** A socket address holds 107 bytes on Linux and 103 on macOS. */
const MAX_ADDRESS = 103

/** In the data directory if the address fits. PostgreSQL takes a list of directories here and splits it at commas. */
function socketDirectory(home: string): string {
  const address = path.join(home, `.s.PGSQL.${PORT}`)
  if (Buffer.byteLength(address) <= MAX_ADDRESS && !/[,"]/.test(home)) return home
  // Always /tmp, never TMPDIR: a second portal with another environment must find the same socket.
  return `/tmp/licensing-portal-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`
}

/** Anybody may create names in /tmp: the directory is used only if it is ours and closed to others. */
export function prepareSocketDirectory(directory: string, user: ServerUser | undefined): void {
  try {
    fs.mkdirSync(directory, { mode: 0o700 })
    giveTo(user, directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const found = fs.lstatSync(directory)
  const isOurs = found.uid === (user?.uid ?? process.getuid?.())
  if (!found.isDirectory() || !isOurs || (found.mode & 0o077) !== 0) {
    throw new StartupError(`${directory} belongs to somebody else: remove it, or choose a shorter data directory`)
  }
}
