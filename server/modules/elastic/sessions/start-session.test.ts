import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSession } from '#contract/elastic/sessions/elastic-sessions.ts'
import { CURRENT_RATES } from '#server/demo/parts/catalog.demo.ts'
import { lockPinAttempts } from '#server/modules/elastic/credentials/pin-failures.queries.ts'
import { addMeteredAccount, PIN, PRODUCT, sessionRequest } from '#server/testing/metering.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { until } from '#server/testing/until.ts'
import { bookRows, usageRow } from '#server/testing/usage.ts'

const MONTH = { from: new Date('2026-10-01'), to: new Date('2026-11-01') }

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

test('a start waits for a guess that another process is trying, and counts it', async () => {
  const before = await countSessions()
  const guesser = '203.0.113.41'
  const waiting = () =>
    sql`select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(portal.db)
  const started = await portal.db.transaction().execute(async (tx) => {
    await lockPinAttempts(tx, 'server-T1', guesser)
    const answer = start({}, { externalIp: guesser })
    await until(async () => (await waiting()).rows.length === 1, 'nobody waits')
    const failure = { customer_number: 'T1', server_id: 'server-T1', external_ip: guesser, failures: 3 }
    await tx
      .insertInto('pin_failure')
      .values({ ...failure, failed_at: portal.clock.now() })
      .execute()
    return { answer }
  })
  expect((await started.answer).code).toBe('LOCKED')
  expect(await countSessions()).toBe(before)
})

describe('a session is paid for', () => {
  const startOn = (customerNumber: string) => start({}, { serverId: `server-${customerNumber}` })
  const sessionOf = ({ data }: { data: { sessionId: string } }) =>
    portal.db
      .selectFrom('usage_transaction_running')
      .select(['activation_id', 'units_per_hour'])
      .where('session_id', '=', data.sessionId)
      .executeTakeFirstOrThrow()
  const payerOf = async (customerNumber: string) => (await sessionOf(await startOn(customerNumber))).activation_id

  test('the entitlement that ends first pays, as soon as its end date is changed', async () => {
    const sold = [
      { id: 'T2-1', units: 10, to: '2090-12-31' },
      { id: 'T2-2', units: 50 },
    ]
    await addMeteredAccount(portal.db, 'T2', { sold })
    expect(await payerOf('T2')).toBe('T2-1')
    await portal.db
      .updateTable('entitlement')
      .set({ end_date: '2080-12-31' })
      .where('customer_number', '=', 'T2')
      .where('activation_id', '=', 'T2-2')
      .execute()
    expect(await payerOf('T2')).toBe('T2-2')
  })

  test('the next entitlement pays once bookings have used up the first', async () => {
    const sold = [
      { id: 'T4-1', units: 5, to: '2090-12-31' },
      { id: 'T4-2', units: 50 },
    ]
    await addMeteredAccount(portal.db, 'T4', { sold })
    expect(await payerOf('T4')).toBe('T4-1')
    await bookRows(portal.db, [usageRow({ customer_number: 'T4', activation_id: 'T4-1', charge: '5.00' })], MONTH)
    expect(await payerOf('T4')).toBe('T4-2')
  })

  test('the rate of its start counts, and a new rate counts from the next start', async () => {
    await addMeteredAccount(portal.db, 'T5')
    const setRate = (units: string) =>
      portal.db
        .updateTable('elastic_rate')
        .set({ units_per_hour: units })
        .where('rate_table_version', '=', CURRENT_RATES)
        .where('part_number', '=', (query) =>
          query.selectFrom('product').select('part_number').where('name', '=', PRODUCT),
        )
        .execute()
    const rateOf = async (started: { data: { sessionId: string } }) => Number((await sessionOf(started)).units_per_hour)
    const first = await startOn('T5')
    await setRate('9')
    expect(await rateOf(await startOn('T5'))).toBe(9)
    expect(await rateOf(first)).toBe(7.5)
    await setRate('7.5')
  })
})
