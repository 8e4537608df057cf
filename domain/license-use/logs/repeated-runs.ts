type Seen = readonly [text: string, line: number, isComplete: boolean, seconds: number | null]
export type RepeatedRunsState = {
  readonly recent: readonly string[]
  readonly lastSeconds: number | null
  readonly waiting: readonly Seen[]
  readonly candidates: readonly number[]
}

/** So many lines are compared where two rotated files may join. */
const REMEMBERED = 400

/**
 * Leaves out a run of lines that is written twice where two rotated files join: the clock steps back to a line that
 * was there already, and everything from that line to the join follows again. Single equal lines are no repetition.
 */
export function createRepeatedRuns(
  pass: (text: string, line: number, isComplete: boolean) => void,
  report: (line: number) => void,
  from?: RepeatedRunsState,
) {
  let recent: string[] = [...(from?.recent ?? [])]
  let lastSeconds = from?.lastSeconds ?? null
  let waiting: Seen[] = [...(from?.waiting ?? [])]
  /** The lines of `recent` that the next line would have to equal. */
  let candidates: number[] = [...(from?.candidates ?? [])]

  function accept(text: string, line: number, isComplete: boolean, seconds: number | null) {
    recent.push(text)
    if (recent.length > 2 * REMEMBERED) recent = recent.slice(-REMEMBERED)
    if (seconds !== null) lastSeconds = seconds
    pass(text, line, isComplete)
  }

  function release() {
    const lines = waiting
    waiting = []
    candidates = []
    for (const seen of lines) accept(...seen)
  }

  return {
    read(text: string, line: number, isComplete: boolean, seconds: number | null): void {
      if (waiting.length) {
        const following = candidates.filter((index) => recent[index] === text)
        if (following.length) {
          waiting.push([text, line, isComplete, seconds])
          candidates = following.map((index) => index + 1)
          if (candidates.includes(recent.length)) dropRepeated()
          return
        }
        release()
      }
      if (seconds !== null && lastSeconds !== null && seconds < lastSeconds) {
        const first = recent.flatMap((known, index) => (known === text && index < recent.length - 1 ? [index + 1] : []))
        if (first.length) {
          waiting = [[text, line, isComplete, seconds]]
          candidates = first
          return
        }
      }
      accept(text, line, isComplete, seconds)
    },
    end: release,
    state: (): RepeatedRunsState => ({
      recent: waiting.length ? recent : recent.slice(-REMEMBERED),
      lastSeconds,
      waiting,
      candidates,
    }),
  }

  function dropRepeated() {
    const first = waiting[0]?.[1]
    waiting = []
    candidates = []
    if (first !== undefined) report(first)
  }
}
