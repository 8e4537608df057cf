import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getEntitlements } from '#contract/elastic/balances/elastic-entitlements.ts'
import { endSession, sendHeartbeat } from '#contract/elastic/sessions/elastic-sessions.ts'
import { getChargeback, type WireChargeback } from '#contract/elastic/statements/chargeback.ts'
import { lastUpdatedOn } from '#contract/elastic/usage/last-updated-on.ts'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { sessionCharge } from '#domain/elastic/sessions/session-charge.ts'
import { closeSession } from '#domain/elastic/sessions/session-life.ts'
import { CHARGEBACK_DIMENSIONS } from '#domain/elastic/statements/chargeback.ts'
import { findUsageVersion } from '#server/modules/elastic/credentials/elastic-servers.queries.ts'
import { closeSilentSessions } from '#server/modules/elastic/sessions/keep-session.ts'
import { accruedCharge } from '#server/modules/elastic/sessions/sessions.queries.ts'
import { bookUsage } from '#server/modules/elastic/usage/usage-booking.queries.ts'
import { ensureUsagePartitions } from '#server/modules/elastic/usage/usage-partitions.queries.ts'
import {
  addMeteredAccount,
  bookedCharges,
  type MeteredPortal,
  PRODUCT,
  startMeteredPortal,
} from '#server/testing/metering.ts'
import { bookRows, driftedDays, runningRow, usageRow } from '#server/testing/usage.ts'

const MINUTE = 60_000

let portal: MeteredPortal
beforeAll(async () => {
  portal = await startMeteredPortal('sessions')
})
afterAll(() => portal.close())

const call = (operation: Operation, { body, sessionId }: { body?: unknown; sessionId?: string }) =>
  portal.call(operation, { ...(body ? { body } : {}), ...(sessionId ? { params: { sessionId } } : {}) })
const start = (customerNumber: string, changes: object = {}) => portal.startSession(customerNumber, changes)
const end = async (sessionId: string) => (await call(endSession, { sessionId })).body
const heartbeat = async (sessionId: string) => (await call(sendHeartbeat, { sessionId })).body
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
      [data.sessionId, 0],
      [data.sessionId, 0.07],
    ])
    expect(await end(data.sessionId)).toMatchObject({ data: { hours: '0.07', charge: '5.00' } })
    expect(await driftedDays(portal.db, ['S4'])).toEqual([])
  })

  it('a session of 48 hours that is split and corrected has 48.00 hours in every sum', async () => {
    await addMeteredAccount(portal.db, 'S12', {
      sold: [
        { id: 'S12-first', units: 100, to: '2097-01-01' },
        { id: 'S12-next', units: 200, to: '2098-01-01' },
        { id: 'S12-last', units: 1000 },
      ],
    })
    const { data } = await start('S12')
    const startedAt = portal.clock.now()
    portal.clock.forward(48 * 60 * MINUTE)
    await portal.db
      .updateTable('usage_transaction_running')
      .set({ last_heartbeat_at: portal.clock.now() })
      .where('customer_number', '=', 'S12')
      .execute()
    expect(await end(data.sessionId)).toMatchObject({ data: { hours: '48.00', charge: '360.00' } })
    expect(await bookedCharges(portal.db, 'S12')).toEqual({
      'S12-first': '100.00',
      'S12-last': '60.00',
      'S12-next': '200.00',
    })
    const original = (await usage('S12')).find(({ Hours }) => Hours === 48)
    await portal.db.transaction().execute((tx) =>
      bookUsage(tx, [
        {
          ...usageRow({ customer_number: 'S12', started_at: portal.clock.now(), ends_at: portal.clock.now() }),
          activation_id: 'S12-first',
          charge: '-1.00',
          corrects: String(original?.TransactionNumber),
        },
      ]),
    )
    expect((await usage('S12')).map(({ Hours }) => Hours).sort()).toEqual([0, 0, 0, 48])
    const olivia = await portal.asOlivia()
    const scope = { customerNumber: 'S12' }
    const sums = await olivia(usageList.sum as Operation, { body: scope })
    expect(sums.body.data).toMatchObject([{ by: 'AEU', sums: { Hours: '48', Charge: '359' } }])
    const days = { from: startedAt.toISOString().slice(0, 10), to: portal.clock.now().toISOString().slice(0, 10) }
    for (const by of CHARGEBACK_DIMENSIONS) {
      const { body } = await olivia(getChargeback, { body: { ...scope, ...days, by } })
      expect((body.data as WireChargeback).Totals, by).toMatchObject([{ Hours: '48.00' }])
    }
    expect(await driftedDays(portal.db, ['S12'])).toEqual([])
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

  it('is closed even if closing one of another account fails', async () => {
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

  it('is ended once, in whatever order heartbeats and end arrive', async () => {
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
