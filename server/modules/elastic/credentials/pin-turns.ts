import type { ServerResponse } from 'node:http'
import { CallerGoneError } from '#server/http/http-error.ts'

/** Maximum number of concurrent starts. Ten connections serve all writes of a process. */
const AT_ONCE = 2

export type PinTurns = {
  /** Runs the work of a guesser in its turn. Work whose caller has disconnected is dropped. */
  run<R>(guesser: string, answer: Pick<ServerResponse, 'closed'>, work: () => Promise<R>): Promise<R>
}

/**
 * Guessers wait here, without a connection. Attempts of one guesser run one after the other, only a few attempts run at
 * once, and guessers take turns round-robin. After a refused attempt its turn pauses for as long as the attempt took,
 * so that fast guessing leaves time for others.
 */
export function createPinTurns(): PinTurns {
  /** The guesser who waits longest comes first. */
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
