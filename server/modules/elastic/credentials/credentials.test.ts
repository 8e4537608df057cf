import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { changePin, getIps, getPin, getUsers, saveUsers, setIps } from '#contract/elastic/credentials/credentials.ts'
import type { DataOf, Operation } from '#contract/kit/operation.ts'
import { ACCESS_DISABLED, NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { ADDRESS_NOT_VALID, RULE_NAME_REQUIRED } from '#domain/elastic/credentials/ip-rules.ts'
import { PIN_NOT_VALID } from '#domain/elastic/credentials/pin.ts'
import { USERNAMES_NOT_VALID } from '#domain/elastic/credentials/usernames.ts'
import { demoPin } from '#server/demo/parts/elastic-credentials.demo.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const ADA = 'ada.admin@aerodyne.example'
const CORA = 'cora.coordinator@aerodyne.example'
const VIC = 'vic.viewer@aerodyne.example'
const NINA = 'nina.nimbus@nimbus.example'
const OLIVIA = 'olivia.ops@vendor.example'
const aerodyne = { customerNumber: '100001', clsId: elasticServerId('100001') }
const nimbus = { customerNumber: '100007', clsId: elasticServerId('100007') }
const FIRST_PIN = demoPin(aerodyne.clsId)

let portal: Portal
const lines: string[] = []
let logged: string
beforeAll(async () => {
  portal = await startPortal({ LOG_LEVEL: 'debug' }, { logStream: { write: (line) => void lines.push(line) } })
})
afterAll(() => portal.close())
beforeEach(async () => {
  await portal.db.deleteFrom('mail').where('state', '=', 'queued').execute()
  const last = await portal.db.selectFrom('audit_log').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  logged = last?.id ?? '0'
})

async function call(email: string | null, operation: Operation, body: object, headers = {}) {
  return (await portal.as(email))(operation, { body, headers })
}
const mails = () =>
  portal.db
    .selectFrom('mail')
    .select(['customer_number', 'recipients', 'subject', 'body_text', 'body_html'])
    .where('state', '=', 'queued')
    .execute()
const trace = () =>
  portal.db
    .selectFrom('audit_log')
    .select(['action', 'email', 'customer_number', 'target', 'before', 'after'])
    .where('id', '>', logged)
    .where('action', 'in', ['getpin', 'changepin', 'saveUsers', 'setips'])
    .where('outcome', '=', 'done')
    .execute()

describe('the PIN', () => {
  test('is answered to contacts and staff, and each reading is audited', async () => {
    const readers = [ADA, VIC, OLIVIA, 'sam.support@vendor.example']
    for (const who of readers)
      expect((await call(who, getPin, aerodyne)).body).toEqual({
        status: 'SUCCESS',
        data: { pin: FIRST_PIN, revision: 0 },
      })
    expect((await trace()).map(({ action, email }) => [action, email])).toEqual(readers.map((who) => ['getpin', who]))
  })

  test('that is missing is not found by those who may not write', async () => {
    await portal.db.deleteFrom('elastic_pin').where('device_id', '=', nimbus.clsId).execute()
    const answer = await call('sam.support@vendor.example', getPin, nimbus)
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'FAILURE', code: 'PIN_NOT_FOUND', err: 'PIN not found' },
    })
    expect(await portal.db.selectFrom('elastic_pin').where('device_id', '=', nimbus.clsId).execute()).toEqual([])
  })

  test('that is missing is made silently, once, however many ask at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      await portal.db.deleteFrom('elastic_pin').where('device_id', '=', nimbus.clsId).execute()
      const askers = [NINA, OLIVIA, NINA, OLIVIA, NINA, OLIVIA]
      const answers = await Promise.all(askers.map((who) => call(who, getPin, nimbus)))
      const pins = new Set(answers.map(({ body }) => (body.data as { pin: string }).pin))
      expect(pins.size).toBe(1)
      expect([...pins][0]).toMatch(/^[0-9]{6}$/)
      expect((await call('sam.support@vendor.example', getPin, nimbus)).body.data).toMatchObject({ pin: [...pins][0] })
    }
    const entries = await trace()
    // Each of the six askers and of the later readers in every round.
    expect(entries).toHaveLength(35)
    expect(entries.filter(({ after }) => after !== null)).toHaveLength(5)
    expect(await mails()).toEqual([])
  })

  test('is changed, audited without its value, and mailed to the administrators without its value', async () => {
    const answer = await call(ADA, changePin, { ...aerodyne, pin: '031415', revision: 0 })
    expect(answer.body).toEqual({ status: 'SUCCESS', data: { revision: 1 } })
    expect((await call(VIC, getPin, aerodyne)).body.data).toEqual({ pin: '031415', revision: 1 })
    expect(await trace()).toEqual([
      { action: 'changepin', email: ADA, customer_number: '100001', target: aerodyne.clsId, before: null, after: null },
      { action: 'getpin', email: VIC, customer_number: '100001', target: aerodyne.clsId, before: null, after: null },
    ])
    const [mail, ...more] = await mails()
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      customer_number: '100001',
      recipients: [ADA, CORA],
      subject: 'Licensing Portal: The PIN of your elastic license server has been changed',
      body_text: expect.stringContaining(`Changed by: ${ADA}`),
    })
    expect(mail?.body_text).toContain(aerodyne.clsId)
    expect(`${mail?.body_text}${mail?.body_html}`).not.toMatch(new RegExp(`031415|${FIRST_PIN}`))
  })

  test('saved again is no change, even from an outdated form', async () => {
    await call(ADA, changePin, { ...aerodyne, pin: '031415' })
    await portal.db.deleteFrom('mail').where('state', '=', 'queued').execute()
    expect((await call(ADA, changePin, { ...aerodyne, pin: '031415', revision: 0 })).body.data).toEqual({ revision: 1 })
    expect(await mails()).toEqual([])
  })

  test('that somebody else changed meanwhile is a conflict with both versions', async () => {
    await call(ADA, changePin, { ...aerodyne, pin: '111111' })
    const answer = await call(CORA, changePin, { ...aerodyne, pin: '333333', revision: 1 })
    expect(answer).toMatchObject({
      status: 409,
      body: {
        status: 'FAILURE',
        code: 'STALE',
        data: { current: { pin: '111111', revision: 2 }, yours: { pin: '333333' } },
      },
    })
    const both = await Promise.all(
      ['444444', '555555'].map((pin) => call(CORA, changePin, { ...aerodyne, pin, revision: 2 })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test.each(['', '12345', '1234567', '12345.', '12a456', '١٢٣٤٥٦'])(
    '%j is refused with the text of the form',
    async (pin) => {
      const answer = await call(ADA, changePin, { ...aerodyne, pin })
      expect(answer).toMatchObject({ status: 400, body: { status: 'FAILURE', err: PIN_NOT_VALID } })
    },
  )

  test('is in no log, in no audit row and in no kept answer', async () => {
    const headers = { 'idempotency-key': 'pin-1' }
    await call(ADA, changePin, { ...aerodyne, pin: '271828' }, headers)
    await call(ADA, changePin, { ...aerodyne, pin: '271828' }, headers)
    await call(ADA, getPin, aerodyne, { 'idempotency-key': 'pin-2' })
    await call(ADA, changePin, { ...aerodyne, pin: '161803', revision: 0 })
    await call(VIC, changePin, { ...aerodyne, pin: '577215' })
    const tables = await Promise.all(
      (['audit_log', 'idempotent_answer', 'mail', 'outbox_message', 'elastic_pin'] as const).map((table) =>
        portal.db.selectFrom(table).selectAll().execute(),
      ),
    )
    expect(lines.length).toBeGreaterThan(10)
    const written = `${lines.join('\n')}${JSON.stringify(tables)}`
    for (const pin of ['271828', '161803', '577215']) expect(written).not.toContain(pin)
  })
})

describe('the allowed usernames', () => {
  test('are saved in their order, each once whatever its case, audited and mailed', async () => {
    expect((await call(VIC, getUsers, aerodyne)).body).toEqual({ status: 'SUCCESS', data: { users: [], revision: 0 } })
    const answer = await call(ADA, saveUsers, { ...aerodyne, users: ['Zoe', 'anna', 'ZOE'], revision: 0 })
    expect(answer.body).toEqual({ status: 'SUCCESS', data: { users: ['Zoe', 'anna'], revision: 1 } })
    expect((await call(VIC, getUsers, aerodyne)).body.data).toEqual({ users: ['Zoe', 'anna'], revision: 1 })
    expect(await trace()).toMatchObject([
      { action: 'saveUsers', target: aerodyne.clsId, before: { users: [] }, after: { users: ['Zoe', 'anna'] } },
    ])
    expect(await mails()).toMatchObject([
      { recipients: [ADA, CORA], body_text: expect.stringContaining('Added: Zoe, anna\nRemoved: None') },
    ])
  })

  test('that somebody else changed meanwhile are a conflict with both versions', async () => {
    await call(ADA, saveUsers, { ...aerodyne, users: ['anna'] })
    const answer = await call(CORA, saveUsers, { ...aerodyne, users: ['bob'], revision: 1 })
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'STALE', data: { current: { users: ['anna'], revision: 2 }, yours: { users: ['bob'] } } },
    })
    expect((await call(CORA, saveUsers, { ...aerodyne, users: [], revision: 2 })).status).toBe(200)
    expect((await call(CORA, getUsers, aerodyne)).body.data).toEqual({ users: [], revision: 3 })
  })

  test.each([[['']], [['anna meyer']], [['jürgen']], [['anna', '']]])(
    '%j are refused with the text of the form',
    async (users) => {
      const answer = await call(ADA, saveUsers, { ...aerodyne, users })
      expect(answer).toMatchObject({ status: 400, body: { err: USERNAMES_NOT_VALID } })
    },
  )
})

