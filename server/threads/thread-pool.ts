import os from 'node:os'
import type { Worker } from 'node:worker_threads'
import { TooManyCallsError } from '#server/http/http-error.ts'

/** What a thread answers. */
export type ThreadReply<A> = { readonly answer: A } | { readonly error: string }

export type ThreadPool<Q, A> = { run(question: Q): Promise<A>; close(): Promise<void> }

/** `limit`: the work exceeded the time or memory limit of a thread. `failed`: an internal error. */
type Reason = 'limit' | 'failed'

export class ThreadError extends Error {
  override name = 'ThreadError'
  readonly reason: Reason
  constructor(message: string, reason: Reason = 'failed', options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

export type ThreadOptions = {
  readonly workers?: number
  /** In milliseconds. */
  readonly timeout?: number
  readonly startWorker?: () => Worker
}
export type ThreadPoolOptions = Pick<ThreadOptions, 'workers'> & {
  /** What a thread works on, for messages: 'PDF'. */
  readonly noun: string
  /** What the caller reads when too many wait. */
  readonly busy: string
  readonly timeout: number
  /** Starts a thread with a memory limit, which ends the thread and never the portal. */
  readonly startWorker: () => Worker
}
type Job<Q, A> = {
  readonly question: Q
  resolve(answer: A): void
  reject(error: Error): void
}

/** One core is left to the requests; more than two threads would only make every answer slower. */
const WORKERS = Math.max(1, Math.min(2, os.availableParallelism() - 1))

/** How many questions may wait, in addition to those being answered. */
const MAX_WAITING = 50

/** Runs work in worker threads with limits, so that it does not block the event loop for other requests. */
export function createThreadPool<Q, A>(options: ThreadPoolOptions): ThreadPool<Q, A> {
  const { noun, busy, workers: most = WORKERS, timeout, startWorker } = options
  const workers = new Set<Worker>()
  const idle: Worker[] = []
  const waiting: Job<Q, A>[] = []
  let isClosed = false

  function next(): void {
    if (waiting.length === 0) return
    const worker = idle.pop() ?? (workers.size < most ? addWorker() : undefined)
    const job = worker && waiting.shift()
    if (job) run(worker, job)
  }

  function addWorker(): Worker {
    const worker = startWorker()
    workers.add(worker)
    // A thread may also end while it has nothing to do; an error without a listener would end the portal.
    worker.on('error', () => {}).on('exit', () => forget(worker))
    return worker
  }

  function run(worker: Worker, job: Job<Q, A>): void {
    const timer = setTimeout(
      () => end(new ThreadError(`the ${noun} was not ready after ${timeout} ms`, 'limit')),
      timeout,
    )
    const onMessage = (reply: ThreadReply<A>) => {
      stopListening()
      // A thread that waits for work does not keep the process alive.
      worker.unref()
      idle.push(worker)
      if ('answer' in reply) job.resolve(reply.answer)
      else job.reject(new ThreadError(`the ${noun} could not be made: ${reply.error}`))
      next()
    }
    const onError = (error: Error) =>
      end(new ThreadError(`the ${noun} thread failed`, isOutOfMemory(error) ? 'limit' : 'failed', { cause: error }))
    const onExit = () => end(new ThreadError(`the ${noun} thread ended before the ${noun} was ready`))
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.ref()
    worker.postMessage(job.question)

    function stopListening(): void {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
    }
    /** The thread is terminated: the next question gets another. */
    function end(error: ThreadError): void {
      stopListening()
      forget(worker)
      void worker.terminate()
      job.reject(error)
      next()
    }
  }

  function forget(worker: Worker): void {
    workers.delete(worker)
    if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1)
  }

  return {
    run: (question) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new ThreadError('the portal is closing'))
        if (waiting.length >= MAX_WAITING) return reject(new TooManyCallsError(busy))
        waiting.push({ question, resolve, reject })
        next()
      }),
    async close() {
      isClosed = true
      for (const job of waiting.splice(0)) job.reject(new ThreadError('the portal is closing'))
      await Promise.all([...workers].map((worker) => worker.terminate()))
    },
  }
}

const isOutOfMemory = (error: Error) => (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
