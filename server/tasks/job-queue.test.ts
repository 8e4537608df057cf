import Fastify from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isSharded } from '#server/scale-out/shard.queries.ts'
import type { Services } from '#server/services.ts'
import { defineJob } from '#server/tasks/job.ts'
import { type JobQueue, jobQueue } from '#server/tasks/job-queue.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { until } from '#server/testing/until.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

const log = Fastify({ logger: false }).log
const queues: JobQueue[] = []
afterEach(async () => {
  for (const queue of queues.splice(0)) await queue.stop(10_000)
})

async function started(...jobs: Parameters<JobQueue['start']>[0]): Promise<JobQueue> {
  const queue = jobQueue(database, log, { isSharded: await isSharded(database.db) })
  queues.push(queue)
  // The jobs of these tests use no services of the portal.
  await queue.start(jobs, {} as Services)
  return queue
}

describe('a job', () => {
  it('runs after its transaction committed, and never after a rollback', async () => {
    const done: string[] = []
    const note = defineJob<{ text: string }>({
      queue: 'note',
      async run({ text }) {
        done.push(text)
      },
    })
    const queue = await started(note)
    const send = (text: string, ends: 'well' | 'badly') =>
      database.db.transaction().execute(async (tx) => {
        await queue.send(tx, note, { text })
        if (ends === 'badly') throw new Error('changed my mind')
      })
    await expect(send('never', 'badly')).rejects.toThrow('changed my mind')
    await send('always', 'well')
    await until(() => done.length > 0, 'the job is never done')
    expect(done).toEqual(['always'])
  })

  it('is retried until it succeeds or its retries are used up', async () => {
    const tries: boolean[] = []
    const stubborn = defineJob({
      queue: 'stubborn',
      options: { retryLimit: 2, retryDelay: 0 },
      async run(_data, _services, { isLast }) {
        tries.push(isLast)
        throw new Error('not today')
      },
    })
    const queue = await started(stubborn)
    await queue.send(database.db, stubborn, {})
    await until(() => tries.length === 3, 'it was given up too early')
    expect(tries).toEqual([false, false, true])
  })

  it('is run once, however many processes look for it', async () => {
    const done: number[] = []
    const count = defineJob<{ number: number }>({
      queue: 'count',
      concurrency: 2,
      async run({ number }) {
        done.push(number)
      },
    })
    const queue = await started(count)
    await started(count)
    const numbers = Array.from({ length: 20 }, (_, number) => number)
    await database.db.transaction().execute(async (tx) => {
      for (const number of numbers) await queue.send(tx, count, { number })
    })
    await until(() => done.length >= numbers.length, 'some jobs are never done')
    for (const one of queues.splice(0)) await one.stop(10_000)
    expect(done.sort((a, b) => a - b)).toEqual(numbers)
  })

  it('is taken as soon as the one before it is done', async () => {
    const looks = 30
    let done = 0
    const busy = defineJob({
      queue: 'busy',
      async run() {
        done += 1
      },
    })
    const queue = await started(busy)
    await database.db.transaction().execute(async (tx) => {
      for (let job = 0; job < looks; job++) await queue.send(tx, busy, {})
    })
    // A worker that pauses a second after each job takes twice as long.
    await until(() => done === looks, 'the jobs wait', (looks / 2) * 1000)
  })

  it('waits for a process that knows its kind', async () => {
    const done: number[] = []
    const later = defineJob<{ n: number }>({
      queue: 'later',
      async run({ n }) {
        done.push(n)
      },
    })
    const sender = await started(later)
    await sender.stop(10_000)
    await sender.send(database.db, later, { n: 1 })
    expect(done).toEqual([])
    await started(later)
    await until(() => done.length === 1, 'nobody took it up')
  })

  it('that belongs to the start runs before all others', async () => {
    const order: string[] = []
    const first = defineJob({
      queue: 'first',
      async atStart() {
        order.push('at start')
      },
      async run() {
        order.push('job')
      },
    })
    const queue = await started(first)
    expect(order).toEqual(['at start'])
    await queue.send(database.db, first, {})
    await until(() => order.length === 2, 'the job is never done')
  })
})
