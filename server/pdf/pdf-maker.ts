import os from 'node:os'
import { Worker } from 'node:worker_threads'
import { TooManyCallsError } from '#server/http/http-error.ts'
import type { PdfDescription } from '#server/pdf/pdf-description.ts'

export type MakePdf = (description: PdfDescription) => Promise<Uint8Array>
export type PdfMaker = { readonly makePdf: MakePdf; close(): Promise<void> }

/** What the thread answers. */
export type PdfReply = { readonly bytes: Uint8Array } | { readonly error: string }

/** A document that could not be made: our fault, so the caller gets a reference id. */
class PdfError extends Error {
  override name = 'PdfError'
}

type Options = {
  readonly workers?: number
  /** How many documents may wait, in addition to those being made. */
  readonly maxWaiting?: number
  /** In milliseconds. */
  readonly timeout?: number
  readonly startWorker?: () => Worker
}
type Job = {
  readonly description: PdfDescription
  resolve(bytes: Uint8Array): void
  reject(error: Error): void
}

/** One core is left to the requests; more than two threads would only make every document slower. */
const WORKERS = Math.max(1, Math.min(2, os.availableParallelism() - 1))

/** Makes documents in threads of their own, so that no request waits for one that it did not ask for. */
export function createPdfMaker(options: Options = {}): PdfMaker {
  const { workers: most = WORKERS, maxWaiting = 50, timeout = 90_000, startWorker = startPdfWorker } = options
  const workers = new Set<Worker>()
  const idle: Worker[] = []
  const waiting: Job[] = []
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

  function run(worker: Worker, job: Job): void {
    const timer = setTimeout(() => end(new PdfError(`the PDF was not ready after ${timeout} ms`)), timeout)
    const onMessage = (reply: PdfReply) => {
      stopListening()
      // A thread that waits for work does not keep the process alive.
      worker.unref()
      idle.push(worker)
      if ('bytes' in reply) job.resolve(reply.bytes)
      else job.reject(new PdfError(`the PDF could not be made: ${reply.error}`))
      next()
    }
    const onError = (error: Error) => end(new PdfError('the PDF thread failed', { cause: error }))
    const onExit = () => end(new PdfError('the PDF thread ended before the PDF was ready'))
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.ref()
    worker.postMessage(job.description)

    function stopListening(): void {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
    }
    /** The thread is of no further use: the next document gets another. */
    function end(error: PdfError): void {
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
    makePdf: (description) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new PdfError('the portal is closing'))
        if (waiting.length >= maxWaiting)
          return reject(new TooManyCallsError('Too many PDF files are being made. Try again in a moment.'))
        waiting.push({ description, resolve, reject })
        next()
      }),
    async close() {
      isClosed = true
      for (const job of waiting.splice(0)) job.reject(new PdfError('the portal is closing'))
      await Promise.all([...workers].map((worker) => worker.terminate()))
    },
  }
}

/** The limit ends the thread, never the portal. */
export const startPdfWorker = () =>
  new Worker(new URL('./pdf.worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 512 } })
