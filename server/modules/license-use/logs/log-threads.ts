import { Worker } from 'node:worker_threads'
import type { LogWork } from '#server/modules/license-use/logs/log.worker.ts'
import type { ThreadOptions } from '#server/threads/thread-pool.ts'
import { createWorkPool } from '#server/threads/work.ts'

export type LogThreads = ReturnType<typeof createLogThreads>

/**
 * Texts of license servers come from outside. They are read in worker threads, whose limits of time and memory end only the thread.
 * What they answer is passed on to the database as it is.
 */
export function createLogThreads(options: ThreadOptions = {}) {
  const { ask, close } = createWorkPool<LogWork>({
    noun: 'text',
    busy: 'Too many texts of license servers are being read. Try again in a moment.',
    // A transaction waits meanwhile: shorter than the time for which one may be idle.
    timeout: 15_000,
    startWorker,
    ...options,
  })
  return {
    readLog: (question: Parameters<LogWork['log']>[0]) => ask('log', question),
    readStatus: (question: Parameters<LogWork['status']>[0]) => ask('status', question),
    join: (question: Parameters<LogWork['join']>[0]) => ask('join', question),
    findGone: (question: Parameters<LogWork['gone']>[0]) => ask('gone', question),
    close,
  }
}

const startWorker = () =>
  new Worker(new URL('./log.worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 384 } })
