import { Worker } from 'node:worker_threads'
import type { PdfDescription } from '#server/pdf/pdf-description.ts'
import { createThreadPool, type ThreadOptions } from '#server/threads/thread-pool.ts'

export type MakePdf = (description: PdfDescription) => Promise<Uint8Array>
type PdfMaker = { readonly makePdf: MakePdf; close(): Promise<void> }

/** Makes documents in worker threads. A failure is an internal error, so the caller gets a reference id. */
export function createPdfMaker(options: ThreadOptions = {}): PdfMaker {
  const { run, close } = createThreadPool<PdfDescription, Uint8Array>({
    noun: 'PDF',
    busy: 'Too many PDF files are being made. Try again in a moment.',
    timeout: 90_000,
    startWorker: startPdfWorker,
    ...options,
  })
  return { makePdf: run, close }
}

export const startPdfWorker = () =>
  new Worker(new URL('./pdf.worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 512 } })
