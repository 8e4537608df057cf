import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { denialList } from '#contract/elastic/denial-list.ts'
import { getEntitlements } from '#contract/elastic/elastic-entitlements.ts'
import { endSession, sendHeartbeat, startSession } from '#contract/elastic/elastic-sessions.ts'
import { lastUpdatedOn } from '#contract/elastic/last-updated-on.ts'
import { listPinLocks, unlockPin } from '#contract/elastic/pin-locks.ts'
import { usageList } from '#contract/elastic/usage-list.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { sessionCharge } from '#domain/elastic/session-charge.ts'
import { closeSession } from '#domain/elastic/session-life.ts'
import { findUsageVersion } from '#server/modules/elastic/elastic-servers.queries.ts'
import { closeSilentSessions } from '#server/modules/elastic/keep-session.ts'
import { accruedCharge } from '#server/modules/elastic/sessions.queries.ts'
import { ensureUsagePartitions } from '#server/modules/elastic/usage-partitions.queries.ts'
import {
  addMeteredAccount,
  bookedCharges,
  type MeteredPortal,
  PIN,
  PRODUCT,
  sessionRequest,
  startMeteredPortal,
} from '#server/testing/metering.ts'
import { bookRows, driftedDays, runningRow } from '#server/testing/usage.ts'

const MINUTE = 60_000

let portal: MeteredPortal
beforeAll(async () => {
  portal = await startMeteredPortal('sessions')
})
afterAll(() => portal.close())

const call = (operation: Operation, { body, sessionId }: { body?: unknown; sessionId?: string }) =>
  portal.call(operation, { ...(body ? { body } : {}), ...(sessionId ? { params: { sessionId } } : {}) })
const start = async (customerNumber: string, changes: object = {}) =>
  (await call(startSession, { body: sessionRequest(customerNumber, changes) })).body as {
    status: string
    code?: string
    err?: string
    data: { sessionId: string; heartbeatSeconds: number }
  }
const end = async (sessionId: string) => (await call(endSession, { sessionId })).body
const heartbeat = async (sessionId: string) => (await call(sendHeartbeat, { sessionId })).body
async function denials(customerNumber: string) {
  const olivia = await portal.asOlivia()
  const { body } = await olivia(denialList.page, { body: { customerNumber } })
  return (body.data as { Reason: string }[]).map(({ Reason }) => Reason)
}
async function usage(customerNumber: string) {
  const olivia = await portal.asOlivia()
  const { body } = await olivia(usageList.page, { body: { customerNumber } })
  return body.data as Record<string, unknown>[]
}

