import type { Insertable } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setIps, toWhitelist } from '#contract/elastic/credentials/credentials.ts'
import { type AccountHome, getAccountHome, hideMatter, showMatter } from '#contract/home/account-home.ts'
import { assignWebLicenses } from '#contract/web-licenses/web-assignments.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import type { SessionRefusal } from '#domain/elastic/sessions/session-refusal.ts'
import type { CheckoutRefusal } from '#domain/web-licenses/checkout.ts'
import type { DB } from '#server/db/schema.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { ADA, type Call, VIC } from '#server/testing/activations.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { addWebAccount, OPTICS, userOf } from '#server/testing/web-licenses.ts'

const customerNumber = '100001'
const clsId = elasticServerId(customerNumber)
let portal: Portal
let ada: Call
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
})
afterAll(() => portal.close())

async function listOf(call: Call): Promise<AccountHome> {
  const { status, body } = await call(getAccountHome, { body: { customerNumber } })
  expect(status).toBe(200)
  return body.data as AccountHome
}
const insertDenial = (denial: Insertable<DB['elastic_denial']>) =>
  portal.db.insertInto('elastic_denial').values(denial).execute()
const keysOf = ({ matters }: AccountHome) => matters.map(({ key }) => key)

async function deny(reason: SessionRefusal, external_ip: string, user_name = 'eve', times = 1): Promise<void> {
  for (let i = 0; i < times; i++)
    await insertDenial({
      customer_number: customerNumber,
      denied_at: portal.clock.now(),
      reason,
      server_id: clsId,
      product: 'Acoustics Response',
      product_count: 1,
      user_name,
      host: 'ws-1',
      external_ip,
    })
}

describe('the work list', () => {
  test('names an address that was denied until a rule allows it, and counts its denials', async () => {
    const rules = toWhitelist([{ name: 'Office', address: '192.0.2.0/24' }])
    await ada(setIps, { body: { customerNumber, clsId, whitelist: rules } })
    await deny('ADDRESS_NOT_ALLOWED', '198.51.100.77', 'eve', 3)
    const key = `ADDRESS_DENIED 198.51.100.77 ${clsId}`
    const found = (await listOf(ada)).matters.find((one) => one.key === key)
    expect(found).toMatchObject({
      kind: 'ADDRESS_DENIED',
      subject: '198.51.100.77',
      server: clsId,
      count: 3,
      day: null,
    })
    const allowed = [...rules, { rulename: 'Eve', ipaddress: '198.51.100.0/24' }]
    await ada(setIps, { body: { customerNumber, clsId, whitelist: allowed } })
    expect(keysOf(await listOf(ada))).not.toContain(key)
  })

  test('has the license files that are out of date, as many as Home counts', async () => {
    const home = await listOf(ada)
    const files = home.matters.find(({ kind }) => kind === 'FILES_OUT_OF_DATE')
    expect(files?.count ?? 0).toBe(home.outOfDateHosts)
  })

  test('leaves out what is older than a week', async () => {
    await insertDenial({
      customer_number: customerNumber,
      denied_at: new Date(portal.clock.now().getTime() - 8 * 24 * 3600 * 1000),
      reason: 'ADDRESS_NOT_ALLOWED',
      server_id: clsId,
      product: 'Acoustics Response',
      product_count: 1,
      user_name: 'old',
      host: 'ws-1',
      external_ip: '203.0.113.250',
    })
    expect(keysOf(await listOf(ada)).some((key) => key.includes('203.0.113.250'))).toBe(false)
  })
})

