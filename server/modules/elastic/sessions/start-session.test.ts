import type { Transaction } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startSession } from '#contract/elastic/sessions/elastic-sessions.ts'
import type { DB } from '#server/db/schema.ts'
import { CURRENT_RATES } from '#server/demo/parts/catalog.demo.ts'
import { saveIpRules, savePin, saveUsernames } from '#server/modules/elastic/credentials/credentials.queries.ts'
import { insertSessionPlanned } from '#server/modules/elastic/sessions/start-session.queries.ts'
import { addMeteredAccount, PIN, PRODUCT, sessionRequest } from '#server/testing/metering.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { bookRows, usageRow } from '#server/testing/usage.ts'

const ADDRESS = '192.0.2.7'
const MONTH = { from: new Date('2026-10-01'), to: new Date('2026-11-01') }
const OTHER_NETWORK = [{ name: 'Office', address: '198.51.100.0/24', network: '198.51.100.0/24' }]

let portal: Portal
let key: Record<string, string>
beforeAll(async () => {
  portal = await startPortal()
  key = (await giveServiceKey(portal, 'Metering', { scopes: ['sessions'] })).headers
  await addMeteredAccount(portal.db, 'T1')
})
afterAll(() => portal.close())

async function start(headers: Record<string, string> = {}, changes: object = {}) {
  const nobody = await portal.as(null)
  const answer = await nobody(startSession, { headers: { ...key, ...headers }, body: sessionRequest('T1', changes) })
  return answer.body as { status: string; code?: string; data: { sessionId: string } }
}

const countSessions = async () => (await portal.db.selectFrom('usage_transaction_running').selectAll().execute()).length

/** The names of the statements that a start runs outside of a transaction. */
async function statementsOf(act: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(portal.pool, 'query')
  await act()
  const names = query.mock.calls.map(([statement]) => (statement as unknown as { name: string }).name)
  query.mockRestore()
  return names
}

test('a usual start takes two statements outside of a transaction, and one when it was started before', async () => {
  const starting = (username: string) => async () =>
    expect((await start({}, { username, externalIp: '192.0.2.19' })).status).toBe('SUCCESS')
  expect(await statementsOf(starting('twice'))).toEqual(['start-facts', 'start-session-from-new-address'])
  expect(await statementsOf(starting('twice'))).toEqual(['start-session-relying'])
  expect(await statementsOf(starting('another'))).toEqual(['start-facts', 'start-session'])
})

test('a start with an Idempotency-Key starts one session, however often it is sent', async () => {
  const before = await countSessions()
  const answers = await Promise.all([1, 2, 3].map(() => start({ 'idempotency-key': 'one-session' })))
  expect(new Set(answers.map(({ data }) => data.sessionId)).size).toBe(1)
  expect(await countSessions()).toBe(before + 1)
})

test('starts at the same time each get a session of their own', async () => {
  const before = await countSessions()
  const answers = await Promise.all(Array.from({ length: 12 }, () => start()))
  expect(new Set(answers.map(({ data }) => data.sessionId)).size).toBe(12)
  expect(await countSessions()).toBe(before + 12)
})

test('a right PIN behind many wrong ones that are sent at once is refused', async () => {
  const guess = (pin: string) => start({}, { pin, externalIp: '203.0.113.40' })
  const wrong = Array.from({ length: 24 }, () => guess('000000'))
  const right = guess(PIN)
  const codes = (await Promise.all(wrong)).map(({ code }) => code)
  expect((await right).code).toBe('LOCKED')
  expect(codes.filter((code) => code === 'WRONG_PIN')).toHaveLength(3)
})

test('a wrong PIN that was counted after the check keeps the session from being written', async () => {
  const before = await countSessions()
  const session = {
    customerNumber: 'T1',
    serverId: 'server-T1',
    sessionId: 'T1.after-a-check',
    startedAt: portal.clock.now(),
    product: PRODUCT,
    productVersion: '',
    productCount: 1,
    feature: 'flow',
    userName: 'anna',
    host: 'ws1',
    project: null,
    externalIp: ADDRESS,
    rateTableVersion: CURRENT_RATES,
    activationId: 'T1-1',
    currency: 'AEU',
    unitsPerHour: '7.5',
  }
  const failure = { customer_number: 'T1', server_id: 'server-T1', external_ip: ADDRESS, failures: 1 }
  await portal.db
    .insertInto('pin_failure')
    .values({ ...failure, failed_at: portal.clock.now() })
    .execute()
  for (const was_right of [true, false]) {
    expect(await insertSessionPlanned(portal, session, { guesser: ADDRESS, was_right })).toBe(false)
    expect(await countSessions()).toBe(before)
  }
  expect(await insertSessionPlanned(portal, session, { guesser: '192.0.2.8', was_right: false })).toBe(true)
})

