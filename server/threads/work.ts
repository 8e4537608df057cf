import { answerQuestions } from '#server/threads/answer-questions.ts'
import { createThreadPool, type ThreadPoolOptions } from '#server/threads/thread-pool.ts'

/** What a thread can do, by name. */
type Work = { readonly [name: string]: (question: never) => unknown }
type Task<W extends Work> = { readonly name: keyof W; readonly question: Parameters<W[keyof W]>[0] }

/** The thread's side: it does one task after the other. */
export function doTasks<W extends Work>(work: W): void {
  answerQuestions<Task<W>, unknown>(({ name, question }) => work[name]!(question))
}

/** A pool of threads that do several kinds of work. */
export function createWorkPool<W extends Work>(options: ThreadPoolOptions) {
  const { run, close } = createThreadPool<Task<W>, unknown>(options)
  return {
    async ask<N extends keyof W>(name: N, question: Parameters<W[N]>[0]) {
      return (await run({ name, question })) as ReturnType<W[N]>
    },
    close,
  }
}
