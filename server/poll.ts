import { setTimeout as pause } from 'node:timers/promises'

type Rounds = {
  /** Milliseconds from the end of a round to the next one. */
  readonly interval: number
  /** Answers true if more is waiting: then the next round follows at once. The signal aborts when the loop is stopped. */
  round(signal: AbortSignal): Promise<unknown>
  /** A round that fails ends nothing: the next one follows after the interval. */
  failed(error: unknown): void
}

export type Poll = {
  /** Resolves after the first round. */
  start(): Promise<void>
  /** Begins the next round now, or at once after the current one. */
  wake(): void
  /** Resolves when the current round is over. */
  stop(): Promise<void>
}

/** A loop that works in rounds, one at a time, until it is stopped. It keeps no process alive by itself. */
export function poll({ interval, round, failed }: Rounds): Poll {
  const ending = new AbortController()
  let waking = new AbortController()
  let running: Promise<unknown> = Promise.resolve()

  async function runOnce(): Promise<void> {
    // Before the round, so that a call of `wake` during it is not lost.
    waking = new AbortController()
    const answer = await round(ending.signal).catch(failed)
    if (answer === true) waking.abort()
  }

  async function run(first: Promise<void>): Promise<void> {
    await first
    while (!ending.signal.aborted) {
      await pause(interval, undefined, { signal: waking.signal, ref: false }).catch(() => {})
      if (!ending.signal.aborted) await runOnce()
    }
  }

  return {
    start() {
      const first = runOnce()
      running = run(first)
      return first
    },
    wake: () => waking.abort(),
    async stop() {
      ending.abort()
      waking.abort()
      await running
    },
  }
}
