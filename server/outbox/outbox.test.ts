import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { sql, type Transaction } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DB } from '#server/db/schema.ts'
import { deliverNextMessage, nextAttempt } from '#server/outbox/deliver-message.ts'
import { type AnyLane, defineLane, type Lane, UndeliverableError } from '#server/outbox/lane.ts'
import { countMessages, insertMessage } from '#server/outbox/outbox.queries.ts'
import { outboxWorker } from '#server/outbox/outbox-worker.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { TurnedClock } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'

type Note = { readonly text: string }
const log = Fastify({ logger: false }).log
let database: Awaited<ReturnType<typeof freshDatabase>>
let clock: TurnedClock
beforeEach(async () => {
  database = await freshDatabase()
  clock = new TurnedClock()
})
afterEach(() => database.close())

const parts = () => ({ db: database.db, clock, log })
const deliverNext = (lane: AnyLane) => deliverNextMessage(lane, parts())

async function queue(lane: string, text = 'hello'): Promise<string> {
  const id = randomUUID()
  const message = { id, lane, payload: { text } satisfies Note, at: clock.now() }
  await database.db.transaction().execute((tx) => insertMessage(tx, message))
  return id
}

const stored = () => database.db.selectFrom('outbox_message').selectAll().orderBy('queued_at').execute()

function lane(name: string, more: Partial<Lane<Note>> = {}) {
  const delivered: string[] = []
  const made = defineLane<Note>({
    lane: name,
    noun: 'note',
    async deliver({ payload }) {
      delivered.push(payload.text)
      return {}
    },
    ...more,
  })
  return { ...made, delivered }
}

const brokenStatement = (tx: Transaction<DB>) => sql`select 1 / 0`.execute(tx)

describe('a message', () => {
  test('leaves its id in the log, and not the addresses that the receiver repeats', async () => {
    const lines: string[] = []
    const { log } = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
    const errors = [
      new Error('450 <ada@aerodyne.example> busy'),
      new UndeliverableError('550 <ada@aerodyne.example> unknown'),
    ]
    const notes = lane('notes', { deliver: () => Promise.reject(errors.shift()) })
    const id = await queue('notes')
    await deliverNextMessage(notes, { ...parts(), log })
    clock.forward(5000)
    await deliverNextMessage(notes, { ...parts(), log })
    expect(lines.map((line) => JSON.parse(line).message)).toEqual([id, id])
    expect(lines.join()).not.toContain('ada')
  })

  test('is delivered by its lane and then deleted', async () => {
    const notes = lane('notes')
    await queue('notes')
    expect(await deliverNext(lane('others'))).toBe(false)
    expect(await deliverNext(notes)).toBe(true)
    expect(notes.delivered).toEqual(['hello'])
    expect(await stored()).toEqual([])
  })

  test('is retried with growing pauses, and fails at once when a retry cannot help', async () => {
    const errors = [new Error('busy\0'), new UndeliverableError('no such receiver')]
    const outcomes: unknown[] = []
    const notes = lane('notes', {
      deliver: () => Promise.reject(errors.shift()),
      async recordAttempt(_tx, { payload }, { state, attempts, trouble }) {
        outcomes.push([payload.text, state, attempts, trouble])
      },
    })
    await queue('notes')
    await deliverNext(notes)
    const next_attempt_at = new Date(clock.now().getTime() + 5000)
    expect(await stored()).toMatchObject([{ state: 'queued', attempts: 1, trouble: 'busy', next_attempt_at }])
    expect(await deliverNext(notes), 'not before its time').toBe(false)
    clock.forward(5000)
    await deliverNext(notes)
    expect(await stored()).toMatchObject([{ state: 'failed', attempts: 2, trouble: 'no such receiver' }])
    expect(outcomes).toEqual([
      ['hello', 'queued', 1, 'busy'],
      ['hello', 'failed', 2, 'no such receiver'],
    ])
  })

  test('whose SQL statement fails is retried like any other, and does not block the next', async () => {
    const notes = lane('notes', {
      async deliver({ payload }, tx) {
        if (payload.text === 'broken') await brokenStatement(tx)
        return {}
      },
    })
    await queue('notes', 'broken')
    await deliverNext(notes)
    expect(await stored()).toMatchObject([{ state: 'queued', attempts: 1, trouble: 'division by zero' }])
    await queue('notes')
    expect(await deliverNext(notes)).toBe(true)
    expect(await stored()).toHaveLength(1)
  })

  test('is not delivered twice when its outcome cannot be recorded', async () => {
    const notes = lane('notes', {
      async recordAttempt(tx) {
        await brokenStatement(tx)
      },
    })
    await queue('notes')
    expect(await deliverNext(notes)).toBe(true)
    expect(await deliverNext(notes)).toBe(false)
    expect(notes.delivered).toEqual(['hello'])
  })
})

test('messages wait for a process that can deliver them', async () => {
  const { deliver: _, ...mute } = lane('notes')
  const worker = outboxWorker([mute], parts())
  worker.start()
  await queue('notes')
  await worker.stop()
  expect(await stored()).toMatchObject([{ state: 'queued', attempts: 0 }])
})

test('a slow receiver blocks its own lane only', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const slow = lane('slow', { deliver: () => released.then(() => ({})) })
  const quick = lane('quick')
  const worker = outboxWorker([slow, quick], parts())
  await queue('slow')
  worker.start()
  await until(() => worker.sending().length > 0, 'the slow message was not taken')
  await queue('quick')
  await until(() => quick.delivered.length > 0, 'the quick message waits for the slow one')
  expect(worker.sending()).toEqual(['note'])
  release()
  await worker.stop()
  expect(await stored()).toEqual([])
})

test('messages are counted by lane and state', async () => {
  for (const name of ['notes', 'notes', 'others']) await queue(name)
  await deliverNext(lane('others', { deliver: () => Promise.reject(new UndeliverableError('no')) }))
  expect(await countMessages(database.db)).toEqual([
    { lane: 'notes', state: 'queued', count: 2 },
    { lane: 'others', state: 'failed', count: 1 },
  ])
})

describe('nextAttempt', () => {
  const queued = new Date('2026-11-15T12:00:00Z')
  const after = (seconds: number) => new Date(queued.getTime() + seconds * 1000)
  const DAY = 24 * 3600

  test.each([
    [1, 0, 5],
    [2, 5, 10],
    [3, 15, 20],
    [10, 3000, 2560],
    [11, 6000, 3600],
    [500, 3 * DAY, 3600],
  ])('after %d failures, %d s after it was queued, the next attempt is in %d s', (failures, age, pause) => {
    expect(nextAttempt(failures, queued, after(age))).toEqual(after(age + pause))
  })

  test('gives up after four days', () => {
    expect(nextAttempt(100, queued, after(4 * DAY - 3600))).toEqual(after(4 * DAY))
    expect(nextAttempt(100, queued, after(4 * DAY - 3599))).toBeNull()
  })
})
