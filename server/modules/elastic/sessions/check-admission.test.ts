import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readIpRules } from '#domain/elastic/credentials/ip-rules.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { saveIpRules, savePin, saveUsernames } from '#server/modules/elastic/credentials/credentials.queries.ts'
import { lockPinAttempts } from '#server/modules/elastic/credentials/pin-failures.queries.ts'
import { checkAdmission } from '#server/modules/elastic/sessions/check-admission.ts'
import { loadStartFacts } from '#server/modules/elastic/sessions/start-facts.queries.ts'
import { demoDatabase } from '#server/testing/database.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'

const customerNumber = '100007'
const deviceId = elasticServerId(customerNumber)
const server = { customerNumber, deviceId }
const request = { serverId: deviceId, pin: '012345', username: 'anna', externalIp: '192.0.2.7' }

let database: Awaited<ReturnType<typeof demoDatabase>>
beforeAll(async () => {
  database = await demoDatabase()
})
afterAll(() => database.close())

async function set(setting: { pin?: string; users?: string[]; addresses?: string[] }) {
  const read = readIpRules((setting.addresses ?? []).map((address) => ({ name: 'Rule', address })))
  if ('error' in read) throw new Error(read.error)
  await database.db.transaction().execute(async (tx) => {
    await savePin(tx, UNWRAPPED, server, setting.pin ?? '012345', { email: 'test', at: new Date() })
    await saveUsernames(tx, server, setting.users ?? [])
    await saveIpRules(tx, server, read.rules)
  })
}
async function check(changes: Partial<typeof request & { customerNumber: string }> = {}) {
  const sent = { ...request, ...changes }
  const facts = await loadStartFacts(database.db, {
    customerNumber,
    ...sent,
    product: 'any',
    guesser: '',
    now: new Date(),
  })
  return checkAdmission(facts!, UNWRAPPED, sent)
}

test('a server without a PIN admits nobody', async () => {
  await database.db.deleteFrom('elastic_pin').where('device_id', '=', deviceId).execute()
  expect(await check()).toBe('WRONG_PIN')
  expect(await check({ pin: '' })).toBe('WRONG_PIN')
})

test('an unknown server has no account', async () => {
  const serverOf = (id: string) => database.db.transaction().execute((tx) => lockPinAttempts(tx, id, '192.0.2.7'))
  expect(await serverOf('cls-unknown')).toBeUndefined()
  expect(await serverOf(deviceId)).toEqual({ owner: customerNumber, isLimited: false })
})

describe('a server with a PIN only', () => {
  beforeEach(() => set({}))

  test('everybody who knows it is admitted, from anywhere', async () => {
    expect(await check()).toBeUndefined()
    expect(await check({ username: 'jürgen meyer', externalIp: 'not an address' })).toBeUndefined()
  })

  test.each(['', '12345', '0123456', '012346', '12345 ', '٠١٢٣٤٥'])('another PIN (%j) is refused', async (pin) => {
    expect(await check({ pin })).toBe('WRONG_PIN')
  })
})

describe('a server with allowed usernames', () => {
  beforeEach(() => set({ users: ['Anna', 'AERODYNE\\bob'] }))

  test.each(['anna', 'ANNA', 'aerodyne\\BOB'])('%s is admitted, whatever the case', async (username) => {
    expect(await check({ username })).toBeUndefined()
  })

  test.each(['ann', 'anna ', '', 'bob'])('%j is refused', async (username) => {
    expect(await check({ username })).toBe('USER_NOT_ALLOWED')
  })
})

describe('a server with IP rules', () => {
  beforeEach(() => set({ addresses: ['192.0.2.99/28', '198.51.100.4', '2001:db8:1::/48', '::ffff:203.0.113.0/120'] }))

  test.each(['192.0.2.96', '192.0.2.111', '198.51.100.4', '2001:DB8:1:2::3', '::ffff:192.0.2.100', '203.0.113.9'])(
    '%s is admitted',
    async (externalIp) => {
      expect(await check({ externalIp })).toBeUndefined()
    },
  )

  test.each(['192.0.2.112', '192.0.2.95', '198.51.100.5', '2001:db8:2::1', '::1', '', 'localhost', '192.0.2.96/32'])(
    '%j is refused',
    async (externalIp) => {
      expect(await check({ externalIp })).toBe('ADDRESS_NOT_ALLOWED')
    },
  )
})

test('the PIN is checked first, then the username, then the address', async () => {
  await set({ users: ['bob'], addresses: ['198.51.100.4'] })
  expect(await check({ pin: '000000' })).toBe('WRONG_PIN')
  expect(await check()).toBe('USER_NOT_ALLOWED')
  expect(await check({ username: 'bob' })).toBe('ADDRESS_NOT_ALLOWED')
})

test('the database holds no PIN in plain text, and one copied to another server does not open', async () => {
  await set({ pin: '271828' })
  const row = await database.db
    .selectFrom('elastic_pin')
    .selectAll()
    .where('device_id', '=', deviceId)
    .executeTakeFirstOrThrow()
  expect(row.sealed_pin.toString('latin1')).not.toContain('271828')
  const other = elasticServerId('100001')
  await database.db.deleteFrom('elastic_pin').where('device_id', '=', other).execute()
  await database.db
    .insertInto('elastic_pin')
    .values({ ...row, customer_number: '100001', device_id: other })
    .execute()
  await expect(check({ customerNumber: '100001', serverId: other, pin: '271828' })).rejects.toThrow('does not open')
})
