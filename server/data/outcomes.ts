import type { RowOutcome } from '#server/data/data-kind.ts'
import type { Row } from '#server/data/record-table.queries.ts'
import type { Refusal } from '#server/http/http-error.ts'

/** A record of a call as it is kept. */
export type Element = { readonly index: number; readonly row: Row; readonly key: string }
export type Refusals = ReadonlyMap<Row, Refusal>

/** The outcome of each record of the call, in the order of the call. */
export class Outcomes {
  readonly #outcomes: (RowOutcome | undefined)[]
  /** Elements that repeat an earlier one. */
  readonly #repeats = new Map<number, number>()

  constructor(length: number) {
    this.#outcomes = Array.from({ length })
  }

  set(index: number, outcome: RowOutcome): void {
    this.#outcomes[index] = outcome
  }

  has(index: number): boolean {
    return this.#outcomes[index] !== undefined
  }

  refuseOne(index: number, key: string, refused: Refusal): void {
    this.set(index, { key, result: 'refused', ...refused })
  }

  repeat(index: number, first: number): void {
    this.#repeats.set(index, first)
  }

  /** Returns the remaining elements. */
  refuse(elements: readonly Element[], refusals: Refusals | undefined): Element[] {
    return elements.filter(({ index, key, row }) => {
      const refused = refusals?.get(row)
      if (refused) this.refuseOne(index, key, refused)
      return refused === undefined
    })
  }

  all(): RowOutcome[] {
    for (const [index, first] of this.#repeats) {
      const outcome = this.#outcomes[first]
      if (outcome) this.set(index, outcome.result === 'refused' ? outcome : { key: outcome.key, result: 'unchanged' })
    }
    return this.#outcomes.map((outcome, index) => {
      if (!outcome) throw new Error(`nothing became of element ${index}`)
      return outcome
    })
  }
}
