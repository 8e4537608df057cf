import { setTimeout as sleep } from 'node:timers/promises'

/** What is awaited, or an error after so many milliseconds. The work itself goes on. */
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
