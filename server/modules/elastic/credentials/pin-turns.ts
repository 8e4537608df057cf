import type { ServerResponse } from 'node:http'
import { CallerGoneError } from '#server/http/http-error.ts'

/** How many starts run at a time. Ten connections serve everything that a process writes. */
const AT_ONCE = 2

export type PinTurns = {
  /** Runs the work of a guesser when it is its turn. Those whose caller has gone are left out. */
  run<R>(guesser: string, answer: Pick<ServerResponse, 'closed'>, work: () => Promise<R>): Promise<R>
}

/**
 * Guessers wait here, not on connections: one guesser's attempts run one after the other, few of all guessers at once, and
 * guessers come in turn however many attempts one of them has waiting. After an attempt that was refused, its turn rests for
 * as long as it took, so that somebody who guesses as fast as possible leaves time for others.
 */
export function createPinTurns(): PinTurns {
  /** Who waits longest comes first. */
  const waiting = new Map<string, (() => void)[]>()
  const running = new Set<string>()

  function beginNext(): void {
    for (const [guesser, queue] of waiting) {
      if (running.size >= AT_ONCE) return
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
      const end = () => {
        running.delete(guesser)
        beginNext()
      }
      if (answer.closed) {
        end()
        throw new CallerGoneError()
      }
      const begun = performance.now()
      try {
        const result = await work()
        end()
        return result
      } catch (error) {
        setTimeout(end, performance.now() - begun).unref()
        throw error
      }
    },
  }
}
