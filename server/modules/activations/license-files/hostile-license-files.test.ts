import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { uploadServerId } from '#contract/activations/hosts/upload-server-id.ts'
import { verifyLicense } from '#contract/activations/license-files/license-files.ts'
import { loadSigner } from '#server/modules/activations/activations.public.ts'
import { createLicenseThreads } from '#server/modules/activations/license-files/license-threads.ts'
import { ADA, type Call } from '#server/testing/activations.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'

let portal: Portal
let ada: Call
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
})
afterAll(() => portal.close())

const MEGABYTE = 1024 * 1024
const linesOf = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('')
const serverLine = (index: number) => `SERVER h ${index.toString(16).padStart(12, '0')}`
const verify = (text: string) => ada(verifyLicense, { body: { file: Buffer.from(text) } })
const upload = (text: string) => ada(uploadServerId, { body: { customerNumber: '100001', file: Buffer.from(text) } })

describe('a hostile license file is refused with TOO_LARGE', () => {
  test.each<[string, string, string]>([
    [
      '10,000 servers and 10,000 licenses',
      linesOf(10_000, serverLine) + linesOf(10_000, (index) => `INCREMENT f${index} v 1 0 1`),
      'This file has more than 100 SERVER lines.',
    ],
    [
      '120,000 zeros before a customer number',
      `INCREMENT f v 1 0 1 VENDOR_STRING=customer:${'0'.repeat(120_000)}1\n`,
      'Line 1 has more than 20,000 characters.',
    ],
    ['8 MB of line feeds', '\n'.repeat(8 * MEGABYTE), 'The file is too large. The limit is 1 MB.'],
    ['1 MB of line feeds', '\n'.repeat(MEGABYTE), 'This file has more than 20,000 lines.'],
  ])('a file of %s is refused', async (_, text, err) => {
    const refusal = { status: 'FAILURE', code: 'TOO_LARGE', err }
    for (const answer of [await verify(text), await upload(text)]) {
      expect(answer.status).toBe(413)
      expect(answer.body).toEqual(refusal)
    }
  })
})

test('the largest file with a hundred servers is verified', async () => {
  const { keyId } = await loadSigner(portal.db, UNWRAPPED, portal.clock.now())
  const signed = `SIGN=${'A'.repeat(128)} ISSUER=${keyId}`
  const text = linesOf(100, serverLine) + linesOf(4_500, (index) => `INCREMENT f${index} v 1 0 1 ${signed}`)
  const { body } = await verify(text)
  expect(body.data).toMatchObject({ verdict: 'licenses changed' })
  expect((body.data as { blocks: unknown[] }).blocks).toHaveLength(4_500)
})

test('finds the stored file of a text that names thousands of customers and host ids', async () => {
  const text = linesOf(9_000, (at) => `INCREMENT f${at} v 1 0 1 HOSTID=${at} VENDOR_STRING=customer:${at}`)
  expect((await verify(text)).body.data).toMatchObject({ verdict: 'not ours', file: null })
})

describe('reading a license file', () => {
  const file = Buffer.from('SERVER lic01 001a2b3c4d5e 1055\n')
  const refusal = { statusCode: 413, code: 'TOO_LARGE', message: 'Reading this file takes too much time or memory.' }

  test('ends with TOO_LARGE when it takes too long', async () => {
    const threads = createLicenseThreads({ workers: 1, timeout: 1 })
    onTestFinished(() => threads.close())
    await expect(threads.read(file)).rejects.toMatchObject(refusal)
  })

  test('ends with TOO_LARGE when it takes too much memory, and the next file is read', async () => {
    const hungry = 'const all = []; for (;;) all.push(new Array(1000).fill(Math.random()))'
    const starts = [
      () => new Worker(hungry, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } }),
      () => new Worker(new URL('./license.worker.ts', import.meta.url)),
    ]
    const threads = createLicenseThreads({ workers: 1, startWorker: () => starts.shift()!() })
    onTestFinished(() => threads.close())
    await expect(threads.read(file)).rejects.toMatchObject(refusal)
    expect((await threads.read(file)).port).toBe(1055)
  })
})