describe('a session', () => {
  it('shows as active at once, is kept by heartbeats, and is booked when it ends', async () => {
    await addMeteredAccount(portal.db, 'S1')
    const { status, data } = await start('S1', { count: 2, project: 'Wing', version: '2026 R1' })
    expect(status).toBe('SUCCESS')
    expect(data.heartbeatSeconds).toBe(300)
    expect(await usage('S1')).toMatchObject([
      {
        Active: true,
        Product: PRODUCT,
        ProductCount: 2,
        Project: 'Wing',
        User: 'anna',
        Charge: null,
        DeviceID: data.sessionId,
      },
    ])
    portal.clock.forward(10 * MINUTE)
    expect(await heartbeat(data.sessionId)).toMatchObject({ status: 'SUCCESS', data: { heartbeatSeconds: 300 } })
    portal.clock.forward(10 * MINUTE)
    expect(await end(data.sessionId)).toEqual({ status: 'SUCCESS', data: { hours: '0.33', charge: '5.00' } })
    expect(await usage('S1')).toMatchObject([
      { Active: false, Charge: 5, ActivationID: 'S1-1', SessionStatus: 'Completed', RateFileVersion: '2026R1.3' },
    ])
    const olivia = await portal.asOlivia()
    const { body } = await olivia(getEntitlements, { body: { customerNumber: 'S1' } })
    expect(body.data).toMatchObject([{ Used: 5 }])
    expect(await driftedDays(portal.db, ['S1'])).toEqual([])
  })

  it('is booked once, however often it is ended', async () => {
    await addMeteredAccount(portal.db, 'S2')
    const { data } = await start('S2')
    portal.clock.forward(4 * MINUTE)
    const answers = await Promise.all([1, 2, 3].map(() => end(data.sessionId)))
    for (const answer of answers) expect(answer).toEqual({ status: 'SUCCESS', data: { hours: '0.07', charge: '0.50' } })
    expect(await bookedCharges(portal.db, 'S2')).toEqual({ 'S2-1': '0.50' })
    expect(await heartbeat(data.sessionId)).toMatchObject({ status: 'FAILURE', code: 'SESSION_ENDED' })
  })

  it('is closed 15 minutes after its last heartbeat, whenever that is noticed', async () => {
    await addMeteredAccount(portal.db, 'S3')
    const { data } = await start('S3')
    portal.clock.forward(5 * MINUTE)
    await heartbeat(data.sessionId)
    portal.clock.forward(14 * MINUTE)
    await closeSilentSessions(portal)
    expect(await usage('S3')).toMatchObject([{ Active: true }])
    portal.clock.forward(40 * MINUTE)
    expect(await heartbeat(data.sessionId)).toMatchObject({ code: 'SESSION_ENDED' })
    await closeSilentSessions(portal)
    expect(await usage('S3')).toMatchObject([{ Active: false, SessionStatus: 'Timed out', Length: 1200, Charge: 2.5 }])
    expect(await end(data.sessionId)).toEqual({ status: 'SUCCESS', data: { hours: '0.33', charge: '2.50' } })
  })

  it('continues on the next entitlement as a transaction of its own', async () => {
    await addMeteredAccount(portal.db, 'S4', {
      sold: [
        { id: 'S4-later', units: 1, to: '2098-01-01' },
        { id: 'S4-first', units: 2, to: '2097-01-01' },
        { id: 'S4-expired', units: 50, to: '2021-01-01' },
        { id: 'S4-other', units: 50, currency: 'AEC' },
      ],
    })
    const { data } = await start('S4', { count: 10 })
    portal.clock.forward(4 * MINUTE)
    expect(await end(data.sessionId)).toMatchObject({ data: { hours: '0.07', charge: '5.00' } })
    expect(await bookedCharges(portal.db, 'S4')).toEqual({ 'S4-first': '2.00', 'S4-later': '3.00' })
    const rows = await usage('S4')
    expect(rows.map(({ DeviceID, Hours }) => [DeviceID, Hours])).toEqual([
      [data.sessionId, 0.01],
      [data.sessionId, 0.07],
    ])
    expect(await end(data.sessionId)).toMatchObject({ data: { hours: '0.07', charge: '5.00' } })
    expect(await driftedDays(portal.db, ['S4'])).toEqual([])
  })

  it('is unknown to other accounts and after a wrong id', async () => {
    for (const operation of [sendHeartbeat, endSession]) {
      const { status, body } = await call(operation, { sessionId: 'S1.00000000-0000-4000-8000-000000000000' })
      expect([status, body.code]).toEqual([404, 'NOT_FOUND'])
      expect((await call(operation, { sessionId: 'nonsense' })).status).toBe(400)
    }
  })

  it('starts on an account with running sessions that were not started here', async () => {
    await addMeteredAccount(portal.db, 'S6')
    await bookRows(portal.db, [runningRow({ customer_number: 'S6' })], { from: new Date(), to: new Date() })
    for (let again = 0; again < 2; again++) expect((await start('S6')).status).toBe('SUCCESS')
    portal.clock.forward(20 * MINUTE)
    await closeSilentSessions(portal)
    expect((await usage('S6')).map(({ Active }) => Active)).toEqual([false, false, true])
  })

  it('is closed also if one of another account cannot be', async () => {
    await addMeteredAccount(portal.db, 'SA')
    await addMeteredAccount(portal.db, 'SB')
    const longAgo = runningRow({ customer_number: 'SA', activation_id: 'SA-1', started_at: new Date('2001-01-01') })
    await bookRows(portal.db, [longAgo], { from: new Date(), to: new Date() })
    await sql`update usage_transaction set last_heartbeat_at = '2001-01-01', units_per_hour = 1
      where customer_number = 'SA'`.execute(portal.db)
    await start('SB')
    portal.clock.forward(20 * MINUTE)
    await expect(closeSilentSessions(portal)).rejects.toThrow('silent sessions could not be closed')
    expect(await usage('SB')).toMatchObject([{ Active: false }])
    const months = { from: new Date('2001-01-01'), to: new Date('2001-01-31') }
    await ensureUsagePartitions(portal.db, months)
    await closeSilentSessions(portal)
    expect(await usage('SA')).toMatchObject([{ Active: false }])
  })

  it('is the last received transaction when it starts, and when it ends', async () => {
    await addMeteredAccount(portal.db, 'S7')
    const received = async () => {
      const olivia = await portal.asOlivia()
      const { body } = await olivia(lastUpdatedOn, { query: { customerNumber: 'S7' } })
      return [body.lastUpdatedOn, await findUsageVersion(portal.db, 'S7')] as const
    }
    const [, unused] = await received()
    const { data } = await start('S7')
    const [startedAt, started] = await received()
    expect(startedAt).toBe(portal.clock.now().toISOString())
    portal.clock.forward(MINUTE)
    await end(data.sessionId)
    const [endedAt, ended] = await received()
    expect(endedAt).toBe(portal.clock.now().toISOString())
    expect(new Set([unused, started, ended]).size).toBe(3)
  })

  it('keeps its heartbeats and its end apart, in whatever order they arrive', async () => {
    await addMeteredAccount(portal.db, 'S8')
    const started = await Promise.all(Array.from({ length: 6 }, () => start('S8')))
    portal.clock.forward(4 * MINUTE)
    const answers = await Promise.all(
      started.flatMap(({ data: { sessionId } }) => [
        heartbeat(sessionId),
        end(sessionId),
        heartbeat(sessionId),
        end(sessionId),
      ]),
    )
    for (const { status, code } of answers) expect(code ?? status).toMatch(/^(SUCCESS|SESSION_ENDED)$/)
    expect(await bookedCharges(portal.db, 'S8')).toEqual({ 'S8-1': '3.00' })
    expect(await driftedDays(portal.db, ['S8'])).toEqual([])
  })

  it('changes by heartbeats and by its end only', async () => {
    await addMeteredAccount(portal.db, 'S9')
    await start('S9')
    const running = sql.table('usage_transaction_running')
    await expect(sql`update ${running} set product_count = 2`.execute(portal.db)).rejects.toThrow('append-only')
    await expect(sql`delete from ${running}`.execute(portal.db)).rejects.toThrow('append-only')
    await expect(sql`update usage_transaction set started_at = now()`.execute(portal.db)).rejects.toThrow('append-only')
    for (const instant of ['infinity', '2000-01-01'])
      await expect(
        sql`update ${running} set last_heartbeat_at = ${instant} where customer_number = 'S9'`.execute(portal.db),
      ).rejects.toThrow('running_session_is_sound')
  })

  it('costs in SQL what the domain rule says', async () => {
    await addMeteredAccount(portal.db, 'S5')
    await start('S5', { count: 3 })
    for (const milliseconds of [1, 17_999, 1, 600_000, 123_457, 900_000]) {
      portal.clock.forward(milliseconds)
      const now = portal.clock.now()
      const { started_at, last_heartbeat_at, charge } = await portal.db
        .selectFrom('usage_transaction_running as r')
        .select(['r.started_at', 'r.last_heartbeat_at', accruedCharge(sql`${now}`).as('charge')])
        .where('r.customer_number', '=', 'S5')
        .executeTakeFirstOrThrow()
      const { endedAt } = closeSession(last_heartbeat_at as Date, now)
      expect(charge).toBe(sessionCharge({ startedAt: started_at, endedAt, productCount: 3, unitsPerHour: '7.5' }))
    }
  })
})

