import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { DraftLimit } from '#contract/elastic/limits/limits.ts'
import { exportLimits, getLimits, replayLimits, saveLimits } from '#contract/elastic/limits/limits.ts'
import { denialList } from '#contract/elastic/sessions/denial-list.ts'
import { endSession, sendHeartbeat } from '#contract/elastic/sessions/elastic-sessions.ts'
import { sendUsage } from '#contract/elastic/usage/send-usage.ts'
import { ADMINISTRATOR } from '#domain/access/roles.ts'
import { checkLimits } from '#server/modules/elastic/limits/check-limits.ts'
import { listUsageDrift, rebuildUsageSums } from '#server/modules/elastic/usage/usage-sums.queries.ts'
import { addMeteredAccount, type MeteredPortal, sentTransaction, startMeteredPortal } from '#server/testing/metering.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'

const MINUTE = 60_000

let portal: MeteredPortal
beforeAll(async () => {
  portal = await startMeteredPortal('sessions')
})
afterAll(() => portal.close())

const draft = (changes: Partial<DraftLimit> = {}): DraftLimit => ({
  id: 'limit',
  subject: 'project',
  user: null,
  project: null,
  product: null,
  period: 'month',
  currency: 'AEU',
  warnAt: null,
  refuseAt: '13.16',
  from: null,
  to: null,
  ...changes,
})
type Saved = Parameters<Awaited<ReturnType<MeteredPortal['asOlivia']>>>[1]['body']

async function save(customerNumber: string, limits: readonly DraftLimit[], more: object = {}) {
  const olivia = await portal.asOlivia()
  return olivia(saveLimits, { body: { customerNumber, limits, productRules: [], ...more } as Saved })
}
async function load(customerNumber: string) {
  const olivia = await portal.asOlivia()
  const { body } = await olivia(getLimits, { body: { customerNumber } })
  return body.data as {
    saved: { limits: DraftLimit[]; revision: number }
    use: Record<
      string,
      { used: string; running: string; name: string; others: number; refused: number; refusedUsers: string[] }
    >
  }
}
const start = (customerNumber: string, changes: object = {}) => portal.startSession(customerNumber, changes)
const webhook = (customerNumber: string) =>
  portal.db
    .insertInto('webhook_endpoint')
    .values({
      customer_number: customerNumber,
      description: '',
      id: '6f1f6a52-2f0c-4a53-9c0e-6b1d7f6f8f11',
      url: 'https://hooks.example/1',
      events: ['limit.reached', 'limit.refused'],
      is_on: false,
      off_reason: 'a test',
      secret: Buffer.from('x'),
      created_by: 'a test',
      created_at: portal.clock.now(),
    })
    .execute()
const eventsOf = async (customerNumber: string) =>
  (
    await portal.db
      .selectFrom('webhook_delivery')
      .select(['event', 'body'])
      .where('customer_number', '=', customerNumber)
      .orderBy('sequence')
      .execute()
  ).map(({ event, body }) => ({ event, ...(JSON.parse(body) as { data: Record<string, unknown> }).data }))

describe('a limit of 13.16 units, which is seven times the first 15 minutes', () => {
  it('admits exactly 7 of 200 starts at the same time, from many addresses', async () => {
    await addMeteredAccount(portal.db, 'L1', { sold: [{ id: 'L1-1', units: 100_000 }] })
    expect(await save('L1', [draft()])).toMatchObject({ status: 200, body: { status: 'SUCCESS' } })
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        start('L1', { project: 'Wing', externalIp: `192.0.2.${n}`, username: `user-${n % 9}` }),
      ),
    )
    expect(answers.filter(({ status }) => status === 'SUCCESS')).toHaveLength(7)
    expect(answers.filter(({ code }) => code === 'LIMIT')).toHaveLength(193)
    expect(await start('L1', { project: 'Tail' })).toMatchObject({ status: 'SUCCESS' })
    expect((await load('L1')).use.limit).toMatchObject({ used: '13.16', name: 'Project Wing', others: 1, refused: 193 })
  })

  it('says which limit refuses, when it resets and who can raise it', async () => {
    const answer = await start('L1', { project: 'Wing' })
    const { err, limit } = answer as typeof answer & { limit: object }
    expect(err).toContain('The limit of 13.16 AEU per month is reached for project Wing: 13.16 are used')
    expect(err).toContain('Administrators of the account can raise the limit.')
    expect(limit).toMatchObject({
      id: 'limit',
      subject: 'project',
      project: null,
      refuseAt: '13.16',
      used: '13.16',
      cost: '1.88',
      resetsAt: expect.stringMatching(/-01T00:00:00.000Z$/),
      raisedBy: expect.any(String),
    })
    expect(limit).not.toHaveProperty('booked')
  })

  it('never ends running sessions, and admits again after it is raised', async () => {
    const running = portal.db.selectFrom('usage_transaction_running').where('customer_number', '=', 'L1')
    const { sessions } = await running.select((q) => q.fn.countAll<number>().as('sessions')).executeTakeFirstOrThrow()
    expect(Number(sessions)).toBe(8)
    await save('L1', [draft({ refuseAt: '15.04' })])
    expect(await start('L1', { project: 'Wing' })).toMatchObject({ status: 'SUCCESS' })
    expect(await start('L1', { project: 'Wing' })).toMatchObject({ code: 'LIMIT' })
  })

  it('lists the denial with the limit as it was then', async () => {
    const olivia = await portal.asOlivia()
    const { body } = await olivia(denialList.page, {
      body: { customerNumber: 'L1' },
    })
    expect((body.data as object[])[0]).toMatchObject({
      Reason: 'LIMIT',
      ReasonText: 'Limit reached',
      LimitID: 'limit',
      Limit: 'Every other project: 15.04 AEU per month',
    })
  })
})

