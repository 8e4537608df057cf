import type { ServerResponse } from 'node:http'
import { CallerGoneError } from '#server/http/http-error.ts'

/** Starts of all callers that have a transaction at a time. Ten connections serve everything that a process writes. */
const AT_ONCE = 4

export type PinTurns = {
  /** Runs the work of a guesser when it is its turn. Those whose caller has gone are left out. */
  run<R>(guesser: string, answer: Pick<ServerResponse, 'closed'>, work: () => Promise<R>): Promise<R>
}

/**
 * Guessers wait here, not on connections: one guesser's attempts run one after the other, few of all guessers at once, and
 * guessers come in turn however many attempts one of them has waiting.
 */
export function createPinTurns(atOnce = AT_ONCE): PinTurns {
  /** Who waits longest comes first. */
  const waiting = new Map<string, (() => void)[]>()
  const running = new Set<string>()

  function beginNext(): void {
    for (const [guesser, queue] of waiting) {
      if (running.size >= atOnce) return
      if (running.has(guesser)) continue
      const begin = queue.shift()
      waiting.delete(guesser)
      if (queue.length > 0) waiting.set(guesser, queue)
      running.add(guesser)
      begin?.()
    }
  }

  return {
    async run(guesser, answer, work) {
      const turn = Promise.withResolvers<void>()
      const queue = waiting.get(guesser)
      if (queue) queue.push(turn.resolve)
      else waiting.set(guesser, [turn.resolve])
      beginNext()
      await turn.promise
      try {
        if (answer.closed) throw new CallerGoneError()
        return await work()
      } finally {
        running.delete(guesser)
        beginNext()
      }
    },
  }
}

export const pinTurns = createPinTurns()
