import type pg from 'pg'

export type SlowStatement = {
  readonly text: string
  readonly calls: number
  readonly meanMilliseconds: number
  readonly maxMilliseconds: number
}

/** Faster statements are not kept. In milliseconds. */
const SLOW = 100
const MOST_STATEMENTS = 200
const LONGEST_TEXT = 2000

type Times = { calls: number; total: number; max: number }

/** The slow statements of this process, by their text. Values are parameters, so they are not in it. */
export class StatementTimes {
  readonly #times = new Map<string, Times>()

  add(text: string, milliseconds: number): void {
    if (milliseconds < SLOW) return
    const key = text.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_TEXT)
    const { calls, total, max } = this.#times.get(key) ?? { calls: 0, total: 0, max: 0 }
    this.#times.set(key, { calls: calls + 1, total: total + milliseconds, max: Math.max(max, milliseconds) })
    if (this.#times.size > MOST_STATEMENTS) this.#forgetFastest()
  }

  /** The slowest on average first. */
  list(limit: number): SlowStatement[] {
    return [...this.#times]
      .map(([text, { calls, total, max }]) => ({
        text,
        calls,
        meanMilliseconds: Math.round(total / calls),
        maxMilliseconds: Math.round(max),
      }))
      .sort((one, other) => other.meanMilliseconds - one.meanMilliseconds)
      .slice(0, limit)
  }

  #forgetFastest(): void {
    const [fastest] = [...this.#times].sort(([, one], [, other]) => one.max - other.max)
    if (fastest) this.#times.delete(fastest[0])
  }
}

type Query = (statement: unknown, ...rest: unknown[]) => unknown

/** Measures every statement that is sent on a connection, from sending it to its last row. */
export function measureStatements(client: pg.ClientBase, times: StatementTimes): void {
  const send = client.query.bind(client) as Query
  const query: Query = (statement, ...rest) => {
    const text = typeof statement === 'string' ? statement : (statement as { text?: unknown } | null)?.text
    if (typeof text !== 'string') return send(statement, ...rest)
    const begun = performance.now()
    const measure = () => times.add(text, performance.now() - begun)
    // A pool passes a callback, everybody else waits for the promise.
    const callback = rest.at(-1)
    if (typeof callback === 'function')
      return send(statement, ...rest.slice(0, -1), (...answer: unknown[]) => {
        measure()
        callback(...answer)
      })
    const answer = send(statement, ...rest)
    if (answer instanceof Promise) answer.then(measure, measure)
    return answer
  }
  client.query = query as typeof client.query
}