describe('what counts', () => {
  it('is what was booked in the period before the limit was made, and what running sessions have cost', async () => {
    await addMeteredAccount(portal.db, 'L2')
    const { data } = await start('L2', { username: 'ANNA' })
    portal.clock.forward(10 * MINUTE)
    await portal.call(sendHeartbeat, { params: { sessionId: data.sessionId } })
    portal.clock.forward(10 * MINUTE)
    // 20 minutes at 7.5 units an hour.
    await portal.call(endSession, { params: { sessionId: data.sessionId } })
    await save('L2', [draft({ subject: 'user', user: 'Anna', refuseAt: '6.26' })])
    expect((await load('L2')).use.limit).toMatchObject({ used: '2.50', running: '0.00', name: '' })
    const second = await start('L2')
    expect(second).toMatchObject({ status: 'SUCCESS' })
    expect((await load('L2')).use.limit).toMatchObject({ used: '4.38', running: '1.88' })
    expect(await start('L2', { username: 'aNNa' })).toMatchObject({ status: 'SUCCESS' })
    expect(await start('L2')).toMatchObject({ code: 'LIMIT' })
    expect(await start('L2', { username: 'bob' })).toMatchObject({ status: 'SUCCESS' })
    expect((await load('L2')).use.limit).toMatchObject({ refused: 1, refusedUsers: ['anna'] })
  })

  it.each<[subject: DraftLimit['subject'], names: Partial<DraftLimit>, other: object]>([
    ['account', {}, {}],
    ['product', { product: 'Fluid Flow Pro' }, {}],
    ['user+project', { user: 'anna', project: 'Wing' }, { project: 'Tail' }],
    ['user+product', { product: 'Fluid Flow Pro' }, { username: 'bob' }],
    ['project+product', { project: 'Wing' }, { project: 'Tail' }],
  ])('is the use of its subject: %s', async (subject, names, other) => {
    const customerNumber = `L3-${subject.replace('+', '-')}`
    await addMeteredAccount(portal.db, customerNumber)
    const first = await start(customerNumber, { project: 'Wing' })
    await portal.call(endSession, { params: { sessionId: first.data.sessionId } })
    await save(customerNumber, [draft({ subject, ...names, refuseAt: '3.75' })])
    expect(await start(customerNumber, { project: 'Wing' })).toMatchObject({ status: 'SUCCESS' })
    expect(await start(customerNumber, { project: 'Wing' })).toMatchObject({ code: 'LIMIT' })
    if (Object.keys(other).length > 0)
      expect(await start(customerNumber, { project: 'Wing', ...other })).toMatchObject({ status: 'SUCCESS' })
  })

  it('begins anew on the next day, and what runs over midnight counts on', async () => {
    await addMeteredAccount(portal.db, 'L4', { timeZone: 'Asia/Kolkata' })
    await save('L4', [draft({ subject: 'account', period: 'day', refuseAt: '3.76' })])
    const first = await start('L4')
    await portal.call(endSession, { params: { sessionId: first.data.sessionId } })
    expect(await start('L4', { count: 2 })).toMatchObject({ status: 'SUCCESS' })
    expect(await start('L4')).toMatchObject({ code: 'LIMIT' })
    portal.clock.forward(24 * 60 * MINUTE)
    // The silent session has not been closed yet: it counts until it is booked, on the day before.
    expect(await start('L4')).toMatchObject({ code: 'LIMIT' })
  })

  it('is not the use of another currency', async () => {
    await addMeteredAccount(portal.db, 'L5')
    await save('L5', [draft({ subject: 'account', currency: 'USD', refuseAt: '0.01' })])
    expect(await start('L5')).toMatchObject({ status: 'SUCCESS' })
  })

  it('is kept beside the other sums, with the same checks', async () => {
    for (const customerNumber of ['L1', 'L2', 'L3-user-project', 'L4']) {
      expect(await listUsageDrift(portal.db, customerNumber)).toEqual([])
      const before = await load(customerNumber)
      await rebuildUsageSums(portal.db, customerNumber, 'a test', portal.clock.now())
      expect((await load(customerNumber)).use).toEqual(before.use)
      expect(await listUsageDrift(portal.db, customerNumber)).toEqual([])
    }
  })
})

