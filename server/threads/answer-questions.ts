import { parentPort } from 'node:worker_threads'
import type { ThreadReply } from '#server/threads/thread-pool.ts'

/** The thread's side of a pool: it answers one question after the other. */
export function answerQuestions<Q, A>(answer: (question: Q) => A | Promise<A>): void {
  parentPort?.on('message', async (question: Q) => {
    parentPort?.postMessage(await reply(question))
  })

  async function reply(question: Q): Promise<ThreadReply<A>> {
    try {
      return { answer: await answer(question) }
    } catch (error) {
      return { error: String(error instanceof Error ? error.stack : error) }
    }
  }
}
