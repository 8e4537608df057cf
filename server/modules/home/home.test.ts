import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostHistoryList } from '#contract/activations/history/history.ts'
import { getEntitlements } from '#contract/elastic/balances/elastic-entitlements.ts'
import { type ElasticEntitlement, elasticRow } from '#contract/elastic/balances/elastic-row.ts'
import { getRunOutForecast, type WireForecast } from '#contract/elastic/balances/run-out-forecast.ts'
import { denialList } from '#contract/elastic/sessions/denial-list.ts'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import { activeEntitlementList } from '#contract/entitlements/entitlement-list.ts'
import { leaseFilter } from '#contract/entitlements/lease-filter.ts'
import { contractRows } from '#contract/fsa/contract-row.ts'
import { listFsaEntitlements, type WireFsaEntitlement } from '#contract/fsa/entitlements.ts'
import { type AccountHome, getAccountHome } from '#contract/home/account-home.ts'
import { type AccountsHome, getAccountsHome } from '#contract/home/accounts-home.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { alertList, openFilter } from '#contract/messages/alert-list.ts'
import { emailList } from '#contract/messages/email-list.ts'
import { webCheckoutList, webDenialList } from '#contract/web-licenses/web-checkout-lists.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { instantsOf } from '#domain/calendar/day-range.ts'
import { USUAL_WINDOW } from '#domain/elastic/balances/run-out.ts'
import { MODELS_OF_GROUP } from '#domain/entitlements/license-model.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { countEndingWithin, ENDING_STEPS } from '#domain/home/ending.ts'
import { WEB_LICENSE_MODELS } from '#domain/web-licenses/web-license.ts'
import { elasticServerId } from '#server/demo/parts/elastic-servers.demo.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const CUSTOMER = '100001'
let portal: Portal
let ada: Awaited<ReturnType<Portal['as']>>
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as('ada.admin@aerodyne.example')
})
afterAll(() => portal.close())

async function homeOf(email: string, customerNumber = CUSTOMER): Promise<AccountHome> {
  const answer = await (await portal.as(email))(getAccountHome, { body: { customerNumber } })
  expect(answer).toMatchObject({ status: 200, body: { status: 'SUCCESS' } })
  return answer.body.data as AccountHome
}

const loadHome = () => homeOf('ada.admin@aerodyne.example')

async function count(
  operation: Operation,
  criteria: Readonly<FilterInput['criteria']>,
  more: object = {},
): Promise<unknown> {
  const body = { customerNumber: CUSTOMER, ...more, filter: { condition: 'ALL', criteria } }
  return (await ada(operation, { body })).body.data
}

