import { Worker } from 'node:worker_threads'
import type { ChangedLine } from '#domain/activations/license-files/license-difference.ts'
import type { LicenseReading, TooLarge } from '#domain/activations/license-files/license-reader.ts'
import type { Verification } from '#domain/activations/license-files/license-verification.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import type { PublicKey } from '#server/modules/activations/license-files/license-verifier.ts'
import { createThreadPool, ThreadError, type ThreadOptions } from '#server/threads/thread-pool.ts'

/** A file and its text with line feeds as line ends. */
type Verified = { readonly kind: 'verified'; readonly text: string; readonly verification: Verification }
/** The index of the most similar stored text, and the differences from it. */
type Comparison = { readonly nearest: number; readonly lines: readonly ChangedLine[]; readonly lineCount: number }

/** The questions to a thread, and its answers. */
export type LicenseWork = {
  read: { question: { readonly file: Uint8Array }; answer: LicenseReading }
  verify: {
    question: { readonly file: Uint8Array; readonly keys: readonly PublicKey[] }
    answer: Verified | Exclude<LicenseReading, { kind: 'read' }>
  }
  compare: { question: { readonly text: string; readonly kept: readonly string[] }; answer: Comparison }
}
export type LicenseQuestion = { [K in keyof LicenseWork]: { kind: K } & LicenseWork[K]['question'] }[keyof LicenseWork]
export type LicenseAnswer = LicenseWork[keyof LicenseWork]['answer']

export type LicenseThreads = ReturnType<typeof createLicenseThreads>

/**
 * License files come from untrusted sources. They are read in worker threads, whose limits of time and memory end only
 * the thread.
 */
export function createLicenseThreads(options: ThreadOptions = {}) {
  const pool = createThreadPool<LicenseQuestion, LicenseAnswer>({
    noun: 'license file',
    busy: 'Too many license files are being read. Try again in a moment.',
    timeout: 20_000,
    startWorker: startLicenseWorker,
    ...options,
  })

  async function ask<K extends keyof LicenseWork>(kind: K, question: LicenseWork[K]['question']) {
    try {
      const answer = await pool.run({ kind, ...question } as LicenseQuestion)
      return answer as LicenseWork[K]['answer']
    } catch (error) {
      if (error instanceof ThreadError && error.reason === 'limit') throw new HttpError(413, TOO_MUCH)
      throw error
    }
  }

  return {
    async read(file: Uint8Array) {
      const { kind, ...reading } = understood(await ask('read', { file }))
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

function understood<T extends LicenseAnswer & { kind: string }>(answer: T) {
  if (answer.kind === 'too large') throw new HttpError(413, (answer as TooLarge).reason)
  if (answer.kind === 'refused') throw new BusinessRefusal('NOT_A_LICENSE_FILE', (answer as { reason: string }).reason)
  return answer as Exclude<T, { kind: 'too large' | 'refused' }>
}

const startLicenseWorker = () =>
  new Worker(new URL('./license.worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 128 } })