describe('what is remembered of a start', () => {
  const remembered = { serverId: 'server-T2', username: 'anna' }
  const startAgain = (changes: object = {}) => start({}, { ...remembered, externalIp: '192.0.2.20', ...changes })
  const server = { customerNumber: 'T2', deviceId: 'server-T2' }
  const by = { email: 'a test', at: new Date() }
  const inTransaction = (act: (tx: Transaction<DB>) => Promise<unknown>) => portal.db.transaction().execute(act)
  const entitlement = (id: string) =>
    portal.db.updateTable('entitlement').where('customer_number', '=', 'T2').where('activation_id', '=', id)
  const setExportStatus = (status: string) =>
    portal.db
      .updateTable('account')
      .set({ export_control_status: status })
      .where('customer_number', '=', 'T2')
      .execute()
  const setState = (state: 'Deployed' | 'Obsolete') =>
    portal.db.updateTable('entitlement').set({ state }).where('customer_number', '=', 'T2').execute()
  const renameProduct = (from: string, to: string) =>
    portal.db.updateTable('product').set({ name: to }).where('name', '=', from).execute()
  const sessionOf = ({ data }: { data: { sessionId: string } }) =>
    portal.db
      .selectFrom('usage_transaction_running')
      .select(['activation_id', 'units_per_hour'])
      .where('session_id', '=', data.sessionId)
      .executeTakeFirstOrThrow()
  const activationOf = async (started: { data: { sessionId: string } }) => (await sessionOf(started)).activation_id

  beforeAll(async () => {
    await addMeteredAccount(portal.db, 'T2', {
      sold: [
        { id: 'T2-1', units: 10, to: '2090-12-31' },
        { id: 'T2-2', units: 50 },
      ],
    })
  })

  const CHANGES: [name: string, change: () => Promise<unknown>, code: string, undo: () => Promise<unknown>][] = [
    [
      'another PIN',
      () => inTransaction((tx) => savePin(tx, server, '111111', by)),
      'WRONG_PIN',
      async () => {
        await inTransaction((tx) => savePin(tx, server, PIN, by))
        await portal.db.deleteFrom('pin_failure').where('customer_number', '=', 'T2').execute()
      },
    ],
    [
      'other usernames',
      () => inTransaction((tx) => saveUsernames(tx, server, ['berta'])),
      'USER_NOT_ALLOWED',
      () => inTransaction((tx) => saveUsernames(tx, server, [])),
    ],
    [
      'IP rules',
      () => inTransaction((tx) => saveIpRules(tx, server, OTHER_NETWORK)),
      'ADDRESS_NOT_ALLOWED',
      () => inTransaction((tx) => saveIpRules(tx, server, [])),
    ],
    ['the export status', () => setExportStatus('Denied'), 'EXPORT', () => setExportStatus('Approved')],
    [
      'a product without rates',
      () => renameProduct(PRODUCT, 'Renamed'),
      'UNKNOWN_PRODUCT',
      () => renameProduct('Renamed', PRODUCT),
    ],
    ['entitlements that are over', () => setState('Obsolete'), 'NO_BALANCE', () => setState('Deployed')],
  ]
  test.each(CHANGES)('%s is noticed by the next start', async (_name, change, code, undo) => {
    expect((await startAgain()).status).toBe('SUCCESS')
    await change()
    expect((await startAgain()).code).toBe(code)
    await undo()
    portal.clock.forward(61_000)
    expect((await startAgain()).status).toBe('SUCCESS')
  })

  test('an entitlement that ends earlier is drawn on at once', async () => {
    expect(await activationOf(await startAgain())).toBe('T2-1')
    await entitlement('T2-2').set({ end_date: '2080-12-31' }).execute()
    expect(await activationOf(await startAgain())).toBe('T2-2')
    await entitlement('T2-2').set({ end_date: '2099-12-31' }).execute()
    expect(await activationOf(await startAgain())).toBe('T2-1')
  })

  test('a new rate counts at once', async () => {
    const rate = (units: string) =>
      portal.db
        .updateTable('elastic_rate')
        .set({ units_per_hour: units })
        .where('rate_table_version', '=', CURRENT_RATES)
        .where('part_number', '=', (query) =>
          query.selectFrom('product').select('part_number').where('name', '=', PRODUCT),
        )
        .execute()
    const rateOf = async () => Number((await sessionOf(await startAgain())).units_per_hour)
    expect(await rateOf()).toBe(7.5)
    await rate('9')
    expect(await rateOf()).toBe(9)
    await rate('7.5')
  })

  test('what running sessions have cost meanwhile is not given away twice', async () => {
    await addMeteredAccount(portal.db, 'T3', { sold: [{ id: 'T3-1', units: 1 }] })
    const one = () => start({}, { serverId: 'server-T3' })
    expect((await one()).status).toBe('SUCCESS')
    portal.clock.forward(7 * 60_000)
    expect((await one()).status).toBe('SUCCESS')
    portal.clock.forward(60_000)
    expect((await one()).code).toBe('NO_BALANCE')
  })

  test('the next entitlement is drawn on when bookings have used up the first', async () => {
    await addMeteredAccount(portal.db, 'T4', {
      sold: [
        { id: 'T4-1', units: 5, to: '2090-12-31' },
        { id: 'T4-2', units: 50 },
      ],
    })
    const one = () => start({}, { serverId: 'server-T4' })
    expect(await activationOf(await one())).toBe('T4-1')
    await bookRows(portal.db, [usageRow({ customer_number: 'T4', activation_id: 'T4-1', charge: '5.00' })], MONTH)
    expect(await activationOf(await one())).toBe('T4-2')
    expect(await statementsOf(async () => expect(await activationOf(await one())).toBe('T4-2'))).toEqual([
      'start-session-relying',
    ])
  })

  test('another PIN is never compared with anything but the PIN', async () => {
    expect((await startAgain()).status).toBe('SUCCESS')
    expect((await startAgain({ pin: '000000' })).code).toBe('WRONG_PIN')
  })
})