describe('product rules', () => {
  const rules = (productRules: object[]) => ({ productRules })
  it('refuse products that a user may not start, before balances and limits', async () => {
    await addMeteredAccount(portal.db, 'P1', { sold: [] })
    await save('P1', [], rules([{ user: null, kind: 'deny', products: ['Fluid Flow Pro'] }]))
    expect(await start('P1')).toMatchObject({
      code: 'PRODUCT_NOT_ALLOWED',
      err: expect.stringContaining('may not start'),
    })
    expect(await start('P1', { product: 'Nothing' })).toMatchObject({ code: 'UNKNOWN_PRODUCT' })
    await save('P1', [], rules([{ user: 'ANNA', kind: 'allow', products: ['Fluid Flow Pro'] }]))
    expect(await start('P1')).toMatchObject({ code: 'NO_BALANCE' })
  })
})

describe('saving', () => {
  test('needs rights on the account, a fresh revision and a right draft', async () => {
    await addMeteredAccount(portal.db, 'S1')
    const nobody = await portal.as(null)
    const vic = await portal.as('vic.viewer@aerodyne.example')
    const body = { customerNumber: 'S1', limits: [draft()], productRules: [] }
    for (const operation of [getLimits, saveLimits, replayLimits, exportLimits]) {
      const sent = operation === getLimits || operation === exportLimits ? { customerNumber: 'S1' } : body
      expect((await nobody(operation, { body: sent as Saved })).status).toBe(401)
      expect((await vic(operation, { body: sent as Saved })).status).toBe(404)
    }
    expect((await vic(saveLimits, { body: { ...body, customerNumber: '100001' } as Saved })).status).toBe(403)
    const first = await save('S1', [draft()], { revision: 0 })
    expect(first.body).toMatchObject({ data: { revision: 1, limits: [{ id: 'limit', refuseAt: '13.16' }] } })
    // Equal limits are no change.
    expect((await save('S1', [draft()], { revision: 0 })).body).toMatchObject({ data: { revision: 1 } })
    expect(await save('S1', [draft({ refuseAt: '20' })], { revision: 0 })).toMatchObject({
      status: 409,
      body: { code: 'STALE', data: { current: { revision: 1 }, yours: { limits: [{ refuseAt: '20.00' }] } } },
    })
    expect((await save('S1', [draft({ refuseAt: null })])).body).toMatchObject({
      code: 'INVALID_REQUEST',
      err: 'Limit 1: Enter units at which to refuse or to warn.',
    })
    expect((await save('S1', [draft(), draft({ id: 'other' })])).body.err).toContain('Limit 2: Another limit')
    expect((await save('S1', [draft(), draft({ subject: 'user' })])).body.err).toBe('Two limits have the same id.')
    const audited = await portal.db
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .where('customer_number', '=', 'S1')
      .where('action', '=', 'limits/save')
      .where('outcome', '=', 'done')
      .execute()
    expect(audited).toMatchObject([{ after: { texts: ['Every other project: 13.16 AEU per month'] } }])
  })

  test('without limits, starts of the account wait for each other no more', async () => {
    const isLimited = async () =>
      (await portal.db.selectFrom('limited_account').selectAll().where('customer_number', '=', 'S1').execute()).length
    const sums = async () =>
      (await portal.db.selectFrom('usage_limited').selectAll().where('customer_number', '=', 'S1').execute()).length
    expect([await isLimited(), await sums()]).toEqual([1, 1])
    await save('S1', [])
    expect([await isLimited(), await sums()]).toEqual([0, 0])
  })

  test('exports what the screen shows', async () => {
    const olivia = await portal.asOlivia()
    const { body, headers } = await olivia(exportLimits, { body: { customerNumber: 'L1' } })
    expect(headers['content-disposition']).toContain('limits_L1_')
    const [header, line] = String(body.text).trimEnd().split('\r\n')
    expect(header).toContain('"Limit","Subject","User"')
    expect(line).toContain('"Every other project","Project"')
  })
})