describe('denied checkouts of web licenses', () => {
  const web = 'H1'
  const eve = userOf('dan')
  const denyCheckout = (reason: CheckoutRefusal, product: string, email: string) =>
    portal.db
      .insertInto('web_denial')
      .values({ customer_number: web, denied_at: portal.clock.now(), reason, product, email, host: 'ws-1' })
      .execute()
  const mattersOf = async () => {
    const { body } = await ada(getAccountHome, { body: { customerNumber: web } })
    return (body.data as AccountHome).matters.map(({ key, user, users, count }) => [key, user, users, count])
  }
  beforeAll(async () => {
    await addWebAccount(portal.db, web, [
      { id: 'A', model: 'Shared Web' },
      { id: 'old', product: 'Fluids', to: '2021-01-01' },
    ])
    await denyCheckout('NO_SEAT', OPTICS, userOf('ann'))
    await denyCheckout('NO_SEAT', OPTICS, eve)
    await denyCheckout('NO_SEAT', OPTICS, eve)
    await denyCheckout('USER_NOT_ASSIGNED', OPTICS, eve)
    await denyCheckout('USER_NOT_ASSIGNED', OPTICS, userOf('bob'))
    await denyCheckout('ENTITLEMENT_EXPIRED', 'Fluids', eve)
    await denyCheckout('EXPORT', 'Fluids', eve)
  })

  test('are matters by product and reason, and by user where somebody is not assigned', async () => {
    expect(await mattersOf()).toEqual([
      [`CHECKOUT_DENIED ${OPTICS}`, eve, 2, 3],
      [`CHECKOUT_UNASSIGNED ${OPTICS} ${userOf('bob')}`, userOf('bob'), 1, 1],
      [`CHECKOUT_UNASSIGNED ${OPTICS} ${eve}`, eve, 1, 1],
      ['CHECKOUT_EXPIRED Fluids', eve, 1, 1],
    ])
  })

  test('disappear once the user is assigned, and once there is a valid license again', async () => {
    await ada(assignWebLicenses, { body: { customerNumber: web, activationIds: [`${web}-A`], emails: [eve] } })
    await portal.db
      .updateTable('entitlement')
      .set({ end_date: '2099-12-31' })
      .where('customer_number', '=', web)
      .where('activation_id', '=', `${web}-old`)
      .execute()
    expect((await mattersOf()).map(([key]) => key)).toEqual([
      `CHECKOUT_DENIED ${OPTICS}`,
      `CHECKOUT_UNASSIGNED ${OPTICS} ${userOf('bob')}`,
    ])
  })
})

describe('a matter can be hidden', () => {
  const wrongPins = 'START_DENIED'
  beforeAll(() => deny('UNKNOWN_PRODUCT', '198.51.100.9'))

  test('until a day, and is back on that day', async () => {
    const { today } = await listOf(ada)
    const until = addDays(today, 2)
    expect((await ada(hideMatter, { body: { customerNumber, key: wrongPins, until } })).status).toBe(200)
    const home = await listOf(ada)
    expect(keysOf(home)).not.toContain(wrongPins)
    expect(home.hiddenMatters).toContainEqual(expect.objectContaining({ key: wrongPins, until }))
  })

  test('by one person, and others still see it', async () => {
    const vic = await portal.as(VIC)
    expect(keysOf(await listOf(vic))).toContain(wrongPins)
  })

  test('as done, and is back when there is more of it', async () => {
    expect((await ada(hideMatter, { body: { customerNumber, key: wrongPins } })).status).toBe(200)
    expect(keysOf(await listOf(ada))).not.toContain(wrongPins)
    await deny('UNKNOWN_PRODUCT', '198.51.100.9')
    expect(keysOf(await listOf(ada))).toContain(wrongPins)
  })

  test('and shown again', async () => {
    await ada(hideMatter, { body: { customerNumber, key: wrongPins } })
    expect((await ada(showMatter, { body: { customerNumber, key: wrongPins } })).status).toBe(200)
    expect(keysOf(await listOf(ada))).toContain(wrongPins)
  })

  test('only if it is on the list, and only until a later day', async () => {
    const { today } = await listOf(ada)
    const hide = (key: string, until?: string) =>
      ada(hideMatter, { body: { customerNumber, key, ...(until ? { until } : {}) } })
    expect((await hide('no such matter')).status).toBe(404)
    expect((await hide(wrongPins, today)).status).toBe(400)
    expect((await hide(wrongPins, '2026-02-30')).status).toBe(400)
    expect((await (await portal.as(null))(hideMatter, { body: { customerNumber, key: wrongPins } })).status).toBe(401)
  })
})
