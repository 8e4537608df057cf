import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { listPinLocks, unlockPin } from '#contract/elastic/credentials/pin-locks.ts'
import { denialList } from '#contract/elastic/sessions/denial-list.ts'
import { endSession, startSession } from '#contract/elastic/sessions/elastic-sessions.ts'
import { ADMINISTRATOR } from '#domain/access/roles.ts'
import { lockPinAttempts } from '#server/modules/elastic/credentials/pin-failures.queries.ts'
import {
  addMeteredAccount,
  type MeteredPortal,
  PIN,
  sessionRequest,
  startMeteredPortal,
} from '#server/testing/metering.ts'
import { until } from '#server/testing/until.ts'

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
describe('refused starts', () => {
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
  ])('a start %s is refused with $3', async (_name, customerNumber, changes, code) => {
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

  it('a start is refused when running sessions have used up what is left', async () => {
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

  it('a start on an unknown server is refused as with a wrong PIN', async () => {
    expect(await start('R9')).toMatchObject({ status: 'FAILURE', code: 'WRONG_PIN' })
  })

  it('a start with an invalid body gets 400', async () => {
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
    expect(audited).toHaveLength(12)
    expect(audited[9]).toMatchObject({ outcome: 'refused', after: { externalIp: address, failures: 10, locked: true } })
    expect(JSON.stringify(audited)).not.toContain(PIN)
    expect(JSON.stringify(audited)).not.toContain('000000')
  })

  it('parallel guesses give no more attempts', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => guess('203.0.113.20')))
    expect(answers.filter(({ code }) => code === 'WRONG_PIN')).toHaveLength(3)
    expect(answers.filter(({ code }) => code === 'LOCKED')).toHaveLength(9)
  })

  it('is forgotten after the right PIN', async () => {
    for (let round = 0; round < 3; round++) {
      await guess('203.0.113.30')
      await guess('203.0.113.30')
      expect(await guess('203.0.113.30', PIN)).toMatchObject({ status: 'SUCCESS' })
    }
  })
})

