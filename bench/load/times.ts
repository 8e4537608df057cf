import { milliseconds, table } from '#bench/kit/figures.ts'
import { percentile } from '#bench/kit/http-load.ts'

type Kind = { readonly times: number[]; errors: number; readonly isBackground: boolean }

/** Times and errors by kind of action. What goes on in the background after an answer is not part of the total. */
export class Times {
  readonly #kinds = new Map<string, Kind>()
  readonly #messages = new Map<string, number>()
  #recent: number[] = []
  readonly #say: (line: string) => void
  errors = 0

  /** `say` is told each error when it first occurs, so that a long run need not end to show it. */
  constructor(say: (line: string) => void) {
    this.#say = say
  }

  add(kind: string, time: number, { isBackground = false, isCounted = true } = {}): void {
    if (!isBackground) this.#recent.push(time)
    if (isCounted) this.#of(kind, isBackground).times.push(time)
  }

  fail(kind: string, message: string): void {
    this.errors++
    this.#of(kind, false).errors++
    if (!this.#messages.has(message)) this.#say(`${kind.trim()}: ${message}`)
    this.#messages.set(message, (this.#messages.get(message) ?? 0) + 1)
  }

  /** The actions since the last call. */
  takeRecent(): { actions: number; p95: number } {
    const sorted = this.#recent.sort((one, other) => one - other)
    this.#recent = []
    return { actions: sorted.length, p95: percentile(sorted, 0.95) }
  }

  total(): { actions: number; p50: number; p95: number; p99: number } {
    const all = [...this.#kinds.values()].flatMap(({ times, isBackground }) => (isBackground ? [] : times))
    return summary(all)
  }

  table(): string {
    const rows = [...this.#kinds].map(([kind, { times, errors, isBackground }]) =>
      rowOf(isBackground ? `${kind.trim()}, until it is done` : kind, summary(times), errors),
    )
    return table(
      ['action', 'count', 'p50', 'p95', 'p99', 'errors'],
      [...rows, rowOf('**all, without waiting for what goes on in the background**', this.total(), this.errors)],
    )
  }

  messages(): string[] {
    return [...this.#messages].sort(([, one], [, other]) => other - one).map(([text, count]) => `${count} × ${text}`)
  }

  #of(kind: string, isBackground: boolean): Kind {
    const name = isBackground ? `${kind} ` : kind
    const found = this.#kinds.get(name) ?? { times: [], errors: 0, isBackground }
    this.#kinds.set(name, found)
    return found
  }
}

function summary(times: readonly number[]) {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (part: number) => percentile(sorted, part)
  return { actions: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

const rowOf = (name: string, { actions, p50, p95, p99 }: ReturnType<typeof summary>, errors: number) => [
  name.trim(),
  actions.toLocaleString('en'),
  ...[p50, p95, p99].map((value) => (Number.isNaN(value) ? '' : milliseconds(value))),
  String(errors),
]