describe('the IP rules', () => {
  const office = { rulename: 'Office', ipaddress: '192.0.2.99/24' }
  const branch = { rulename: 'Branch', ipaddress: '2001:DB8::1' }

  test('are kept as typed and stored as networks, audited and mailed', async () => {
    const { whitelist, revision } = (await call(VIC, getIps, aerodyne)).body.data as DataOf<typeof getIps>
    expect(whitelist).toHaveLength(4)
    const saved = { whitelist: [office, branch], revision: 1 }
    const answer = await call(ADA, setIps, { ...aerodyne, whitelist: [office, branch], revision })
    expect(answer.body).toEqual({ status: 'SUCCESS', data: saved })
    expect((await call(VIC, getIps, aerodyne)).body.data).toEqual(saved)
    const stored = await portal.db
      .selectFrom('elastic_ip_rule')
      .select('network')
      .where('device_id', '=', aerodyne.clsId)
      .orderBy('position')
      .execute()
    expect(stored).toEqual([{ network: '192.0.2.0/24' }, { network: '2001:db8::1/128' }])
    expect(await trace()).toMatchObject([
      { action: 'setips', target: aerodyne.clsId, before: { whitelist }, after: { whitelist: [office, branch] } },
    ])
    expect(await mails()).toMatchObject([
      {
        recipients: [ADA, CORA],
        body_text: expect.stringContaining('Allowed: 192.0.2.99/24 (Office), 2001:DB8::1 (Branch)'),
      },
    ])
  })

  test('that somebody else changed meanwhile are a conflict with both versions', async () => {
    await call(ADA, setIps, { ...aerodyne, whitelist: [office] })
    const answer = await call(CORA, setIps, { ...aerodyne, whitelist: [branch], revision: 1 })
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'STALE', data: { current: { whitelist: [office], revision: 2 }, yours: { whitelist: [branch] } } },
    })
    expect((await call(CORA, setIps, { ...aerodyne, whitelist: [], revision: 2 })).status).toBe(200)
    expect((await call(CORA, getIps, aerodyne)).body.data).toEqual({ whitelist: [], revision: 3 })
  })

  test.each([
    [{ ...office, rulename: ' ' }, RULE_NAME_REQUIRED],
    [{ ...office, ipaddress: '192.0.2.0/33' }, ADDRESS_NOT_VALID],
    [{ ...office, ipaddress: 'localhost' }, ADDRESS_NOT_VALID],
  ])('%j is refused: %s', async (rule, err) => {
    expect(await call(ADA, setIps, { ...aerodyne, whitelist: [rule] })).toMatchObject({ status: 400, body: { err } })
  })
})

