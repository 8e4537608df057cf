import { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { getAccountInfo } from '#contract/accounts/get-account-info.ts'
import { usageList } from '#contract/elastic/usage-list.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { openPools } from '#server/db/database.ts'
import { listCalls } from '#server/lists/list-calls.ts'
import { type Answer, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'

const CUSTOMER = '100001'
const VIC = 'vic.viewer@aerodyne.example'
const ADA = 'ada.admin@aerodyne.example'
const CORA = 'cora.coordinator@aerodyne.example'

let portal: Portal
let origin: string
beforeAll(async () => {
  portal = await startPortal()
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(portal.app.server.address() as AddressInfo).port}`
})
afterAll(() => portal.close())

/** Until the test says otherwise, every statement about usage takes as long as it may. */
async function holdUpUsage(): Promise<() => Promise<void>> {
  const holder = new pg.Client(portal.connection)
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table only usage_transaction in access exclusive mode')
  let isHeld = true
  const letGo = async () => {
    if (!isHeld) return
    isHeld = false
    await holder.query('rollback')
    await holder.end()
  }
  onTestFinished(letGo)
  return letGo
}

/** How many statements wait for the table that is held up. */
async function heldUp(): Promise<number> {
  const { rows } = await portal.pool.query(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0].n
}

const body = (more: object = {}) => ({ body: { customerNumber: CUSTOMER, ...more } })
const LIST_CALLS = [usageList.page, usageList.count, usageList.exportCsv] as const

test('slow lists of one person delay neither the sign-in nor the lists of others', async () => {
  const vic = await portal.as(VIC)
  const ada = await portal.as(ADA)
  const letGo = await holdUpUsage()
  const calls = Array.from({ length: 12 }, (_, i) => vic(LIST_CALLS[i % LIST_CALLS.length] ?? usageList.page, body()))
  await until(async () => (await heldUp()) > 0, 'no list call reached the database')
  expect(await heldUp()).toBe(1)

  expect((await portal.app.inject('/readyz')).statusCode).toBe(200)
  expect(await signIn(portal.app, CORA)).toMatch(/^session=/)
  expect((await ada(getAccountInfo, { params: { customerNumber: CUSTOMER } })).status).toBe(200)
  const adasList = ada(usageList.page, body())
  await until(async () => (await heldUp()) === 2, 'the other person’s list waits for the first one’s')

  await letGo()
  for (const answer of await Promise.all([...calls, adasList])) expect(answer.status).toBe(200)
})

test('runs one long filter of a person at a time, and short ones in parallel', async () => {
  const lists = listCalls(openPools(portal.pool))
  const running: { kilobytes: number; end(): void }[] = []
  const begin = (kilobytes: number) => {
    const answer = new ServerResponse(new IncomingMessage(new Socket()))
    return lists.run({ email: ADA, answer, isDownload: false, kilobytes }, () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      running.push({ kilobytes, end: resolve })
      return promise
    })
  }
  const endAll = async (calls: Promise<void>[]) => {
    let areDone = false
    const done = Promise.all(calls).then(() => {
      areDone = true
    })
    await until(() => {
      for (const { end } of running.splice(0)) end()
      return areDone
    }, 'a call never began')
    await done
  }
  // Calls run side by side once some of them were quick.
  await until(async () => {
    const calls = [begin(1), begin(1), begin(1)]
    await new Promise(setImmediate)
    const isTrusted = running.length === 3
    await endAll(calls)
    return isTrusted
  }, 'quick calls do not run side by side')

  const calls = [begin(60), begin(60), begin(60), begin(1), begin(1)]
  await new Promise(setImmediate)
  expect(running.map(({ kilobytes }) => kilobytes).sort()).toEqual([1, 1, 60])
  await endAll(calls)
})

test('answers 429 with Retry-After when the queue of a person is full', async () => {
  const sam = await portal.as('sam.support@vendor.example')
  const letGo = await holdUpUsage()
  const answers: Answer[] = []
  const calls = Array.from({ length: 1 + 60 + 5 }, () =>
    sam(usageList.count, body()).then((answer) => answers.push(answer)),
  )
  await until(() => answers.length === 5, 'no call was refused')
  for (const refused of answers) {
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY_REQUESTS', err: expect.stringMatching(/^Too many of your list requests/) },
    })
    expect(refused.headers['retry-after']).toBe('2')
  }
  await letGo()
  await Promise.all(calls)
  for (const answer of answers.slice(5)) expect(answer.status).toBe(200)
})

test('refuses a fifth simultaneous download of one person, and allows it once the others are done', async () => {
  const cora = await portal.as(CORA)
  const letGo = await holdUpUsage()
  const answers: Answer[] = []
  const five = Array.from({ length: 5 }, () => cora(usageList.exportCsv, body()).then((answer) => answers.push(answer)))
  await until(() => answers.length > 0, 'no download was refused')
  await letGo()
  await Promise.all(five)
  const [refused, ...others] = answers
  expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
  for (const answer of others) expect(answer.status).toBe(200)
  for (let i = 0; i < 5; i++) expect((await cora(usageList.exportCsv, body())).status).toBe(200)
})

test('refuses every kind of list call with LIST_TIMEOUT when its statement takes too long', {
  timeout: 30_000,
}, async () => {
  await holdUpUsage()
  const calls: [person: string, operation: Operation, more: object][] = [
    [ADA, usageList.page, {}],
    [CORA, usageList.page, { sorting: [{ name: 'Charge', direction: 'asc' }] }],
    [VIC, usageList.count, {}],
    ['olivia.ops@vendor.example', usageList.distinct, { key: 'Product' }],
    ['sara.sales@vendor.example', usageList.exportCsv, {}],
  ]
  const answers = await Promise.all(
    calls.map(async ([person, operation, more]) => (await portal.as(person))(operation, body(more))),
  )
  for (const answer of answers)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'FAILURE',
        code: 'LIST_TIMEOUT',
        err: 'data request timeout: this list takes too long to read. Narrow the filter and try again.',
      },
    })
})

test('cancels the statement of a caller who disconnects, and drops their waiting calls', async () => {
  const cookie = await signIn(portal.app, ADA)
  await holdUpUsage()
  const leaving = new AbortController()
  const send = () =>
    fetch(`${origin}${usageList.count.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body().body),
      signal: leaving.signal,
    }).catch(() => undefined)
  const calls = [send(), send(), send()]
  await until(async () => (await heldUp()) === 1, 'no list call reached the database')
  leaving.abort()
  await Promise.all(calls)
  await until(async () => (await heldUp()) === 0, 'the statement was not canceled', 4_000)
})
