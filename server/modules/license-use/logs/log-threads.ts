import { Worker } from 'node:worker_threads'
import type { StatusAnswer, StatusQuestion } from '#server/modules/license-use/lmstat/status-rows.ts'
import type { JoinAnswer, JoinQuestion } from '#server/modules/license-use/logs/joined-rows.ts'
import type { LogAnswer, LogQuestion } from '#server/modules/license-use/logs/log-rows.ts'
import { createThreadPool, type ThreadOptions } from '#server/threads/thread-pool.ts'

/** The questions to a thread, and its answers. */
type ReadingWork = {
  log: { question: LogQuestion; answer: LogAnswer }
  status: { question: StatusQuestion; answer: StatusAnswer }
  join: { question: JoinQuestion; answer: JoinAnswer }
}
export type ReadingQuestion = { [K in keyof ReadingWork]: { kind: K } & ReadingWork[K]['question'] }[keyof ReadingWork]
export type ReadingAnswer = ReadingWork[keyof ReadingWork]['answer']

export type LogThreads = ReturnType<typeof createLogThreads>

/**
 * Texts of license servers come from outside. They are read in worker threads, whose limits of time and memory end only the thread.
 * What they answer is passed on to the database as it is.
 */
export function createLogThreads(options: ThreadOptions = {}) {
  const pool = createThreadPool<ReadingQuestion, ReadingAnswer>({
    noun: 'text',
    busy: 'Too many texts of license servers are being read. Try again in a moment.',
    // A transaction waits meanwhile: shorter than the time for which one may be idle.
    timeout: 15_000,
    startWorker,
    ...options,
  })
  const ask =
    <K extends keyof ReadingWork>(kind: K) =>
    async (question: ReadingWork[K]['question']) =>
      (await pool.run({ kind, ...question } as ReadingQuestion)) as ReadingWork[K]['answer']
  return {
    readLog: ask('log'),
    readStatus: ask('status'),
    join: ask('join'),
    close: pool.close,
  }
}

const startWorker = () =>
  new Worker(new URL('./log.worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 384 } })

/** The threads of this process, for calls and tasks alike. Idle ones do not keep it alive. */
export const LOG_THREADS = createLogThreads()
