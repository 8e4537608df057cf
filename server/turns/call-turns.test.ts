import http, { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { getAccountInfo } from '#contract/accounts/get-account-info.ts'
import { getUserDetails } from '#contract/accounts/get-user-details.ts'
import { allEntitlements } from '#contract/activations/seats/activations.ts'
import { accountRecords } from '#contract/data/accounts.ts'
import { productRecords } from '#contract/data/products.ts'
import { recordOperations } from '#contract/data/record-operations.ts'
import { getRunOutForecast } from '#contract/elastic/balances/run-out-forecast.ts'
import { getChargeback } from '#contract/elastic/statements/chargeback.ts'
import { getStatement, getStatementPdf } from '#contract/elastic/statements/statements.ts'
import { sendUsage } from '#contract/elastic/usage/send-usage.ts'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import { activeEntitlementList } from '#contract/entitlements/entitlement-list.ts'
import { getAccountHome } from '#contract/home/account-home.ts'
import { getAccountsHome } from '#contract/home/accounts-home.ts'
import { type Operation, takesTurns } from '#contract/kit/operation.ts'
import { OPERATIONS } from '#contract/operations.ts'
import { exportOptimization, getOptimization, getOptimizationPdf } from '#contract/optimization/optimization.ts'
import { search } from '#contract/search/search.ts'
import { whoami } from '#contract/service/whoami.ts'
import { exportWebReport, getWebReport, getWebReportPdf } from '#contract/web-licenses/web-report.ts'
import { openPools } from '#server/db/database.ts'
import { sentTransaction } from '#server/testing/metering.ts'
import { type Answer, type CallParts, callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { until } from '#server/testing/until.ts'
import { callTurns } from '#server/turns/call-turns.ts'

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

/** Until the test releases it, every statement about the table runs into its timeout. */
async function holdUp(table: 'usage_transaction' | 'product'): Promise<() => Promise<void>> {
  const holder = new pg.Client(portal.connection)
  await holder.connect()
  await holder.query('begin')
  await holder.query(`lock table only ${table} in access exclusive mode`)
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
const holdUpUsage = () => holdUp('usage_transaction')

/** Number of statements that wait for the blocked table. */
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
  const { run } = callTurns(openPools(portal.pool))
  const running: { kilobytes: number; end(): void }[] = []
  const begin = (kilobytes: number) => {
    const answer = new ServerResponse(new IncomingMessage(new Socket()))
    return run({ caller: ADA, answer, isDownload: false, filterKilobytes: kilobytes }, () => {
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
  const refused = () => answers.filter(({ status }) => status === 429)
  await until(() => refused().length > 0, 'no call was refused')
  await letGo()
  await Promise.all(calls)
  for (const answer of refused()) {
    expect(answer.body).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      err: expect.stringMatching(/^Too many of your requests/),
    })
    expect(answer.headers['retry-after']).toBe('2')
  }
  const served = answers.filter(({ status }) => status === 200)
  // On a slow machine the statement of the first call times out before the last call is sent, so that more may wait.
  expect(served.length).toBeGreaterThanOrEqual(1 + 60)
  expect(served.length + refused().length).toBe(answers.length)
})

const MONTH = { from: '2026-09-01', to: '2026-09-30' }
const READS: [operation: Operation, more?: object][] = [
  [getWebReport, MONTH],
  [exportWebReport, { ...MONTH, table: 'days' }],
  [getWebReportPdf, MONTH],
  [getOptimization, MONTH],
  [exportOptimization, MONTH],
  [getOptimizationPdf, MONTH],
  [getChargeback, { ...MONTH, by: 'user' }],
  [getStatement, MONTH],
  [getStatementPdf, MONTH],
  [getRunOutForecast],
  [getAccountHome],
  [search, { text: 'flow' }],
  [allEntitlements],
  [activeEntitlementList.page],
]

/**
 * Sends more blocked calls than may run and wait, and keeps it so: a blocked statement times out after 5 seconds, and its
 * call is sent again. Returns how to stop.
 */
async function fillQueue(send: () => Promise<Answer>, senders = 1 + 60 + 1): Promise<() => Promise<void>> {
  let isOpen = true
  let refusals = 0
  const sending = Array.from({ length: senders }, async () => {
    while (isOpen) {
      if ((await send()).status !== 429) continue
      refusals++
      await sleep(20)
    }
  })
  await until(() => refusals > 0, 'no call was refused')
  return async () => {
    isOpen = false
    await Promise.all(sending)
  }
}

/** Each is sent until it is refused: it may take a place that a timeout has left. */
const expectRefusals = (calls: readonly (readonly [operation: Operation, send: () => Promise<Answer>])[]) =>
  Promise.all(
    calls.map(([{ name }, send]) =>
      until(async () => {
        const { status, headers } = await send()
        return status === 429 && headers['retry-after'] === '2'
      }, `${name} takes no turns`),
    ),
  )

test('every read of a person takes turns, except reads that are always quick', async () => {
  const [olivia, ada] = [await portal.as('olivia.ops@vendor.example'), await portal.as(ADA)]
  const letGo = await holdUpUsage()
  const stop = await fillQueue(() => olivia(usageList.count, body()))
  const reads = READS.map(([operation, more]) => [operation, () => olivia(operation, body(more))] as const)
  await expectRefusals([...reads, [getAccountsHome, () => olivia(getAccountsHome)]])
  expect((await olivia(getUserDetails)).status).toBe(200)
  expect((await olivia(getAccountInfo, { params: { customerNumber: CUSTOMER } })).status).toBe(200)
  expect((await ada(search, body({ text: 'flow' }))).status).toBe(200)
  await letGo()
  await stop()
})

test('lists and batches of a service key take turns, and leave other keys and people alone', async () => {
  const [key, other] = [await giveServiceKey(portal, 'Busy'), await giveServiceKey(portal, 'Another')]
  const call = (operation: Operation, parts: CallParts = {}, { headers } = key) =>
    callOperation(portal.app, operation, undefined, { headers, ...parts })
  const accounts = recordOperations(accountRecords)
  const letGo = await holdUp('product')
  const stop = await fillQueue(() => call(recordOperations(productRecords).list))
  const batches: [operation: Operation, parts?: CallParts][] = [
    [accounts.list],
    // Invalid, but the body was not read.
    [accounts.save, { body: { records: 'none' } }],
    [accounts.revoke, { body: { ids: ['1'] } }],
    [sendUsage, { body: { transactions: [sentTransaction(portal, CUSTOMER)] } }],
  ]
  await expectRefusals(batches.map(([operation, parts]) => [operation, () => call(operation, parts)]))
  expect((await call(whoami)).status).toBe(200)
  expect((await call(accounts.get, { params: { id: CUSTOMER } })).status).toBe(200)
  expect((await call(accounts.list, {}, other)).status).toBe(200)
  expect((await (await portal.as(ADA))(search, body({ text: 'flow' }))).status).toBe(200)
  await letGo()
  await stop()
})

test('a batch ends its turn with its answer, whatever that is', async () => {
  const { headers } = await giveServiceKey(portal, 'Batches')
  const { save } = recordOperations(accountRecords)
  const send = (body: object) => callOperation(portal.app, save, undefined, { headers, body })
  const statuses: number[] = []
  for (const body of [{ records: 'none' }, { records: [{}] }, {}, { records: [{}] }])
    statuses.push((await send(body)).status)
  expect(statuses).toEqual([400, 200, 400, 200])
  const atOnce = await Promise.all([{ records: 'none' }, { records: [{}] }, {}, { records: [{}] }].map(send))
  expect(atOnce.map(({ status }) => status)).toEqual([400, 200, 400, 200])
})

test('a batch whose sender disconnects before its body has arrived leaves its turn to the next one', async () => {
  const { headers } = await giveServiceKey(portal, 'Leaving')
  const { save } = recordOperations(accountRecords)
  const { port } = portal.app.server.address() as AddressInfo
  const begun = http.request({
    port,
    host: '127.0.0.1',
    path: save.path,
    method: save.method,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': 1000 },
  })
  begun.on('error', () => {})
  begun.flushHeaders()
  const isKeyUsed = async () => {
    const used = `select from service_key where name = 'Leaving' and last_used_at is not null`
    return (await portal.pool.query(used)).rows.length > 0
  }
  await until(isKeyUsed, 'the call never arrived')
  const next = callOperation(portal.app, save, undefined, { headers, body: { records: [{}] } })
  begun.destroy()
  expect((await next).status).toBe(200)
})

test('reads take turns by default, and writes only in large batches and where they make files', () => {
  const named = (operations: readonly Operation[]) => operations.map(({ name }) => name).sort()
  const quickReads = OPERATIONS.filter((one) => !one.writes && !takesTurns(one) && !one.name.endsWith('/get'))
  expect(named(quickReads)).toEqual([
    'emails/attachment',
    'emails/body',
    'fulfillments/plan',
    'getBuildInfo',
    'getFeatures',
    'getPreferences',
    'getRecentAccounts',
    'getUserDetails',
    'getaccountinfo',
    'license-servers/options/file',
    'license-use/free',
    'license-use/metrics',
    'license-use/waiting/one',
    'notifications/active',
    'notifications/one',
    'notifications/stream',
    'scim/config',
    'scim/groups/one',
    'scim/resource-types',
    'scim/resource-types/one',
    'scim/schemas',
    'scim/schemas/one',
    'scim/users/one',
    'service/license-use/free',
    'service/whoami',
    'tableviews',
    'tasks',
    'tasks/file',
    'tasks/status',
  ])
  const batches = OPERATIONS.filter((one) => one.writes && takesTurns(one))
  const large = OPERATIONS.filter((one) => one.writes && (one.upload || (one.bodyLimit ?? 0) > 1024 * 1024))
  // Mails with files read as much as a report does, and the start of an upload reads a part of it.
  const others = [
    'fetchUsage/email',
    'getEntitlements/forecast/email',
    'license-use/uploads/start',
    // Changes what all people of a group get.
    'provisioning/mapping',
    // A provider sends many changes at once.
    ...['users', 'groups'].flatMap((of) =>
      ['create', 'delete', 'patch', 'replace'].map((does) => `scim/${of}/${does}`),
    ),
    'statements/chargeback/email',
    'statements/email',
  ]
  expect(named(batches)).toEqual([...named(large), ...others].sort())
})

test('refuses a fifth simultaneous download of one person, and allows it once the others are done', async () => {
  const cora = await portal.as(CORA)
  const letGo = await holdUpUsage()
  const stop = await fillQueue(() => cora(usageList.exportCsv, body()), 5)
  await letGo()
  await stop()
  for (let i = 0; i < 5; i++) expect((await cora(usageList.exportCsv, body())).status).toBe(200)
})

test('refuses every kind of list call with LIST_TIMEOUT when its statement takes too long', async () => {
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
        err: 'data request timeout: this takes too long to read. Narrow the filter or the dates and try again.',
      },
    })
})

test('cancels the statement of a caller who disconnects, and drops their waiting calls, reports among them', async () => {
  const cookie = await signIn(portal.app, ADA)
  await holdUpUsage()
  const leaving = new AbortController()
  const send = ({ path }: Operation, more: object = {}) =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body(more).body),
      signal: leaving.signal,
    }).catch(() => undefined)
  const calls = [send(getOptimization, MONTH), send(getOptimization, MONTH), send(usageList.count)]
  await until(async () => (await heldUp()) === 1, 'no call reached the database')
  leaving.abort()
  await Promise.all(calls)
  await until(async () => (await heldUp()) === 0, 'the statement was not canceled', 4_000)
})