const READS: [Operation, object][] = [
  [getPin, {}],
  [getUsers, {}],
  [getIps, {}],
]
const WRITES: [Operation, object][] = [
  [changePin, { pin: '123456' }],
  [saveUsers, { users: ['anna'] }],
  [setIps, { whitelist: [] }],
]
const on = (customerNumber: string) => ({ customerNumber, clsId: elasticServerId(customerNumber) })

describe.each([...READS, ...WRITES])('the operation $name', (operation, fields) => {
  test.each([
    [400, ADA, { ...on('100001'), clsId: 'no such id!' }, undefined],
    [401, null, on('100001'), 'Sign in to continue'],
    [403, 'hal.heritage@heritage.example', on('100008'), ACCESS_DISABLED],
    [404, ADA, on('100007'), 'No such account'],
    [404, ADA, { ...on('100007'), customerNumber: '100001' }, 'This account has no such elastic license server.'],
    [404, OLIVIA, { ...on('100001'), clsId: 'cls-unknown' }, 'This account has no such elastic license server.'],
  ])('answers %i to %s about %j', async (status, who, server, err) => {
    const answer = await call(who, operation, { ...server, ...fields })
    expect(answer).toMatchObject({ status, body: { status: 'FAILURE', ...(err === undefined ? {} : { err }) } })
  })
})

test.each(WRITES)('$name answers 403 to those who only view', async (operation, fields) => {
  for (const who of [VIC, 'sam.support@vendor.example', 'adam.admin@vendor.example'])
    expect(await call(who, operation, { ...aerodyne, ...fields })).toMatchObject({
      status: 403,
      body: { err: NOT_ENOUGH_PERMISSIONS },
    })
})
