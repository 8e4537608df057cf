import type { Duplex } from 'node:stream'
import pg from 'pg'

/** The part of the driver's connection that its types leave out. */
export type CopyConnection = {
  readonly stream: Duplex
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}
export type CopyHandlers = {
  handleCopyInResponse?(connection: CopyConnection): void
  handleCopyData?(message: { chunk: Buffer }, connection: CopyConnection): void
  /** Resolves when the database is done, with its error or the number of rows. Throws the error of the statement. */
  ended?(error: Error | null, rows: number): Promise<void>
}

/** The data of a `copy` statement. It is the only parameter of such a statement. */
export abstract class Copy {
  abstract handlers(): CopyHandlers
}

type Send = (statement: unknown, values?: unknown, callback?: unknown) => unknown

/**
 * The driver has the messages of COPY but refuses the statement. This makes a connection accept it, also through
 * Kysely, when its parameter is a `Copy`.
 */
export function acceptCopies(client: pg.ClientBase): void {
  const send = client.query.bind(client) as Send
  const query: Send = (statement, values, callback) => {
    const copied = Array.isArray(values) ? values[0] : undefined
    return copied instanceof Copy ? copy(send, String(statement), copied.handlers()) : send(statement, values, callback)
  }
  client.query = query as typeof client.query
}

async function copy(send: Send, statement: string, handlers: CopyHandlers): Promise<pg.QueryResult> {
  const { ended, ...messages } = handlers
  const { error, result } = await new Promise<{ error: Error | null; result: pg.QueryResult }>((resolve) => {
    const callback = (error: Error | null, result: pg.QueryResult) => resolve({ error, result })
    send(Object.assign(new pg.Query(statement), messages, { callback }))
  })
  await ended?.(error, result?.rowCount ?? 0)
  if (error) throw error
  return result
}
