import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sendObservations } from '#contract/license-use/observations.ts'
import { createLogThreads } from '#server/modules/license-use/logs/log-threads.ts'
import { storeObservations } from '#server/modules/license-use/logs/store-observations.ts'
import { ADA } from '#server/testing/activations.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'
import type { ThreadOptions } from '#server/threads/thread-pool.ts'

const CUSTOMER = '100001'
const HOST = '3cecef4b7d10'
const text = '1:00:00 (lmgrd) TIMESTAMP 3/9/2026\n1:00:01 (sim) OUT: "read" ann@pc  \n'
const status = 'Flexible License Manager status on Mon 3/9/2026 14:05\nLicense server status: 1@a\n'
const log = { text, file: 'a.log', position: 0 }

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

function limitedThreads(options: ThreadOptions) {
  const threads = createLogThreads({ workers: 1, ...options })
  onTestFinished(() => threads.close())
  return threads
}

const store = (observation: object, logThreads: ReturnType<typeof limitedThreads>) =>
  portal.db
    .transaction()
    .execute((tx) =>
      storeObservations(
        tx,
        { secrets: UNWRAPPED, logThreads, jobs: null },
        { customerNumber: CUSTOMER, hostId: HOST },
        [observation as typeof log],
        portal.clock.now(),
      ),
    )
const refusal = { statusCode: 413, message: 'Reading this text takes too much time or memory.' }

test.each([
  ['a pasted log', { text }],
  ['a part of a log', log],
  ['lmstat output', { text: status }],
])('%s that takes too long is refused, and read the next time', async (_, observation) => {
  await expect(store(observation, limitedThreads({ timeout: 1 }))).rejects.toMatchObject(refusal)
  const ada = await portal.as(ADA)
  const body = { customerNumber: CUSTOMER, serverId: HOST, observations: [observation] }
  expect(await ada(sendObservations, { body })).toMatchObject({ status: 200, body: { status: 'SUCCESS' } })
})

test('a text that takes too much memory is refused, and the portal serves on', async () => {
  const hungry = 'const all = []; for (;;) all.push(new Array(1000).fill(Math.random()))'
  const starts = [
    () => new Worker(hungry, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } }),
    () => new Worker(new URL('./log.worker.ts', import.meta.url)),
  ]
  const threads = limitedThreads({ startWorker: () => starts.shift()!() })
  const pasted = { text: text.replaceAll('read', 'memory') }
  await expect(store(pasted, threads)).rejects.toMatchObject(refusal)
  expect((await portal.app.inject('/healthz')).statusCode).toBe(200)
  expect(await store(pasted, threads)).toMatchObject([{ kind: 'log', outcome: 'stored' }])
})

test('open checkouts are compared with lmstat in a thread, after a log as after lmstat output', async () => {
  const tasks: string[] = []
  const threads = limitedThreads({
    startWorker: () => {
      const worker = new Worker(new URL('./log.worker.ts', import.meta.url))
      const send = worker.postMessage.bind(worker)
      worker.postMessage = (task) => {
        tasks.push(task.name)
        send(task)
      }
      return worker
    },
  })
  const logOf = (day: number) => ({
    text: `0:00:00 (lmgrd) TIMESTAMP 3/${day}/2026\n9:00:00 (sim) OUT: "gone" ann@pc  \n9:00:01 (sim) OUT: "gone" bob@pc  \n`,
  })
  const shown = `Flexible License Manager status on Wed 3/11/2026 14:05\nLicense server status: 1@a\nUsers of gone:  (Total of 9 licenses issued;  Total of 0 licenses in use)\n`
  await store(logOf(10), threads)
  await store({ text: shown }, threads)
  await store(logOf(11), threads)
  expect(tasks.filter((name) => name !== 'join')).toEqual(['log', 'status', 'gone', 'log', 'gone'])
  const { rows } = await portal.pool.query(
    `select count(*)::int as gone from license_checkout where host_id = $1 and gone_at = '2026-03-11 14:05'`,
    [HOST],
  )
  expect(rows).toEqual([{ gone: 4 }])
})
