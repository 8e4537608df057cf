import { Worker } from 'node:worker_threads'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import type { LicenseWork } from '#server/modules/activations/license-files/license.worker.ts'
import type { PublicKey } from '#server/modules/activations/license-files/license-verifier.ts'
import { ThreadError, type ThreadOptions } from '#server/threads/thread-pool.ts'
import { createWorkPool } from '#server/threads/work.ts'

export type LicenseThreads = ReturnType<typeof createLicenseThreads>

/**
 * License files come from untrusted sources. They are read in worker threads, whose limits of time and memory end only
 * the thread.
 */
export function createLicenseThreads(options: ThreadOptions = {}) {
  const pool = createWorkPool<LicenseWork>({
    noun: 'license file',
    busy: 'Too many license files are being read. Try again in a moment.',
    timeout: 20_000,
    startWorker: startLicenseWorker,
    ...options,
  })

  const ask: typeof pool.ask = (name, question) =>
    pool.ask(name, question).catch((error: unknown) => {
      throw error instanceof ThreadError && error.reason === 'limit' ? new HttpError(413, TOO_MUCH) : error
    })

  return {
    async read(file: Uint8Array) {
      const { kind, ...reading } = understood(await ask('read', file))
      return reading
    },
    async verify(file: Uint8Array, keys: readonly PublicKey[]) {
      const { kind, ...verified } = understood(await ask('verify', { file, keys }))
      return verified
    },
    compare: (text: string, kept: readonly string[]) => ask('compare', { text, kept }),
    close: pool.close,
  }
}

const TOO_MUCH = 'Reading this file takes too much time or memory.'

function understood<T extends { kind: string }>(answer: T) {
  const { kind, reason = '' }: { kind: string; reason?: string } = answer
  if (kind === 'too large') throw new HttpError(413, reason)
  if (kind === 'refused') throw new BusinessRefusal('NOT_A_LICENSE_FILE', reason)
  return answer as Exclude<T, { kind: 'too large' | 'refused' }>
}

const startLicenseWorker = () =>
  new Worker(new URL('./license.worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 128 } })
