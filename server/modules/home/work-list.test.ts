import type { Insertable } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { previewPlan } from '#contract/activations/plans/host-plans.ts'
import type { PlanPreview } from '#contract/activations/plans/plan-fields.ts'
import { saveUsers, setIps, toWhitelist } from '#contract/elastic/credentials/credentials.ts'
import { unlockPin } from '#contract/elastic/credentials/pin-locks.ts'
import { denialList } from '#contract/elastic/sessions/denial-list.ts'
import { activeEntitlementList } from '#contract/entitlements/entitlement-list.ts'
import { type AccountHome, getAccountHome, hideMatter, showMatter } from '#contract/home/account-home.ts'
import { licenseDenialList } from '#contract/license-use/denials.ts'
import { sendObservations } from '#contract/license-use/observations.ts'
import { getPlanner, type PlannerProduct } from '#contract/planner/planner.ts'
import { assignWebLicenses } from '#contract/web-licenses/web-assignments.ts'
import { countEndingSoon } from '#domain/activations/plans/renewal.ts'
import { addDays, dayIn, startOfDay } from '#domain/calendar/calendar-day.ts'
import type { SessionRefusal } from '#domain/elastic/sessions/session-refusal.ts'
import { endDateWith } from '#domain/entitlements/term.ts'
import { countEndingWithin } from '#domain/home/ending.ts'
import { ENDS_SOON, MAX_OF_KIND } from '#domain/home/work-list.ts'
import type { CheckoutRefusal } from '#domain/web-licenses/checkout.ts'
import type { DB } from '#server/db/schema.ts'
import { DONGLE } from '#server/demo/fulfillments-hosts.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { CATALOG } from '#server/demo/products.ts'
import { ADA, type Call, sellLicense, VIC } from '#server/testing/activations.ts'
import { activate, newHost } from '#server/testing/host-plans.ts'
import { callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { addCheckouts, addWebAccount, OPTICS, userOf } from '#server/testing/web-licenses.ts'

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

async function deny(
  reason: SessionRefusal,
  external_ip: string,
  user_name = 'eve',
  times = 1,
  product = 'Acoustics Response',
): Promise<void> {
  for (let i = 0; i < times; i++)
    await insertDenial({
      customer_number: customerNumber,
      denied_at: portal.clock.now(),
      reason,
      server_id: clsId,
      product,
      product_count: 1,
      user_name,
      host: 'ws-1',
      external_ip,
    })
}

describe('the work list', () => {
  test('the work list names an address that was denied until a rule allows it, and counts its denials', async () => {
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

  test('the work list has as many license files that are out of date as Home counts', async () => {
    const home = await listOf(ada)
    const files = home.matters.find(({ kind }) => kind === 'FILES_OUT_OF_DATE')
    expect(files?.count ?? 0).toBe(home.outOfDateHosts)
  })

  test('the work list leaves out what is older than a week', async () => {
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

describe('many matters of a kind', () => {
  test('the work list names those that were denied most of those that are still denied, and counts the others', async () => {
    const rules = toWhitelist([{ name: 'Office', address: '192.0.2.0/24' }])
    await ada(setIps, { body: { customerNumber, clsId, whitelist: rules } })
    // These would be allowed now, and were denied most.
    for (const at of [1, 2, 3]) await deny('ADDRESS_NOT_ALLOWED', `192.0.2.${at}`, 'eve', 5)
    for (let at = 1; at <= MAX_OF_KIND + 2; at++)
      await deny('ADDRESS_NOT_ALLOWED', `203.0.113.${at}`, 'eve', 1 + (at % 3))
    const home = await listOf(ada)
    const named = home.matters.filter(({ kind }) => kind === 'ADDRESS_DENIED').map(({ subject }) => subject)
    const denials = await portal.db
      .selectFrom('elastic_denial')
      .select('external_ip')
      .distinct()
      .where('customer_number', '=', customerNumber)
      .where('server_id', '=', clsId)
      .where('reason', '=', 'ADDRESS_NOT_ALLOWED')
      .where('denied_at', '>', startOfDay('Europe/Berlin', addDays(home.today, -6)))
      .where('external_ip', 'not like', '192.0.2.%')
      .execute()
    expect(named).toHaveLength(MAX_OF_KIND)
    expect(named).not.toContain('192.0.2.1')
    expect(home.moreMatters).toContainEqual({ kind: 'ADDRESS_DENIED', count: denials.length - MAX_OF_KIND })
  })
})

describe('license servers', () => {
  const silentOn = (home: AccountHome) => home.matters.find(({ kind }) => kind === 'SERVERS_SILENT')

  const seatsOn = (home: AccountHome) => home.matters.filter(({ kind }) => kind === 'SEATS_DENIED')

  test('the work list counts as many denials of a feature in a week as the screen behind it', async () => {
    const home = await listOf(ada)
    const range = { from: addDays(home.today, -6), to: home.today }
    const found = seatsOn(home)
    expect(found.length).toBeGreaterThan(0)
    for (const { subject, count } of found) {
      const equals = (name: string, value: string) => ({ name, method: 'EQUALS', value })
      const criteria = [equals('meaning', 'Denial (no seat within a minute)'), equals('feature', subject)]
      const filter = { condition: 'ALL', criteria }
      const { body } = await ada(licenseDenialList.count, { body: { customerNumber, ...range, filter } })
      expect(body.data).toBe(count)
    }
  })

  test('a denied feature leaves the list once its license servers have more seats of it', async () => {
    const { today, matters } = await listOf(ada)
    const feature = matters.find(({ kind }) => kind === 'SEATS_DENIED')?.subject ?? ''
    const short = await portal.db
      .selectFrom('license_use_hour as u')
      .innerJoin('host as h', 'h.host_id', 'u.host_id')
      .select(['h.host_id', 'h.host_name', 'h.host_id_type'])
      .distinct()
      .where('u.customer_number', '=', customerNumber)
      .where('h.customer_number', '=', customerNumber)
      .where('u.feature', '=', feature)
      .where('u.real_denials', '>', 0)
      .execute()
    const product = CATALOG.find(({ featureNames }) => featureNames.includes(feature))
    const give = async (change: Parameters<typeof sellLicense>[1]) => {
      const id = await sellLicense(portal, { product_name: product?.name ?? '', ...change })
      for (const { host_id: serverId, host_name: serverName, host_id_type: type } of short) {
        const serverIdType = serverId.replaceAll(/[^,]+/g, type)
        await activate(ada, customerNumber, { serverId, serverName, serverIdType }, { [id]: 1 })
      }
    }
    await give({ start_date: addDays(today, 1) })
    expect(seatsOn(await listOf(ada)).map(({ subject }) => subject)).toContain(feature)
    await give({})
    expect(seatsOn(await listOf(ada)).map(({ subject }) => subject)).not.toContain(feature)
  })

  test('license servers that have not reported for a day are counted until they report again', async () => {
    expect(silentOn(await listOf(ada))).toMatchObject({ key: 'SERVERS_SILENT', count: 1 })
    const text = 'lmstat - Copyright (c) 1989-2024 Flexera.\nFlexible License Manager status on Wed 11/18/2026 10:00\n'
    const body = { customerNumber, serverId: DONGLE.id, observations: [{ text }] }
    expect((await ada(sendObservations, { body })).status).toBe(200)
    expect(silentOn(await listOf(ada))).toBeUndefined()
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

  test('denied checkouts are matters by product and reason, and by user where somebody is not assigned', async () => {
    expect(await mattersOf()).toEqual([
      ['CHECKOUT_EXPIRED Fluids', eve, 1, 1],
      [`CHECKOUT_DENIED ${OPTICS}`, eve, 2, 3],
      [`CHECKOUT_UNASSIGNED ${OPTICS} ${userOf('bob')}`, userOf('bob'), 1, 1],
      [`CHECKOUT_UNASSIGNED ${OPTICS} ${eve}`, eve, 1, 1],
    ])
  })

  test('denied checkouts disappear once the user is assigned, and once there is a valid license again', async () => {
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

describe('denials that are solved by now', () => {
  const wrongPin = 'PIN_DENIED'
  const failPin = (external_ip = '198.51.100.30', hoursAgo = 0) =>
    portal.db
      .insertInto('pin_failure')
      .values({
        customer_number: customerNumber,
        server_id: clsId,
        external_ip,
        failures: 10,
        failed_at: new Date(portal.clock.now().getTime() - hoursAgo * 3_600_000),
      })
      .execute()

  test('a username leaves the list once it is added', async () => {
    await deny('USER_NOT_ALLOWED', '198.51.100.20', 'eve', 2)
    await ada(saveUsers, { body: { customerNumber, clsId, users: ['ada'] } })
    const key = `USER_DENIED eve ${clsId}`
    expect(keysOf(await listOf(ada))).toContain(key)
    await ada(saveUsers, { body: { customerNumber, clsId, users: ['ada', 'EVE'] } })
    expect(keysOf(await listOf(ada))).not.toContain(key)
    await ada(saveUsers, { body: { customerNumber, clsId, users: [] } })
  })

  test('a lock and its wrong PINs leave the list once the lock is reset', async () => {
    await deny('WRONG_PIN', '198.51.100.30', 'eve', 10)
    await deny('LOCKED', '198.51.100.30')
    expect(keysOf(await listOf(ada))).not.toContain(wrongPin)
    await failPin()
    const locked = `ADDRESS_LOCKED 198.51.100.30 ${clsId}`
    const listed = await listOf(ada)
    expect(keysOf(listed)).toEqual(expect.arrayContaining([wrongPin, locked]))
    // As many as the screen behind the line lists.
    const filter = { condition: 'ALL', criteria: [{ name: 'Reason', method: 'EQUALS', value: 'WRONG_PIN' }] }
    const since = { name: 'Time', method: 'AFTER', value: `${listed.denials?.from}T00:00:00.000Z` }
    const body = { customerNumber, filter: { ...filter, criteria: [...filter.criteria, since] } }
    const rows = await ada(denialList.count, { body })
    expect(listed.matters.find(({ key }) => key === wrongPin)?.count).toBe(rows.body.data)
    const support = await portal.as('sam.support@vendor.example')
    const unlock = { customerNumber, serverId: clsId, externalIp: '198.51.100.30' }
    expect((await support(unlockPin, { body: unlock })).status).toBe(200)
    const keys = keysOf(await listOf(ada))
    expect(keys).not.toContain(wrongPin)
    expect(keys).not.toContain(locked)
  })

  test('a lock that ended yesterday is told for a week', async () => {
    await failPin('198.51.100.31', 25)
    await failPin('198.51.100.32', 8 * 24)
    const keys = keysOf(await listOf(ada))
    expect(keys).toContain(`LOCK_ENDED 198.51.100.31 ${clsId}`)
    expect(keys.filter((key) => /198\.51\.100\.3[12]/.test(key))).toHaveLength(1)
    await portal.db.deleteFrom('pin_failure').where('customer_number', '=', customerNumber).execute()
  })

  test('a product leaves the list once it is in the rate table', async () => {
    await deny('UNKNOWN_PRODUCT', '198.51.100.9', 'eve', 1, 'Structural Mechanics Pro')
    await deny('UNKNOWN_PRODUCT', '198.51.100.9', 'eve', 2, 'No Such Product')
    const keys = keysOf(await listOf(ada))
    expect(keys).toContain('PRODUCT_DENIED No Such Product')
    expect(keys).not.toContain('PRODUCT_DENIED Structural Mechanics Pro')
  })

  test('a seat that was given, is free or was taken since ends the denial of its user', async () => {
    const web = 'H2'
    await addWebAccount(portal.db, web, [
      { id: 'S', model: 'Shared Web', quantity: 1 },
      { id: 'N', quantity: 1 },
    ])
    const started = portal.clock.now()
    const at = started.toISOString()
    const denied = (name: string) => ({
      reason: 'NO_SEAT' as const,
      product: OPTICS,
      email: userOf(name),
      host: 'ws-1',
    })
    const own = { customer_number: web, denied_at: portal.clock.now() }
    await portal.db
      .insertInto('web_denial')
      .values(['ann', 'bob', 'cid'].map((name) => ({ ...own, ...denied(name) })))
      .execute()
    const assign = (id: string, name: string) =>
      ada(assignWebLicenses, {
        body: { customerNumber: web, activationIds: [`${web}-${id}`], emails: [userOf(name)] },
      })
    const stillDenied = async () => {
      const { body } = await ada(getAccountHome, { body: { customerNumber: web } })
      const found = (body.data as AccountHome).matters.find(({ kind }) => kind === 'CHECKOUT_DENIED')
      return found && [found.users, found.count]
    }
    for (const name of ['ann', 'bob', 'cid', 'dan']) await assign('S', name)
    expect(await stillDenied()).toBe(undefined)
    const running = { customer_number: web, activation_id: `${web}-S`, product: OPTICS, kind: 'CONCURRENT' as const }
    await portal.db
      .insertInto('web_checkout')
      .values({
        ...running,
        checkout_id: `${web}.1`,
        email: userOf('dan'),
        host: 'ws-9',
        started_at: started,
        last_heartbeat_at: started,
      })
      .execute()
    expect(await stillDenied()).toEqual([3, 3])
    await assign('N', 'ann')
    expect(await stillDenied()).toEqual([2, 3])
    await addCheckouts(portal.db, web, [{ id: 'S', user: 'bob', from: at, to: at }])
    expect(await stillDenied()).toEqual([1, 3])
  })
})

describe('hidden matters', () => {
  const unknown = 'PRODUCT_DENIED Nothing Like It'
  const denyAgain = () => deny('UNKNOWN_PRODUCT', '198.51.100.9', 'eve', 1, 'Nothing Like It')
  beforeAll(denyAgain)

  test('a matter that is put off is hidden until its day', async () => {
    const { today } = await listOf(ada)
    const until = addDays(today, 2)
    expect((await ada(hideMatter, { body: { customerNumber, key: unknown, until } })).status).toBe(200)
    const home = await listOf(ada)
    expect(keysOf(home)).not.toContain(unknown)
    expect(home.hiddenMatters).toContainEqual(expect.objectContaining({ key: unknown, until }))
  })

  test('others still see what one person has hidden', async () => {
    const vic = await portal.as(VIC)
    expect(keysOf(await listOf(vic))).toContain(unknown)
  })

  test('a done matter is back when there is more of it', async () => {
    expect((await ada(hideMatter, { body: { customerNumber, key: unknown } })).status).toBe(200)
    expect(keysOf(await listOf(ada))).not.toContain(unknown)
    await denyAgain()
    expect(keysOf(await listOf(ada))).toContain(unknown)
  })

  test('a done matter is back once only new denials can be counted', async () => {
    expect((await ada(hideMatter, { body: { customerNumber, key: unknown } })).status).toBe(200)
    const hiddenBefore = (days: number) =>
      portal.db
        .updateTable('hidden_matter')
        .set({ hidden_at: new Date(portal.clock.now().getTime() - days * 24 * 3_600_000) })
        .where('customer_number', '=', customerNumber)
        .where('key', '=', unknown)
        .execute()
    await hiddenBefore(6)
    expect(keysOf(await listOf(ada))).not.toContain(unknown)
    await hiddenBefore(8)
    expect(keysOf(await listOf(ada))).toContain(unknown)
  })

  test('a hidden matter can be shown again', async () => {
    await ada(hideMatter, { body: { customerNumber, key: unknown } })
    expect((await ada(showMatter, { body: { customerNumber, key: unknown } })).status).toBe(200)
    expect(keysOf(await listOf(ada))).toContain(unknown)
  })

  test('the portal refuses to hide a matter that is not on the list, or to put one off until today or earlier', async () => {
    const { today } = await listOf(ada)
    const hide = (key: string, until?: string) =>
      ada(hideMatter, { body: { customerNumber, key, ...(until ? { until } : {}) } })
    expect((await hide('no such matter')).status).toBe(404)
    expect((await hide(unknown, today)).status).toBe(400)
    expect((await hide(unknown, '2026-02-30')).status).toBe(400)
    expect((await (await portal.as(null))(hideMatter, { body: { customerNumber, key: unknown } })).status).toBe(401)
  })
})

test('elastic units that have all ended are on the list', async () => {
  const nimbus = '100007'
  const nina = await portal.as('nina.nimbus@nimbus.example')
  const { body } = await nina(getAccountHome, { body: { customerNumber: nimbus } })
  const day = addDays((body.data as AccountHome).today, -3)
  await portal.db
    .updateTable('entitlement')
    .set({ start_date: addDays(day, -300), end_date: day })
    .where('customer_number', '=', nimbus)
    .where('kind', '=', 'ELASTIC')
    .execute()
  const { body: later } = await nina(getAccountHome, { body: { customerNumber: nimbus } })
  const units = (later.data as AccountHome).matters.filter(({ kind }) => kind.startsWith('UNITS_'))
  expect(units).toMatchObject([{ kind: 'UNITS_ENDED', day }])
})

test('leases that end are on the list while seats of one of them have no renewal', async () => {
  const { today } = await listOf(ada)
  await portal.db
    .updateTable('entitlement')
    .set({ end_date: addDays(today, 200) })
    .where('customer_number', '=', customerNumber)
    .where('kind', '=', 'SSL')
    .where('end_date', '<=', addDays(today, 90))
    .execute()
  const leases = async () => (await listOf(ada)).matters.find(({ kind }) => kind === 'LEASES_END')
  const host = newHost()
  await sellLicense(portal, { end_date: addDays(today, 5) })
  const ending = await sellLicense(portal, { end_date: addDays(today, 9) })
  expect(await leases()).toBeUndefined()
  await activate(ada, customerNumber, host, { [ending]: 2 })
  const listed = { count: 2, withSeats: 1, day: addDays(today, 9) }
  expect(await leases()).toMatchObject(listed)
  const renewal = await sellLicense(portal, { start_date: addDays(today, 10) })
  await activate(ada, customerNumber, newHost(), { [renewal]: 2 })
  expect(await leases()).toMatchObject(listed)
  await activate(ada, customerNumber, host, { [renewal]: 1 })
  expect(await leases()).toMatchObject(listed)
  await activate(ada, customerNumber, host, { [renewal]: 1 })
  expect(await leases()).toBeUndefined()
})

test('Home, Ending soon, the entitlements and the planner count the same leases within 30 days, at both ends of a day', async () => {
  const first = dayIn('Europe/Berlin', portal.clock.now())
  const soldUntil = (days: number) => sellLicense(portal, { end_date: endDateWith(days, first) })
  const seats = Object.fromEntries(await Promise.all([1, 2, 30, 31].map(async (days) => [await soldUntil(days), 1])))
  await activate(ada, customerNumber, newHost(), seats)
  await activate(ada, customerNumber, newHost(), seats)
  const counts = async () => {
    // A sign-in does not last until midnight.
    const cookie = await signIn(portal.app, ADA)
    const again: Call = (operation, parts = {}) => callOperation(portal.app, operation, cookie, parts)
    const home = await listOf(again)
    const preview = await again(previewPlan, { body: { customerNumber, action: 'RENEW' } })
    const { endings } = preview.body.data as PlanPreview
    const { today, ending } = home
    const matter = home.matters.find(({ kind }) => kind === 'LEASES_END')
    const endsBy = endDateWith(ENDS_SOON, today)
    const counted = async (...criteria: object[]) => {
      const filter = { condition: 'ALL', criteria: [{ name: 'EndDate', method: '<=', value: endsBy }, ...criteria] }
      return (await again(activeEntitlementList.count, { body: { customerNumber, filter } })).body.data as number
    }
    const planner = await again(getPlanner, { body: { customerNumber, from: today, to: today, endsBy } })
    const { products } = planner.body.data as { products: PlannerProduct[] }
    const sum = (count: (one: PlannerProduct) => number) => products.reduce((all, one) => all + count(one), 0)
    const card = (of: 'count' | 'withSeats') => countEndingWithin(ending.leases ?? [], ENDS_SOON, today, of)
    return {
      today,
      all: {
        home: matter?.count,
        card: card('count'),
        list: (await counted()) - countEndingWithin(ending.webLicenses ?? [], ENDS_SOON, today),
        planner: sum(({ endingLeases }) => endingLeases),
      },
      withSeats: {
        home: matter?.withSeats,
        card: card('withSeats'),
        list: await counted({ name: 'AnsysActivated', method: '>', value: 0 }),
        planner: sum(({ endingWithSeats }) => endingWithSeats),
      },
      toRenew: countEndingSoon(endings, { days: ENDS_SOON, today }),
    }
  }
  const midnight = startOfDay('Europe/Berlin', addDays(first, 1)).getTime()
  for (const [instant, today] of [
    [portal.clock.now().getTime(), first],
    [midnight - 1, first],
    [midnight, addDays(first, 1)],
  ] as const) {
    portal.clock.forward(instant - portal.clock.now().getTime())
    const { all, withSeats, toRenew, today: day } = await counts()
    expect(day).toBe(today)
    expect(new Set(Object.values(all)).size, JSON.stringify(all)).toBe(1)
    expect(new Set(Object.values(withSeats)).size, JSON.stringify(withSeats)).toBe(1)
    expect(toRenew).toBeGreaterThanOrEqual(3)
    expect(withSeats.home).toBeGreaterThanOrEqual(toRenew)
    expect(all.home).toBeGreaterThan(withSeats.home ?? 0)
  }
})