describe('telling', () => {
  test('mails administrators at "warn at" and tells webhooks, once in a period and again after a change', async () => {
    await addMeteredAccount(portal.db, 'T1')
    await portal.db
      .insertInto('contact')
      .values({ customer_number: 'T1', email: 'boss@t1.example', role: ADMINISTRATOR })
      .execute()
    await webhook('T1')
    const mails = () => portal.db.selectFrom('mail').select('body_text').where('customer_number', '=', 'T1').execute()
    await save('T1', [draft({ subject: 'user', warnAt: '1.88', refuseAt: '3.76' })])
    await checkLimits(portal, 'T1')
    expect(await mails()).toEqual([])
    await start('T1')
    await Promise.all([checkLimits(portal, 'T1'), checkLimits(portal, 'T1')])
    expect(await mails()).toMatchObject([
      { body_text: expect.stringContaining('1.88 AEU are used; starts are refused at 3.76') },
    ])
    expect(await eventsOf('T1')).toEqual([])
    await start('T1', { project: 'Wing' })
    await checkLimits(portal, 'T1')
    await checkLimits(portal, 'T1')
    expect(await eventsOf('T1')).toMatchObject([{ event: 'limit.reached', subject: 'User anna', used: '3.76' }])
    for (let attempt = 0; attempt < 3; attempt++) expect(await start('T1')).toMatchObject({ code: 'LIMIT' })
    const told = await eventsOf('T1')
    expect(told.map(({ event }) => event)).toEqual(['limit.reached', 'limit.refused', 'limit.refused'])
    expect(told[1]).toMatchObject({ limitId: 'limit', username: 'anna', cost: '1.88', denials: 1, reason: 'LIMIT' })
    expect(await mails()).toHaveLength(1)
    await save('T1', [draft({ subject: 'user', warnAt: '1.88', refuseAt: '3.00' })])
    await checkLimits(portal, 'T1')
    expect(await mails()).toHaveLength(2)
    expect((await eventsOf('T1')).filter(({ event }) => event === 'limit.reached')).toHaveLength(2)
  })
})

test('what limits would have refused last month is told from its sessions', async () => {
  await addMeteredAccount(portal.db, 'W1', { sold: [{ id: 'W1-1', units: 1000 }] })
  const now = portal.clock.now()
  const lastMonth = (day: number, hour: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, day, hour)).toISOString()
  const send = await usageSender()
  const lines = await send(
    [1, 2, 3].map((day) => ({
      ...sentTransaction(portal, 'W1', { project: 'Wing' }),
      startTime: lastMonth(day, 8),
      endTime: lastMonth(day, 9),
    })),
  )
  expect(lines).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
  const olivia = await portal.asOlivia()
  const ask = async (limit: Partial<DraftLimit>) =>
    (
      await olivia(replayLimits, {
        body: { customerNumber: 'W1', limits: [draft(limit)], productRules: [] } as Saved,
      })
    ).body.data
  expect(await ask({ refuseAt: '10' })).toMatchObject({
    starts: 3,
    refused: 1,
    limits: [{ refused: 1, units: '7.50', most: ['User anna'] }],
  })
  expect(await ask({ period: 'day', refuseAt: '7.50' })).toMatchObject({ refused: 0 })
  expect(await ask({ subject: 'user+project', user: 'ANNA', period: 'all', refuseAt: '1' })).toMatchObject({
    refused: 3,
  })
  expect(await ask({ project: 'Tail', refuseAt: '1' })).toMatchObject({ refused: 0 })
  expect(await ask({ refuseAt: '1', to: '2020-01-01' })).toMatchObject({ refused: 0, limits: [null] })
})

async function usageSender() {
  const { headers } = await giveServiceKey(portal, 'Usage', { scopes: ['usage'], days: 30 })
  const nobody = await portal.as(null)
  return async (transactions: readonly object[]) => {
    const { body } = await nobody(sendUsage, { body: { transactions } as Saved, headers })
    return (body.data as { status: string }[]).map(({ status }) => status)
  }
}
