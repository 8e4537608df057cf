import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startSession } from '#contract/elastic/elastic-sessions.ts'
import { addPinFailure } from '#server/modules/elastic/pin-failures.queries.ts'
import { insertSessionPlanned } from '#server/modules/elastic/usage-booking.queries.ts'
import { addMeteredAccount, PIN, PRODUCT } from '#server/testing/metering.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { runningRow } from '#server/testing/usage.ts'

const ADDRESS = '192.0.2.7'

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
  const body = { serverId: 'server-T1', pin: PIN, username: 'anna', host: 'ws1', product: PRODUCT, count: 1 }
  const answer = await nobody(startSession, {
    headers: { ...key, ...headers },
    body: { ...body, externalIp: ADDRESS, ...changes },
  })
  return answer.body as { status: string; code?: string; data: { sessionId: string } }
}

const countSessions = async () => (await portal.db.selectFrom('elastic_session').selectAll().execute()).length

test('a usual start takes two statements outside of a transaction', async () => {
  const query = vi.spyOn(portal.pool, 'query')
  expect((await start()).status).toBe('SUCCESS')
  const statements = query.mock.calls.map(([statement]) => (statement as unknown as { name: string }).name)
  expect(statements).toEqual(['start-facts', 'start-session'])
  query.mockRestore()
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
  const usage = { ...runningRow({ customer_number: 'T1' }), started_at: portal.clock.now(), activation_id: 'T1-1' }
  const session = { usage, unitsPerHour: '7.5' }
  const failure = { customer_number: 'T1', server_id: 'server-T1', external_ip: ADDRESS }
  await addPinFailure(portal.db, failure, portal.clock.now())
  expect(await insertSessionPlanned(portal, session, ADDRESS)).toBe(false)
  expect(await countSessions()).toBe(before)
  expect(await insertSessionPlanned(portal, session, '192.0.2.8')).toBe(true)
})
