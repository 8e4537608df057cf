import { Kysely, PostgresDialect } from 'kysely'
import type { Pool } from '#server/db/database.ts'
import type { DB } from '#server/db/schema.ts'
import { CallerGoneError } from '#server/http/http-error.ts'

/**
 * A database for one call: should the caller go away, the statement that still runs for them is canceled. Somebody who
 * types on while a list is loading leaves one such statement behind with every key.
 */
export function cancelable(pool: Pool, control: Pool, gone: AbortSignal): Kysely<DB> {
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