describe('each number on Home equals the rows of its screen', () => {
  test.each(ENDING_STEPS)('leases and web licenses that end within %i days are counted', async (step) => {
    const { today, ending } = await loadHome()
    const soon = [
      { name: 'EndDate', method: 'ISDEFINED', value: true },
      { name: 'EndDate', method: '<=', value: addDays(today, step - 1) },
    ] as const
    const models = Object.values(WEB_LICENSE_MODELS).flatMap((group) => MODELS_OF_GROUP[group])
    const isWeb = {
      condition: 'ANY',
      criteria: models.map((value) => ({ name: 'LicenseModel', method: 'EQUALS' as const, value })),
    } as const
    const leases = countEndingWithin(ending.leases ?? [], step, today)
    const webLicenses = countEndingWithin(ending.webLicenses ?? [], step, today)
    expect(leases).toBeGreaterThan(0)
    expect(webLicenses).toBe(await count(activeEntitlementList.count, [...soon, isWeb]))
    expect(leases + webLicenses).toBe(await count(activeEntitlementList.count, soon))
  })

  test('elastic entitlements that end soon are shown with their balances', async () => {
    const { today, ending, elasticBalances } = await loadHome()
    const answer = await ada(getEntitlements, { body: { customerNumber: CUSTOMER } })
    const rows = (answer.body.data as ElasticEntitlement[]).map((one) => elasticRow(one, today))
    for (const step of ENDING_STEPS) {
      const expected = rows.filter(({ isActive, remainingdays }) => isActive && Number(remainingdays) <= step)
      expect(countEndingWithin(ending.elastic ?? [], step, today)).toBe(expected.length)
    }
    const valid = rows.filter(({ remainingdays }) => Number(remainingdays) >= 1)
    expect(valid.length).toBeGreaterThan(0)
    expect(
      new Map(elasticBalances?.map(({ id, remaining, isActive }) => [id, [Math.max(0, Number(remaining)), isActive]])),
    ).toEqual(new Map(valid.map(({ activationid, remaining, isActive }) => [activationid, [remaining, isActive]])))
  })

  test('units run out when the forecast of the elastic screen says so', async () => {
    const { elasticBalances } = await loadHome()
    const answer = await ada(getRunOutForecast, { body: { customerNumber: CUSTOMER } })
    const records = (answer.body.data as WireForecast).Records
    const usual = new Map(
      records.map(({ ActivationId, Forecasts }) => [
        ActivationId,
        Forecasts.find(({ Days }) => Days === USUAL_WINDOW)?.UsedUpOn,
      ]),
    )
    expect(elasticBalances?.some(({ runOut }) => runOut?.outcome === 'runs out')).toBe(true)
    for (const { id, runOut } of elasticBalances ?? []) expect(runOut?.on).toBe(usual.get(id))
  })

  test('spending accounts that end soon are shown with their balances', async () => {
    const { today, ending, contractBalances } = await loadHome()
    const answer = await ada(listFsaEntitlements, { body: { customerNumber: CUSTOMER } })
    const rows = contractRows(answer.body.data as WireFsaEntitlement[], today)
    for (const step of ENDING_STEPS) {
      const expected = rows.filter(({ isActive, remainingdays }) => isActive && Number(remainingdays) <= step)
      expect(countEndingWithin(ending.contracts ?? [], step, today)).toBe(expected.length)
    }
    const valid = rows.filter(({ remainingdays }) => Number(remainingdays) >= 1)
    expect(valid.length).toBeGreaterThan(0)
    expect(
      new Map(contractBalances?.map(({ id, remaining, isActive }) => [id, [Math.max(0, Number(remaining)), isActive]])),
    ).toEqual(new Map(valid.map(({ entitlementId, remaining, isActive }) => [entitlementId, [remaining, isActive]])))
  })

  test('permanent licenses whose maintenance has ended are counted', async () => {
    const { today, maintenanceEnded } = await loadHome()
    const typed = [{ column: 'enddate', method: 'CONTAINS', text: 'Maintenance ended' }] as const
    expect(maintenanceEnded).toBeGreaterThan(0)
    expect(maintenanceEnded).toBe(await count(activeEntitlementList.count, leaseFilter(typed, today).criteria))
  })

  test('the number of running sessions is that of their screen', async () => {
    const { runningSessions } = await loadHome()
    expect(runningSessions).toBeGreaterThan(0)
    expect(runningSessions).toBe(await count(usageList.count, [{ name: 'Active', method: 'EQUALS', value: true }]))
  })

  test('denials of the last 7 days of the account are counted, today included', async () => {
    const { today, denials } = await loadHome()
    expect(denials?.from).toBe(addDays(today, -6))
    expect(denials?.count).toBeGreaterThan(0)
    const { from, to } = instantsOf({ from: denials?.from ?? '', to: today }, 'Europe/Berlin')
    const since = { name: 'Time', method: 'DATERANGE', value: [from.toISOString(), to.toISOString()] } as const
    expect(denials?.count).toBe(await count(denialList.count, [since]))
    expect(denials?.count).toBeLessThan((await count(denialList.count, [])) as number)
  })

  test('running checkouts and denials of web licenses are counted', async () => {
    const { today, runningCheckouts, webDenials } = await loadHome()
    const running = [{ name: 'isActive', method: 'EQUALS', value: true }] as const
    expect(runningCheckouts).toBe(await count(webCheckoutList.count, running))
    const { from, to } = instantsOf({ from: webDenials?.from ?? '', to: today }, 'Europe/Berlin')
    const since = { name: 'time', method: 'DATERANGE', value: [from.toISOString(), to.toISOString()] } as const
    expect(webDenials?.count).toBeGreaterThan(0)
    expect(webDenials?.count).toBe(await count(webDenialList.count, [since]))
  })

  test('license servers with a license file that is out of date are counted', async () => {
    const outOfDate = [{ name: 'licenseFile', method: 'EQUALS', value: 'Out of date' }] as const
    const { outOfDateHosts } = await loadHome()
    expect(outOfDateHosts).toBe(await count(hostHistoryList.count, outOfDate, { state: 'Active' }))
  })

  test('the number of undelivered emails is that of their screen', async () => {
    const { undeliveredEmails } = await loadHome()
    expect(undeliveredEmails).toBeGreaterThan(0)
    const failed = [{ name: 'delivery', method: 'EQUALS', value: 'failed' }] as const
    expect(undeliveredEmails).toBe(await count(emailList.count, failed))
  })

  test('the number of open alerts is that of their screen', async () => {
    const { openAlerts } = await loadHome()
    expect(openAlerts).toBeGreaterThan(0)
    const filter = openFilter(portal.clock.now())
    expect((await ada(alertList.count, { body: { filter } })).body.data).toBe(openAlerts)
  })
})

