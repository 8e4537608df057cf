import type { ServerResponse } from 'node:http'
import { Kysely, PostgresDialect } from 'kysely'
import type { Pool, Pools } from '#server/db/database.ts'
import { isStatementTimeout } from '#server/db/database-errors.ts'
import type { DB } from '#server/db/schema.ts'
import { CallerGoneError, TooManyCallsError } from '#server/http/http-error.ts'
import { listTimeout } from '#server/lists/list-limits.ts'
import { type EndTurn, turns } from '#server/lists/turns.ts'

/** Far more than a screen sends at once: a person may have dozens of tabs restored. */
const LIMITS = { atOnce: 4, waiting: 60, patience: 30_000 }
/**
 * Reading a long filter keeps the whole process busy, for milliseconds. One person's long filters come one at a time, with
 * a rest after each: in milliseconds for a kilobyte.
 */
const LONG_FILTER = { kilobytes: 8, rest: 10 }
/** A download holds memory for as long as its reader takes. */
const MAX_DOWNLOADS = 4

/** Waits for a turn of the same person and runs one piece of work in it. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

export type ListCall = {
  readonly email: string
  readonly answer: ServerResponse
  readonly isDownload: boolean
  /** Length of its body. */
  readonly kilobytes: number
}

export type ListCalls = {
  /**
   * Runs a call whose cost is up to its filter: in turn, on connections of its own, and not for long. `later` is for what
   * it reads after it has begun to answer.
   */
  run<T>(call: ListCall, work: (db: Kysely<DB>, later: InTurn) => Promise<T>): Promise<T>
}

export function listCalls({ lists, access }: Pick<Pools, 'lists' | 'access'>): ListCalls {
  const { begin, resume } = turns(LIMITS)
  const longFilters = turns({ ...LIMITS, atOnce: 1 })
  const downloads = new Map<string, number>()

  function beginDownload(email: string, answer: ServerResponse): void {
    const open = downloads.get(email) ?? 0
    if (open >= MAX_DOWNLOADS)
      throw new TooManyCallsError(
        `${MAX_DOWNLOADS} of your downloads are still running. Wait until one of them is done.`,
      )
    downloads.set(email, open + 1)
    answer.once('close', () => {
      const left = (downloads.get(email) ?? 1) - 1
      if (left > 0) downloads.set(email, left)
      else downloads.delete(email)
    })
  }

  return {
    async run({ email, answer, isDownload, kilobytes }, work) {
      if (answer.closed) throw new CallerGoneError()
      const closed = new AbortController()
      const gone = closed.signal
      const leave = () => closed.abort()
      answer.once('close', leave)
      if (isDownload) beginDownload(email, answer)
      const later: InTurn = async (piece) => {
        const end = await resume(email, gone)
        return piece().finally(end)
      }
      const ends: EndTurn[] = []
      try {
        if (kilobytes > LONG_FILTER.kilobytes) {
          const end = await longFilters.begin(email, gone)
          ends.push(() => void setTimeout(end, kilobytes * LONG_FILTER.rest).unref())
        }
        ends.push(await begin(email, gone))
        return await work(cancelable(lists.pool, access.pool, gone), later)
      } catch (error) {
        throw isStatementTimeout(error) ? listTimeout() : error
      } finally {
        for (const end of ends) end()
        // Every answer closes in the end. Only a download goes on reading after this.
        if (!isDownload) answer.off('close', leave)
      }
    },
  }
}

/**
 * A database for one call: should the caller go away, the statement that still runs for them is canceled. Somebody who
 * types on while a list is loading leaves one such statement behind with every key.
 */
function cancelable(pool: Pool, control: Pool, gone: AbortSignal): Kysely<DB> {
  const connect = async () => {
    if (gone.aborted) throw new CallerGoneError()
    const client = await pool.connect()
    const { processID } = client as typeof client & { processID: number }
    let canceling: Promise<unknown> = Promise.resolve()
    const cancel = () => {
      canceling = control.query('select pg_cancel_backend($1)', [processID]).catch(() => {})
    }
    gone.addEventListener('abort', cancel)
    return {
      query: client.query.bind(client) as never,
      release(error?: Error | boolean) {
        gone.removeEventListener('abort', cancel)
        // Whoever has the connection next must not be hit by a cancellation that is still under way.
        void canceling.then(() => client.release(error))
      },
    }
  }
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool: { connect, end: async () => {} } as never }) })
}
