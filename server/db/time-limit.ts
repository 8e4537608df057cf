import { CompiledQuery, type Transaction } from 'kysely'
import type pg from 'pg'
import type { DB } from '#server/db/schema.ts'

/**
 * Grace period in milliseconds: PostgreSQL ends a statement at its limit and reports that within this time, unless it
 * is frozen or gone.
 */
const GRACE = 2_000
const SECOND_LOOK = 1_000
const NO_TRANSACTION = 'I'

/** The connection recognizes this text and lifts its own limit. */
const LIFT_LIMITS =
  "select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)"

/** Removes the time limit until the end of the transaction, for long work or slow readers. */
export async function allowLongWork(tx: Transaction<DB>): Promise<void> {
  await tx.executeQuery(CompiledQuery.raw(LIFT_LIMITS))
}

/** The parts of the driver that its types leave out. */
type Client = pg.Client & {
  readonly connection: { readonly stream: { readonly bytesRead: number; destroy(error: Error): void } }
  readonly connectionParameters: { readonly statement_timeout?: number | string | false }
}

/**
 * A database that is frozen, or behind a network that drops everything, never answers, so its own limits do not help.
 * A connection on which a statement has waited for longer than PostgreSQL would let it run is closed: the statement fails,
 * and the pool opens another connection. The driver's `query_timeout` would go on using this one. The function that it
 * returns is called with every statement before it is sent.
 */
export function limitTime(connection: pg.Client): (statement: unknown) => void {
  const client = connection as Client
  const statementTimeout = Number(client.connectionParameters.statement_timeout) || 0
  if (statementTimeout === 0) return () => {}
  const limit = statementTimeout + GRACE
  /** The last statement that was sent, until the database has answered everything. */
  let waiting: symbol | undefined
  let isLifted = false
  const timer = setTimeout(() => {
    const overdue = waiting
    const { bytesRead } = client.connection.stream
    // This process may itself have been blocked, with the answer received but not read yet.
    setTimeout(() => {
      const { stream } = client.connection
      if (overdue === undefined || overdue !== waiting) return
      if (stream.bytesRead > bytesRead) timer.refresh()
      else stream.destroy(new Error(`Connection terminated: the database has not answered for ${limit / 1000} s`))
    }, SECOND_LOOK).unref()
  }, limit - SECOND_LOOK).unref()
  client.on('drain', () => {
    waiting = undefined
  })
  client.once('end', () => clearTimeout(timer))
  return (statement) => {
    isLifted = statement === LIFT_LIMITS || (isLifted && client.getTransactionStatus() !== NO_TRANSACTION)
    waiting = isLifted ? undefined : Symbol()
    timer.refresh()
  }
}