describe('a start is refused', () => {
  beforeAll(async () => {
    await addMeteredAccount(portal.db, 'R1', {
      users: ['Anna'],
      addresses: ['192.0.2.0/24'],
      sold: [{ id: 'R1-1', units: 1 }],
    })
    await addMeteredAccount(portal.db, 'R2', { sold: [] })
    await addMeteredAccount(portal.db, 'R3', { sold: [{ id: 'R3-1', units: 10, from: '2090-01-01' }] })
    await addMeteredAccount(portal.db, 'R4')
    await portal.db
      .updateTable('account')
      .set({ export_control_status: 'Denied' })
      .where('customer_number', '=', 'R4')
      .execute()
  })

  it.each([
    ['of a denied account, whatever the PIN', 'R4', { pin: 'wrong' }, 'EXPORT'],
    [
      'with a wrong PIN, before anything else is looked at',
      'R1',
      { pin: '1', username: 'eve', externalIp: '198.51.100.1' },
      'WRONG_PIN',
    ],
    ['of a user who is not listed', 'R1', { username: 'eve' }, 'USER_NOT_ALLOWED'],
    ['from an address that is not allowed', 'R1', { externalIp: '198.51.100.1' }, 'ADDRESS_NOT_ALLOWED'],
    ['of a product that the catalog does not have', 'R1', { product: 'Nothing' }, 'UNKNOWN_PRODUCT'],
    ['of a product without a rate', 'R1', { product: 'Mission Systems Toolkit' }, 'UNKNOWN_PRODUCT'],
    ['without entitlements', 'R2', {}, 'NO_BALANCE'],
    ['with an entitlement that has not started', 'R3', {}, 'NO_BALANCE'],
  ])('%s', async (_name, customerNumber, changes, code) => {
    const before = await portal.db
      .selectFrom('elastic_denial')
      .selectAll()
      .where('customer_number', '=', customerNumber)
      .execute()
    const answer = await start(customerNumber, changes)
    expect(answer).toEqual({ status: 'FAILURE', code, err: expect.any(String) })
    const after = await portal.db
      .selectFrom('elastic_denial')
      .selectAll()
      .where('customer_number', '=', customerNumber)
      .orderBy('id', 'desc')
      .execute()
    expect(after).toHaveLength(before.length + 1)
    expect(after[0]).toMatchObject({ reason: code, user_name: sessionRequest(customerNumber, changes).username })
    const running = portal.db.selectFrom('usage_transaction_running').where('customer_number', '=', customerNumber)
    expect(await running.selectAll().execute()).toEqual([])
  })

  it('when running sessions have used up what is left', async () => {
    const { data } = await start('R1', { username: 'ANNA' })
    portal.clock.forward(7 * MINUTE)
    const second = await start('R1')
    expect(second.status).toBe('SUCCESS')
    // One unit is worth 8 minutes of one session.
    portal.clock.forward(MINUTE)
    expect(await start('R1')).toMatchObject({ status: 'FAILURE', code: 'NO_BALANCE' })
    await end(data.sessionId)
    expect(await start('R1')).toMatchObject({ code: 'NO_BALANCE' })
    expect((await denials('R1')).slice(0, 2)).toEqual(['NO_BALANCE', 'NO_BALANCE'])
  })

  it('of an unknown server as with a wrong PIN', async () => {
    expect(await start('R9')).toMatchObject({ status: 'FAILURE', code: 'WRONG_PIN' })
  })

  it('with 400 for a body that is not valid', async () => {
    for (const changes of [{ count: 0 }, { externalIp: 'somewhere' }, { serverId: "'; --" }, { more: 1 }])
      expect((await call(startSession, { body: sessionRequest('R1', changes) })).status).toBe(400)
  })
})

