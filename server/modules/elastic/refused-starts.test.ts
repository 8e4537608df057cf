import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { denialList } from '#contract/elastic/denial-list.ts'
import { endSession, startSession } from '#contract/elastic/elastic-sessions.ts'
import { listPinLocks, unlockPin } from '#contract/elastic/pin-locks.ts'
import {
  addMeteredAccount,
  type MeteredPortal,
  PIN,
  sessionRequest,
  startMeteredPortal,
} from '#server/testing/metering.ts'

const MINUTE = 60_000

let portal: MeteredPortal
beforeAll(async () => {
  portal = await startMeteredPortal('sessions')
})
afterAll(() => portal.close())

const start = (customerNumber: string, changes: object = {}) => portal.startSession(customerNumber, changes)
async function denials(customerNumber: string) {
  const olivia = await portal.asOlivia()
  const { body } = await olivia(denialList.page, { body: { customerNumber } })
  return (body.data as { Reason: string }[]).map(({ Reason }) => Reason)
}
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
    await portal.call(endSession, { params: { sessionId: data.sessionId } })
    expect(await start('R1')).toMatchObject({ code: 'NO_BALANCE' })
    expect((await denials('R1')).slice(0, 2)).toEqual(['NO_BALANCE', 'NO_BALANCE'])
  })

  it('of an unknown server as with a wrong PIN', async () => {
    expect(await start('R9')).toMatchObject({ status: 'FAILURE', code: 'WRONG_PIN' })
  })

  it('with 400 for a body that is not valid', async () => {
    for (const changes of [{ count: 0 }, { externalIp: 'somewhere' }, { serverId: "'; --" }, { more: 1 }])
      expect((await portal.call(startSession, { body: sessionRequest('R1', changes) })).status).toBe(400)
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