describe('Home without some rights', () => {
  test('a contact of an account without access sees its elastic licenses only', async () => {
    expect(await homeOf('hal.heritage@heritage.example', '100008')).toMatchObject({
      ending: { leases: null, contracts: null },
      maintenanceEnded: null,
      outOfDateHosts: null,
      undeliveredEmails: null,
    })
  })

  test('an account without leases has no such part', async () => {
    const home = await homeOf('nina.nimbus@nimbus.example', '100007')
    expect(home).toMatchObject({ ending: { leases: null }, outOfDateHosts: null, maintenanceEnded: null })
    expect(home.elasticBalances?.length).toBeGreaterThan(0)
  })

  test('an indirect customer without elastic has neither emails nor sessions', async () => {
    const home = await homeOf('sol.single@bluewater.example', '100006')
    expect(home).toMatchObject({ undeliveredEmails: null, runningSessions: null, denials: null, elasticBalances: null })
  })

  test.each([
    ['nobody', null, CUSTOMER, 401],
    ['a contact of another account', 'nina.nimbus@nimbus.example', CUSTOMER, 404],
    ['an account that does not exist', 'olivia.ops@vendor.example', '999999', 404],
    ['an export denial', 'ella.export@restricted.example', '100004', 403],
    ['an export denial, also to staff', 'olivia.ops@vendor.example', '100004', 403],
    ['a malformed number', 'olivia.ops@vendor.example', 1, 400],
  ])('refuses %s', async (_, email, customerNumber, status) => {
    expect((await (await portal.as(email))(getAccountHome, { body: { customerNumber } })).status).toBe(status)
  })
})

describe('the accounts that need attention', () => {
  const loadAccounts = async () => {
    const answer = await (await portal.as('sara.sales@vendor.example'))(getAccountsHome)
    expect(answer.status).toBe(200)
    return answer.body.data as AccountsHome
  }

  test('have the numbers of their own Home', async () => {
    const { today } = await loadHome()
    await portal.db
      .updateTable('entitlement')
      .set({ end_date: addDays(today, 20) })
      .where('customer_number', '=', CUSTOMER)
      .where('kind', '=', 'FSA')
      .where('start_date', '<=', today)
      .where('end_date', '>=', today)
      .execute()
    const { denied, webDenied, overdrawn, ending } = await loadAccounts()
    const olivia = 'olivia.ops@vendor.example'
    const totals = Object.entries({ denied, webDenied, ...ending }).map(([kind, { total }]) => ({ kind, total }))
    expect(totals.filter(({ total }) => total === 0)).toEqual([])
    for (const { AccountID, count: found, from, to } of denied.accounts)
      expect(await homeOf(olivia, AccountID)).toMatchObject({ today: to, denials: { from, count: found } })
    for (const { AccountID, count: found, from, to } of webDenied.accounts)
      expect(await homeOf(olivia, AccountID)).toMatchObject({ today: to, webDenials: { from, count: found } })
    for (const kind of Object.keys(ending) as (keyof AccountsHome['ending'])[])
      for (const { AccountID, count: found } of ending[kind].accounts) {
        const home = await homeOf(olivia, AccountID)
        expect(countEndingWithin(home.ending[kind] ?? [], ENDING_STEPS[0], home.today)).toBe(found)
      }
    for (const { AccountID, count: found } of overdrawn.accounts) {
      const { elasticBalances } = await homeOf(olivia, AccountID)
      expect(elasticBalances?.filter(({ isActive }) => !isActive).length).toBe(found)
    }
    const counts = ending.leases.accounts.map((account) => account.count)
    expect(counts).toEqual(counts.toSorted((one, other) => other - one))
  })

  test('leave out accounts that export compliance closes', async () => {
    const denial = {
      denied_at: portal.clock.now(),
      reason: 'EXPORT' as const,
      server_id: elasticServerId('100004'),
      product: 'Fluid Flow Pro',
      product_count: 1,
      user_name: 'anna',
      host: 'ws-1',
      project: null,
      external_ip: '198.51.100.7',
    }
    const before = await loadAccounts()
    await portal.db
      .insertInto('elastic_denial')
      .values([
        { ...denial, customer_number: '100004' },
        { ...denial, customer_number: '100002' },
      ])
      .execute()
    const after = await loadAccounts()
    expect(after.denied.total).toBe(before.denied.total + 1)
    expect(after.denied.accounts.map(({ AccountID }) => AccountID)).toContain('100002')
  })

  test('are listed for staff only', async () => {
    expect((await ada(getAccountsHome)).status).toBe(403)
    expect((await (await portal.as(null))(getAccountsHome)).status).toBe(401)
  })
})