describe('guessing PINs', () => {
  const guess = (externalIp: string, pin = '000000') => start('G1', { externalIp, pin })
  beforeAll(() => addMeteredAccount(portal.db, 'G1'))

  it('is slowed, then locked for that address, and staff unlock it', async () => {
    const address = '203.0.113.9'
    for (let attempt = 0; attempt < 3; attempt++) expect(await guess(address)).toMatchObject({ code: 'WRONG_PIN' })
    expect(await guess(address, PIN)).toMatchObject({ code: 'LOCKED', err: expect.stringContaining('Try again after') })
    for (let attempt = 3; attempt < 10; attempt++) {
      portal.clock.forward(3 * MINUTE)
      expect(await guess(address)).toMatchObject({ code: 'WRONG_PIN' })
    }
    portal.clock.forward(12 * 60 * MINUTE)
    expect(await guess(address, PIN)).toMatchObject({ code: 'LOCKED' })
    expect(await guess('203.0.113.10', PIN)).toMatchObject({ status: 'SUCCESS' })

    const olivia = await portal.asOlivia()
    const { body } = await olivia(listPinLocks, { body: { customerNumber: 'G1' } })
    expect(body.data).toMatchObject([{ serverId: 'server-G1', externalIp: address, failures: 10 }])
    const unlock = { customerNumber: 'G1', serverId: 'server-G1', externalIp: address }
    expect((await olivia(unlockPin, { body: unlock })).body.data).toEqual({ unlocked: true })
    expect(await guess(address, PIN)).toMatchObject({ status: 'SUCCESS' })
    expect((await olivia(unlockPin, { body: unlock })).body.data).toEqual({ unlocked: false })
    expect((await olivia(unlockPin, { body: { ...unlock, externalIp: 'zz' } })).status).toBe(400)
    expect((await olivia(unlockPin, { body: { ...unlock, serverId: 'server-R1' } })).status).toBe(404)
    const audited = await portal.db
      .selectFrom('audit_log')
      .select(['action', 'outcome', 'after'])
      .where('customer_number', '=', 'G1')
      .where('action', 'in', ['service/elastic/sessions', 'elastic/unlockpin'])
      .orderBy('id')
      .execute()
    expect(audited).toHaveLength(11)
    expect(audited[9]).toMatchObject({ outcome: 'refused', after: { externalIp: address, failures: 10, locked: true } })
    expect(JSON.stringify(audited)).not.toContain(PIN)
    expect(JSON.stringify(audited)).not.toContain('000000')
  })

  it('in parallel gains nothing', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => guess('203.0.113.20')))
    expect(answers.filter(({ code }) => code === 'WRONG_PIN')).toHaveLength(3)
    expect(answers.filter(({ code }) => code === 'LOCKED')).toHaveLength(9)
  })

  it('is forgotten after a right one', async () => {
    for (let round = 0; round < 3; round++) {
      await guess('203.0.113.30')
      await guess('203.0.113.30')
      expect(await guess('203.0.113.30', PIN)).toMatchObject({ status: 'SUCCESS' })
    }
  })
})

test('a customer sees the denials of the own account only', async () => {
  const ada = await portal.as('ada.admin@aerodyne.example')
  expect((await ada(denialList.page, { body: { customerNumber: 'G1' } })).status).toBe(404)
  expect((await ada(denialList.count, { body: { customerNumber: '100001' } })).body).toMatchObject({
    status: 'SUCCESS',
  })
})
