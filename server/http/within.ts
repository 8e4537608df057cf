import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves with the result of `work`, or rejects after a timeout in milliseconds. The work itself continues. */
export async function answerWithin<T>(work: Promise<T>, patience: number): Promise<T> {
  const ended = new AbortController()
  const tooLong = sleep(patience, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw new Error(`no answer within ${patience} ms`)
  })
  // Canceling the timer rejects it, which is expected.
  tooLong.catch(() => {})
  try {
    return await Promise.race([work, tooLong])
  } finally {
    ended.abort()
  }
}