describe('guessing PINs from many addresses', () => {
  const DAY = 24 * 60 * MINUTE
  const guess = (customerNumber: string, externalIp: string, pin = '000000') =>
    start(customerNumber, { externalIp, pin })
  /** Sends one guess from each of several addresses, twenty at a time. */
  async function guessFrom(customerNumber: string, network: string, addresses: number) {
    const codes: (string | undefined)[] = []
    for (let first = 0; first < addresses; first += 20) {
      const guesses = Array.from({ length: Math.min(20, addresses - first) }, (_, n) =>
        guess(customerNumber, `${network}.${Math.floor((first + n) / 250)}.${(first + n) % 250}`),
      )
      codes.push(...(await Promise.all(guesses)).map(({ code }) => code))
    }
    return codes
  }
  const wrong = (codes: readonly (string | undefined)[]) => codes.filter((code) => code === 'WRONG_PIN').length
  const mails = () =>
    portal.db
      .selectFrom('mail')
      .select(['recipients', 'subject', 'body_text'])
      .where('customer_number', '=', 'M1')
      .execute()
  const locks = async () => {
    const olivia = await portal.asOlivia()
    return (await olivia(listPinLocks, { body: { customerNumber: 'M1' } })).body.servers
  }
  beforeAll(async () => {
    await addMeteredAccount(portal.db, 'M1')
    await portal.db
      .insertInto('contact')
      .values({ customer_number: 'M1', email: 'boss@m1.example', role: ADMINISTRATOR })
      .execute()
  })

  it('is slowed down after 100 wrong PINs in a day, except for addresses that were right before', async () => {
    expect(await guess('M1', '192.0.2.50', PIN)).toMatchObject({ status: 'SUCCESS' })
    expect(await locks()).toEqual([])
    const since = portal.clock.now()
    const codes = await guessFrom('M1', '10.1', 200)
    expect(wrong(codes)).toBeGreaterThanOrEqual(100)
    // After 100, one guess takes the turn, and one that ran at the same time as the last one was tried as well.
    expect(wrong(codes)).toBeLessThanOrEqual(102)
    expect(codes.filter((code) => code === 'LOCKED')).toHaveLength(200 - wrong(codes))

    expect(await guess('M1', '192.0.2.50', PIN)).toMatchObject({ status: 'SUCCESS' })
    expect(await guess('M1', '192.0.2.50')).toMatchObject({ code: 'WRONG_PIN' })
    expect(await guess('M1', '192.0.2.50', PIN)).toMatchObject({ status: 'SUCCESS' })

    expect(await guess('M1', '192.0.2.51', PIN)).toEqual({
      status: 'FAILURE',
      code: 'LOCKED',
      err: `Too many wrong PINs were sent. Try again after ${new Date(since.getTime() + 1000).toISOString()}.`,
    })
    portal.clock.forward(1000)
    expect(await guess('M1', '10.2.0.1')).toMatchObject({ code: 'WRONG_PIN' })
    expect(await guess('M1', '192.0.2.51', PIN)).toMatchObject({ code: 'LOCKED' })
    portal.clock.forward(1000)
    expect(await guess('M1', '192.0.2.51', PIN)).toMatchObject({ status: 'SUCCESS' })
    expect(await guess('M1', '192.0.2.51', PIN)).toMatchObject({ status: 'SUCCESS' })

    expect(await locks()).toMatchObject([
      { serverId: 'server-M1', since: since.toISOString(), until: new Date(since.getTime() + DAY).toISOString() },
    ])
    expect(await denials('M1')).toContain('LOCKED')
  })

  it('is mailed to the administrators once a day', async () => {
    expect(await mails()).toMatchObject([
      {
        recipients: ['boss@m1.example'],
        subject: expect.stringContaining('Many wrong PINs'),
        body_text: expect.stringContaining('server-M1'),
      },
    ])
    portal.clock.forward(DAY)
    expect(await locks()).toEqual([])
    expect(wrong(await guessFrom('M1', '10.3', 110))).toBeGreaterThanOrEqual(100)
    expect(await mails()).toHaveLength(2)
  })

  it('guessing for a server that does not exist is answered alike', async () => {
    await addMeteredAccount(portal.db, 'M2')
    const attempts = [
      ...Array.from({ length: 6 }, () => '10.4.0.1'),
      ...Array.from({ length: 120 }, (_, n) => `10.5.0.${n}`),
    ]
    const answersOf = async (customerNumber: string) => {
      const answers: unknown[] = []
      for (const address of attempts) answers.push(await guess(customerNumber, address))
      return answers
    }
    const [known, unknown] = await Promise.all([answersOf('M2'), answersOf('nobody')])
    expect(known.filter((answer) => (answer as { code: string }).code === 'LOCKED').length).toBeGreaterThan(20)
    expect(unknown).toEqual(known)
    portal.clock.forward(1000)
    expect(await guess('nobody', '10.6.0.1')).toEqual(await guess('M2', '10.6.0.1'))
  })
})

it('waits for other guesses of the same address without a connection', async () => {
  await addMeteredAccount(portal.db, 'W1')
  const olivia = await portal.asOlivia()
  const address = '203.0.113.40'
  const waiting = () =>
    sql<{ pid: number }>`select pid from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(portal.db)
  const guesses = await portal.db.transaction().execute(async (tx) => {
    await lockPinAttempts(tx, 'server-W1', address)
    const started = Array.from({ length: 30 }, () => start('W1', { externalIp: address, pin: '000000' }))
    await until(async () => (await waiting()).rows.length === 1, 'nobody waits')
    expect((await olivia(listPinLocks, { body: { customerNumber: 'W1' } })).status).toBe(200)
    // Guesses from another address do not wait for these.
    expect(await start('W1', { externalIp: '203.0.113.41', pin: '000000' })).toMatchObject({ code: 'WRONG_PIN' })
    expect((await waiting()).rows).toHaveLength(1)
    return started
  })
  const codes = (await Promise.all(guesses)).map(({ code }) => code)
  expect(codes.filter((code) => code === 'WRONG_PIN')).toHaveLength(3)
  expect(codes.filter((code) => code === 'LOCKED')).toHaveLength(27)
})

test('a customer sees the denials of the own account only', async () => {
  const ada = await portal.as('ada.admin@aerodyne.example')
  expect((await ada(denialList.page, { body: { customerNumber: 'G1' } })).status).toBe(404)
  expect((await ada(denialList.count, { body: { customerNumber: '100001' } })).body).toMatchObject({
    status: 'SUCCESS',
  })
})
