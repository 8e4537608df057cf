export type SlowStatement = {
  readonly text: string
  readonly calls: number
  readonly meanMilliseconds: number
  readonly maxMilliseconds: number
}

/** Faster statements are not kept. In milliseconds. */
const SLOW = 100
const MAX_STATEMENTS = 200
const MAX_TEXT = 2000

type Times = { calls: number; total: number; max: number }

/** The slow statements of this process, by their text. Values are parameters, so they are not in it. */
export class StatementTimes {
  readonly #times = new Map<string, Times>()

  add(text: string, milliseconds: number): void {
    if (milliseconds < SLOW) return
    const key = text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TEXT)
    const { calls, total, max } = this.#times.get(key) ?? { calls: 0, total: 0, max: 0 }
    this.#times.set(key, { calls: calls + 1, total: total + milliseconds, max: Math.max(max, milliseconds) })
    if (this.#times.size > MAX_STATEMENTS) this.#forgetFastest()
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
