import { setTimeout as sleep } from 'node:timers/promises'
import { onDatabase, openDatabase, type Pool } from '#server/db/database.ts'
import { isConnectionLost } from '#server/db/database-errors.ts'

/** Milliseconds between two looks at the database, and how long one may take. */
const LOOK_INTERVAL = 1_000
const LOOK_TIMEOUT = 2_000
/** Milliseconds in which calls that have waited for a connection still report an outage that is over. */
const AFTERMATH = 15_000

type Log = { error(facts: object, line: string): void; info(facts: object, line: string): void }

export type OutageLog = {
  /**
   * Whether the line of this error is not to be written now: the error says that the database is away. An outage gets one
   * line when it begins and one when it ends. `write` is called later if there is none: a single connection was lost.
   */
  hides(error: unknown, write: () => void): boolean
  close(): void
}

/** Writes the outage of a database once, instead of an error for each request and each loop that notices it. */
export function outageLog(pool: Pool, log: () => Log): OutageLog {
  const ending = new AbortController()
  let looking: Promise<string | undefined> | undefined
  let begunAt: number | undefined
  let endedAt = Number.NEGATIVE_INFINITY
  let hidden = 0

  const look = () => {
    looking ??= findFault(pool).finally(() => {
      looking = undefined
    })
    return looking
  }

  async function check(write: () => void): Promise<void> {
    const reason = await look()
    if (reason === undefined && begunAt === undefined && performance.now() - endedAt > AFTERMATH) return write()
    hidden += 1
    if (reason !== undefined && begunAt === undefined) await follow(reason)
  }

  async function follow(reason: string): Promise<void> {
    begunAt = performance.now()
    log().error({ reason }, 'the database does not answer')
    do {
      await sleep(LOOK_INTERVAL, undefined, { signal: ending.signal, ref: false }).catch(() => {})
      if (ending.signal.aborted) return
    } while ((await look()) !== undefined)
    endedAt = performance.now()
    const seconds = Math.round((endedAt - begunAt) / 1000)
    log().info({ seconds, errors: hidden }, 'the database answers again')
    begunAt = undefined
    hidden = 0
  }

  return {
    hides(error, write) {
      if (ending.signal.aborted || !isConnectionLost(error)) return false
      if (begunAt === undefined) void check(write)
      else hidden += 1
      return true
    },
    close: () => ending.abort(),
  }
}

/** Over a connection of its own: those of the pools may all be waiting. Undefined if the database answers. */
async function findFault(pool: Pool): Promise<string | undefined> {
  const timeouts = { connectionTimeoutMillis: LOOK_TIMEOUT, statement_timeout: LOOK_TIMEOUT }
  const { pool: own } = openDatabase({ ...onDatabase(pool), ...timeouts, max: 1 })
  try {
    await own.query('select 1')
    return undefined
  } catch (error) {
    const { message, code, errors = [] } = error as Error & { code?: string; errors?: readonly Error[] }
    return message || errors[0]?.message || code || 'unknown'
  } finally {
    void own.end()
  }
}
