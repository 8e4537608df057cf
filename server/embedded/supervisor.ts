import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Cluster, type ConnectionSettings, prepareCluster } from '#server/embedded/cluster.ts'
import { isAlmostFull } from '#server/embedded/disk-space.ts'
import {
  lastComplaint,
  launchPostmaster,
  postmasterPid,
  removeStalePidFile,
  stopPostmaster,
} from '#server/embedded/postmaster.ts'
import { StartupError } from '#server/embedded/startup-error.ts'

export { StartupError }

type Log = (line: string) => void

export type Embedded = {
  readonly connection: ConnectionSettings
  /** The server was already running: a portal that was killed had left it behind, or another one is using it. */
  readonly adopted: boolean
  readonly where: string
  /** The data lies outside the data directory, because user postgres cannot walk there. */
  readonly relocated: boolean
  restarts(): number
  stop(): Promise<void>
}

const TIMEOUT = 60_000
/** The lock of a killed portal is freed as soon as its server session notices, which may be after the next start. */
const LOCK_GRACE = 2_000
const BETWEEN_LAUNCHES = 1_000
const BETWEEN_ATTEMPTS = 50
/**
 * A portal that ends because its database is gone says why; only one that keeps running says that it restarts the
 * database.
 */
const BEFORE_SAYING = 1_000
const NO_SPACE = 'PostgreSQL did not start: No space left on device'

/** Starts the database of this data directory, or takes over the one that a killed portal left running. */
export function startEmbedded(dataDir: string, log: Log, processes = 1): Promise<Embedded> {
  return open(dataDir, log, 'refuse', processes)
}

/** For the operator's command line: works while the portal runs, and starts the database if it does not. */
export function connectOrStartEmbedded(dataDir: string, log: Log, processes = 1): Promise<Embedded> {
  return open(dataDir, log, 'share', processes)
}

async function open(dataDir: string, log: Log, whenHeld: 'refuse' | 'share', processes = 1): Promise<Embedded> {
  const cluster = await prepareCluster(dataDir, log)
  const supervisor = new Supervisor(cluster, log, processes)
  const adopted = await supervisor.start(whenHeld)
  return {
    connection: cluster.connection,
    adopted,
    where: cluster.home,
    relocated: cluster.relocated,
    restarts: () => supervisor.restarts,
    stop: () => supervisor.stop(),
  }
}

class Supervisor {
  restarts = 0
  readonly #cluster: Cluster
  readonly #log: Log
  readonly #processes: number
  #lock: pg.Client | undefined
  #child: ChildProcess | undefined
  #stopping: Promise<void> | undefined
  #comingBack: Promise<void> | undefined

  constructor(cluster: Cluster, log: Log, processes: number) {
    this.#cluster = cluster
    this.#log = log
    this.#processes = processes
  }

  async start(whenHeld: 'refuse' | 'share'): Promise<boolean> {
    try {
      await this.#bringUp(whenHeld)
    } catch (error) {
      await this.stop()
      throw error
    }
    return this.#child === undefined
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#shutDown()
    return this.#stopping
  }

  async #shutDown(): Promise<void> {
    await this.#comingBack
    // Another process started this server and is using it.
    const pid = this.#child?.pid ?? (this.#lock && postmasterPid(this.#cluster.home))
    if (pid) await stopPostmaster(pid, this.#log)
    await this.#lock?.end().catch(() => {})
  }

