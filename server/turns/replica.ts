import type { Kysely } from 'kysely'
import { closePools, openDatabase, openPools, type Pools } from '#server/db/database.ts'
import type { DB } from '#server/db/schema.ts'
import { answerWithin } from '#server/http/within.ts'
import { poll } from '#server/poll.ts'
import { findReplayed, findWritten, type Position } from '#server/turns/replica.queries.ts'

/** Milliseconds between two looks at the replica, and how long one may take. */
const LOOK_EVERY = 1_000
const TIMEOUT = 2_000

export type Replica = {
  /** Connections to the replica, if it has everything before this position and is not too far behind. */
  lend(written: Position | undefined): Promise<Pools | undefined>
  /** Reads nothing from the replica until it answers again. */
  avoid(error: unknown): void
  readonly pools: Pools
  /** For long reads. */
  readonly db: Kysely<DB>
  /** In seconds; undefined while the replica does not answer. */
  lag(): number | undefined
  close(): Promise<void>
}

type Options = {
  readonly url: string
  readonly primary: Pools['access']
  /** A replica that is further behind is not read. */
  readonly maxLagSeconds: number
  readonly log: { warn(line: string): void; info(line: string): void }
}

/** Follows a streaming replica of the database, and lends its connections while it can stand in for the primary. */
export async function followReplica({ url, primary, maxLagSeconds, log }: Options): Promise<Replica> {
  const main = openDatabase({ connectionString: url })
  const pools = openPools(main.pool)
  const lag = new ReplicaLag()
  let replayed: Position = 0n
  /** Why the replica is not read; undefined while it is. */
  let reason: string | undefined
  let isAnswering = false

  async function look(): Promise<void> {
    const at = performance.now()
    const [{ written, system }, state] = await answerWithin(
      Promise.all([findWritten(primary.db), findReplayed(pools.access.db)]),
      TIMEOUT,
    )
    if (state.system !== system) return use('it is not a replica of DATABASE_URL')
    if (state.replayed === null) return use('it is not a replica any more')
    replayed = state.replayed
    isAnswering = true
    lag.note({ at, written, replayed })
    const seconds = lag.seconds(at)
    use(seconds > maxLagSeconds ? `it is ${Math.round(seconds)} seconds behind` : undefined)
  }

  function failed(error: unknown): void {
    isAnswering = false
    use(`it does not answer (${(error as Error).message})`)
  }

  function use(why: string | undefined): void {
    if (why !== undefined && reason === undefined) log.warn(`The replica is not read: ${why}`)
    if (why === undefined && reason !== undefined) log.info('The replica is read again')
    reason = why
  }

  const loop = poll({ interval: LOOK_EVERY, round: look, failed })
  await loop.start()

  return {
    db: main.db,
    pools,
    async lend(written = 0n) {
      if (reason !== undefined) return undefined
      if (written <= replayed) return pools
      // Most replicas are milliseconds behind: the last look is older than that.
      const state = await findReplayed(pools.access.db).catch(() => undefined)
      return state?.replayed != null && state.replayed >= written ? pools : undefined
    },
    avoid: (error) => use(`a read failed there (${(error as Error).message})`),
    lag: () => (isAnswering ? lag.seconds() : undefined),
    async close() {
      await loop.stop()
      await closePools(pools)
      await main.db.destroy()
    },
  }
}

type Look = { readonly at: number; readonly written: Position; readonly replayed: Position }

/**
 * How far a replica is behind, in seconds: the age of the oldest position of the primary that it has not replayed. The
 * replica's own figures do not tell: cut off from the primary, it believes that it has everything.
 */
export class ReplicaLag {
  #missing: { readonly at: number; readonly written: Position }[] = []

  /** `at` is in milliseconds. */
  note({ at, written, replayed }: Look): void {
    this.#missing.push({ at, written })
    this.#missing = this.#missing.filter((one) => one.written > replayed)
    // A replica that is gone for days must not fill the memory: every other look is precise enough.
    if (this.#missing.length > 600) this.#missing = this.#missing.filter((_one, index) => index % 2 === 0)
  }

  seconds(now = performance.now()): number {
    const [oldest] = this.#missing
    return oldest ? Math.max(0, now - oldest.at) / 1000 : 0
  }
}
