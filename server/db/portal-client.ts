import pg from 'pg'
import { Copy, type CopyHandlers } from '#server/db/copy.ts'
import { statementName } from '#server/db/named-statements.ts'
import { limitTime } from '#server/db/time-limit.ts'

export type MeasureStatement = (text: string, milliseconds: number) => void
export type PortalClientConfig = pg.ClientConfig & {
  /** Called with every statement when its last row has arrived. Functions may be added at any time. */
  readonly measures?: readonly MeasureStatement[]
}

type Statement = string | pg.QueryConfig
type Callback = (error: Error | null, result: pg.QueryResult) => void

/**
 * A connection as every pool of the portal opens it. The steps of a statement, in this order: its `Copy` is connected or
 * its name is found; the time limit begins; it is measured; the driver sends it.
 */
export class PortalClient extends pg.Client {
  readonly #measures: readonly MeasureStatement[]
  readonly #beginTimeLimit: (statement: unknown) => void

  constructor(config: PortalClientConfig = {}) {
    super(config)
    this.#measures = config.measures ?? []
    this.#beginTimeLimit = limitTime(this)
    // A connection that is lost while it waits between two statements of a transaction must not end the process.
    this.on('error', () => {})
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver declares its overloads, and callers see those
  override query(statement: any, values?: any, callback?: any): any {
    const [copied] = Array.isArray(values) ? values : []
    if (copied instanceof Copy) return this.#copy(statement, copied.handlers())
    const name = statementName(statement)
    if (name === undefined) return this.#send(statement, values, callback)
    return this.#send({ name, text: statement, values }, callback)
  }

  /** The driver has the messages of COPY but refuses the statement. */
  async #copy(text: string, { ended, ...messages }: CopyHandlers): Promise<pg.QueryResult> {
    const { error, result } = await new Promise<{ error: Error | null; result: pg.QueryResult }>((resolve) => {
      const callback: Callback = (error, result) => resolve({ error, result })
      this.#send(Object.assign(new pg.Query(text), messages) as pg.Query & pg.QueryConfig, callback)
    })
    await ended?.(error, result?.rowCount ?? 0)
    if (error) throw error
    return result
  }

  #send(statement: Statement, ...rest: unknown[]): unknown {
    this.#beginTimeLimit(statement)
    return this.#measure(typeof statement === 'string' ? statement : statement.text, rest, (...measured) =>
      super.query(statement as string, ...(measured as [])),
    )
  }

  /** A pool passes a callback, everybody else waits for the promise. */
  #measure(text: string, rest: unknown[], send: (...rest: unknown[]) => unknown): unknown {
    const begun = performance.now()
    const answered = () => {
      for (const measure of this.#measures) measure(text, performance.now() - begun)
    }
    const answer = send(
      ...rest.map((part) => {
        if (typeof part !== 'function') return part
        return (...result: unknown[]) => {
          answered()
          part(...result)
        }
      }),
    )
    if (answer instanceof Promise) answer.then(answered, answered)
    return answer
  }
}
