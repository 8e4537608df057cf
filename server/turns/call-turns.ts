import type { ServerResponse } from 'node:http'
import { Kysely, PostgresDialect } from 'kysely'
import type { Pool, Pools } from '#server/db/database.ts'
import type { DB } from '#server/db/schema.ts'
import { CallerGoneError, TooManyCallsError } from '#server/http/http-error.ts'
import { type EndTurn, turns } from '#server/turns/turns.ts'

/** Far more than a screen sends at once: a person may have dozens of tabs restored. */
const LIMITS = { atOnce: 4, waiting: 60, patience: 30_000 }
/**
 * Parsing a long filter blocks the event loop for milliseconds. Long filters of one caller run one at a time, with a
 * pause after each, in milliseconds per kilobyte.
 */
const LONG_FILTER = { kilobytes: 8, rest: 10 }
/** A download holds memory for as long as its reader takes. */
const MAX_DOWNLOADS = 4

/** Waits for a turn of the same caller and runs one piece of work in it. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

export type CallInTurn = {
  /** The person or service key, by name. */
  readonly caller: string
  readonly answer: ServerResponse
  readonly isDownload: boolean
  /** Length of its filter; 0 if it has none. */
  readonly filterKilobytes: number
  /** The replica's connections, if the call reads there. */
  readonly replica?: Connections | undefined
}

/** `access` cancels statements of `reads`. */
type Connections = Pick<Pools, 'reads' | 'access'>

export type CallTurns = {
  /**
   * Runs a reading call in turn with the other calls of its caller, on a separate pool with a short statement timeout.
   * If the caller disconnects, its statement is canceled. `later` is for reads after the answer has begun.
   */
  run<T>(call: CallInTurn, work: (db: Kysely<DB>, later: InTurn) => Promise<T>): Promise<T>
  /** Waits for a turn that lasts until the answer is sent, or until the caller disconnects. */
  hold(call: Pick<CallInTurn, 'caller' | 'answer'>): Promise<void>
}

export function callTurns(primary: Connections): CallTurns {
  const { begin, resume } = turns(LIMITS)
  const longFilters = turns({ ...LIMITS, atOnce: 1 })
  const downloads = new Map<string, number>()

  function beginDownload(caller: string, answer: ServerResponse): void {
    const open = downloads.get(caller) ?? 0
    if (open >= MAX_DOWNLOADS)
      throw new TooManyCallsError(
        `${MAX_DOWNLOADS} of your downloads are still running. Wait until one of them is done.`,
      )
    downloads.set(caller, open + 1)
    answer.once('close', () => {
      const left = (downloads.get(caller) ?? 1) - 1
      if (left > 0) downloads.set(caller, left)
      else downloads.delete(caller)
    })
  }

  return {
    async hold({ caller, answer }) {
      if (answer.closed) throw new CallerGoneError()
      const closed = new AbortController()
      answer.once('close', () => closed.abort())
      const end = await begin(caller, closed.signal)
      if (closed.signal.aborted) end()
      else closed.signal.addEventListener('abort', end)
    },
    async run({ caller, answer, isDownload, filterKilobytes, replica }, work) {
      if (answer.closed) throw new CallerGoneError()
      const closed = new AbortController()
      const gone = closed.signal
      const leave = () => closed.abort()
      answer.once('close', leave)
      if (isDownload) beginDownload(caller, answer)
      const later: InTurn = async (piece) => {
        const end = await resume(caller, gone)
        return piece().finally(end)
      }
      const ends: EndTurn[] = []
      try {
        if (filterKilobytes > LONG_FILTER.kilobytes) {
          const end = await longFilters.begin(caller, gone)
          ends.push(() => void setTimeout(end, filterKilobytes * LONG_FILTER.rest).unref())
        }
        ends.push(await begin(caller, gone))
        const { reads, access } = replica ?? primary
        return await work(cancelable(reads.pool, access.pool, gone), later)
      } finally {
        for (const end of ends) end()
        // Every answer closes in the end. Only a download continues reading after this.
        if (!isDownload) answer.off('close', leave)
      }
    },
  }
}

/**
 * A database for one call: if the caller disconnects, its running statement is canceled. A person who types while a
 * list is loading leaves one such statement behind with every key.
 */
function cancelable(pool: Pool, control: Pool, gone: AbortSignal): Kysely<DB> {
  const connect = async () => {
    if (gone.aborted) throw new CallerGoneError()
    const client = await pool.connect()
    const { processID } = client as typeof client & { processID: number }
    let canceling: Promise<unknown> = Promise.resolve()
    const cancel = () => {
      canceling = control.query('select pg_cancel_backend($1::int)', [processID]).catch(() => {})
    }
    gone.addEventListener('abort', cancel)
    return {
      query: client.query.bind(client) as never,
      release(error?: Error | boolean) {
        gone.removeEventListener('abort', cancel)
        // The next user of the connection must not be hit by a cancellation that is still under way.
        void canceling.then(() => client.release(error))
      },
    }
  }
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool: { connect, end: async () => {} } as never }) })
}