  /**
   * Connect, or start and connect, until one session of ours holds the portal's lock. There is no pid file of our own
   * and so nothing to clean up after a crash: a server that answers is used, one that does not is started.
   */
  async #bringUp(whenHeld: 'refuse' | 'share'): Promise<void> {
    const { connection, dataDir, home, logFile, passwordFile } = this.#cluster
    const begun = Date.now()
    let lastSign = begun
    let launched = 0
    while (!this.#stopping) {
      const attempt = await tryPortalLock(connection)
      const now = Date.now()
      switch (attempt.outcome) {
        case 'ours':
          return this.#keep(attempt.session)
        case 'held by another portal':
          if (whenHeld === 'share') return
          if (now - begun > LOCK_GRACE) throw new StartupError(`another portal is using ${dataDir}`)
          break
        case 'wrong password':
          throw new StartupError(`the password in ${passwordFile} does not open the database`)
        case 'server not ready':
          // Recovery after a crash may take any time, unless there is no space for it.
          if (this.restarts === 0 && launched > 0 && isAlmostFull(home)) throw new Error(NO_SPACE)
          lastSign = now
          break
        case 'no server':
          // PostgreSQL's log is on the same disk, so the server may be unable to report a full disk. A running portal
          // waits for space.
          if (this.restarts === 0 && launched > 0 && !this.#child && isAlmostFull(home)) throw new Error(NO_SPACE)
          if (now - lastSign > TIMEOUT) {
            throw new Error(`PostgreSQL did not start, see ${logFile}: ${lastComplaint(logFile)}`)
          }
          if (!this.#child && now - launched > BETWEEN_LAUNCHES) {
            launched = now
            this.#launch()
          }
      }
      await sleep(BETWEEN_ATTEMPTS)
    }
  }

  #launch(): void {
    removeStalePidFile(this.#cluster.home, this.#log)
    const child = launchPostmaster(this.#cluster, { processes: this.#processes })
    this.#child = child
    child.once('error', (error) => {
      this.#log(`PostgreSQL could not be run: ${error.message}`)
      this.#child = undefined
    })
    child.once('exit', () => {
      this.#child = undefined
    })
  }

  #keep(session: pg.Client): void {
    this.#lock = session
    session.once('end', () => {
      this.#lock = undefined
      if (!this.#stopping) this.#comingBack = this.#comeBack()
    })
  }

  /** The lock's session ends when any server dies, including one that is not a child of this process. */
  async #comeBack(): Promise<void> {
    this.restarts++
    const restart = this.restarts
    let isSaid = false
    const say = () => {
      if (!isSaid && !this.#stopping) this.#log(`PostgreSQL went away: bringing it back (${restart})`)
      isSaid = true
    }
    setTimeout(say, BEFORE_SAYING).unref()
    while (!this.#stopping) {
      try {
        await this.#bringUp('refuse')
        say()
        if (this.#lock) this.#log('PostgreSQL is back')
        return
      } catch (error) {
        say()
        this.#log((error as Error).message)
        if (error instanceof StartupError) {
          // Another portal took the database in between. Two must not run on one directory: stop as on any other stop.
          process.kill(process.pid, 'SIGTERM')
          return
        }
      }
    }
  }
}

/** Held by one session of the portal that owns the database: it is released when the process ends in any way. */
const PORTAL_LOCK = 7_301_001

type LockAttempt =
  | { readonly outcome: 'ours'; readonly session: pg.Client }
  | { readonly outcome: 'held by another portal' }
  | { readonly outcome: 'server not ready' }
  | { readonly outcome: 'wrong password' }
  | { readonly outcome: 'no server'; readonly error: Error }

async function tryPortalLock(connection: ConnectionSettings): Promise<LockAttempt> {
  const session = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000, application_name: 'portal lock' })
  // A lost connection without an error listener would end the process; the supervisor hears of it through `end`.
  session.on('error', () => {})
  try {
    await session.connect()
    const { rows } = await session.query('select pg_try_advisory_lock($1) as mine', [PORTAL_LOCK])
    if (rows[0].mine) return { outcome: 'ours', session }
    await session.end()
    return { outcome: 'held by another portal' }
  } catch (error) {
    await session.end().catch(() => {})
    return outcomeOf(error as pg.DatabaseError)
  }
}

function outcomeOf(error: pg.DatabaseError): LockAttempt {
  if (error.code === '28P01' || error.code === '28000') return { outcome: 'wrong password' }
  // Starting up, shutting down, recovering, or out of connections: a server is running, so do not start another.
  if (error.code === '57P03' || error.code === '53300') return { outcome: 'server not ready' }
  return { outcome: 'no server', error }
}
