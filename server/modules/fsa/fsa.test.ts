import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bookingsOf } from '#contract/fsa/bookings.ts'
import { contractRows } from '#contract/fsa/contract-row.ts'
import { contractList, listContracts, type WireContract } from '#contract/fsa/contracts.ts'
import { fsaEntitlementList, listFsaEntitlements, type WireFsaEntitlement } from '#contract/fsa/entitlements.ts'
import { type HistoryRow, historyList } from '#contract/fsa/history-list.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { balanceOverTime } from '#domain/fsa/balance-over-time.ts'
import { add, subtract, sum, toFixedText } from '#domain/money/decimal.ts'
import { insertEntitlements } from '#server/modules/entitlements/entitlements.public.ts'
import { ADA, type Call, OLIVIA, VIC } from '#server/testing/activations.ts'
import { openContract } from '#server/testing/fsa.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const customerNumber = '100001'
const ADJUSTMENTS = 'Adjustments by Business Operations'

let portal: Portal
let ada: Call
let olivia: Call
let today: string
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
  olivia = await portal.as(OLIVIA)
  today = dayIn('Europe/Berlin', portal.clock.now())
})
afterAll(() => portal.close())

const read = async <T>(call: Call, operation: Operation, body: object = {}) =>
  (await call(operation, { body: { customerNumber, ...body } })).body.data as T
const history = (call: Call, body: object = {}) => read<HistoryRow[]>(call, historyList.page, { limit: 1000, ...body })

describe('contracts', () => {
  test('have a price list and an exact balance, the last to end first', async () => {
    const contracts = await read<WireContract[]>(ada, listContracts)
    expect(contracts).toHaveLength(6)
    const ends = contracts.map(({ EndDate }) => EndDate)
    expect(ends).toEqual([...ends].sort().reverse())
    const entitlements = await read<WireFsaEntitlement[]>(ada, listFsaEntitlements)
    for (const contract of contracts) {
      const drawn = entitlements.filter(({ apimeta }) => apimeta.fsaID === contract.fsaID)
      const spent = sum(drawn.map(({ ansysprice }) => ansysprice))
      expect(contract.available).toBe(toFixedText(subtract(contract['CA[ENT|ansysprice]'], spent), 2))
      expect(contract['CA[ENT|ansysbusopsemails]']).toBe(OLIVIA)
    }
    const dollars = contracts.find((one) => one['CA[ENT|ansyscurrency]'] === 'USD')
    expect(dollars?.fsaproducts.find(({ ansysbpn }) => ansysbpn === 'FLU0020140')).toEqual({
      ansysbpn: 'FLU0020140',
      ansysproduct: 'Combustion Chemistry',
      price7Days: null,
      price30Days: '1600.00',
      price60Days: null,
      price90Days: '4160.00',
      price180Days: null,
      price1Year: null,
    })
    expect(contracts.find((one) => one['CA[ENT|ansyscurrency]'] === 'CHF')?.fsaproducts).toEqual([])
  })

  test('are split into active and inactive (used up or expired)', async () => {
    const rows = contractRows(await read<WireFsaEntitlement[]>(ada, listFsaEntitlements), today)
    const states = rows.map((row) => `${row.isActive ? 'active' : 'inactive'} ${row.currency} ${row.usedpercentage}`)
    expect(states.filter((state) => state.startsWith('inactive')).sort()).toEqual([
      expect.stringMatching(/^inactive EUR (?!100)/),
      'inactive USD 100',
    ])
    expect(rows.filter(({ isActive }) => isActive)).toHaveLength(4)
    expect(rows.find(({ remainingdays }) => remainingdays === 'NOT STARTED')).toMatchObject({
      isActive: true,
      quantity: 80_000,
      remaining: 80_000,
      used: 0,
      usedpercentage: 0,
    })
  })
})

describe('contracts and entitlements', () => {
  const named = (name: string, value: string) => ({
    filter: { condition: 'ALL', criteria: [{ name, method: 'EQUALS', value }] },
  })

  test('are counted as they are listed', async () => {
    for (const call of [ada, olivia]) {
      const contracts = await read<WireContract[]>(call, listContracts)
      expect(await read(call, contractList.count)).toBe(contracts.length)
      const entitlements = await read<WireFsaEntitlement[]>(call, listFsaEntitlements)
      expect(await read(call, fsaEntitlementList.count)).toBe(entitlements.length)
      const [{ fsaID } = { fsaID: '' }] = contracts
      const ofContract = entitlements.filter(({ apimeta }) => apimeta.fsaID === fsaID)
      expect(await read(call, fsaEntitlementList.count, named('fsaID', fsaID))).toBe(ofContract.length)
    }
    expect(await read(ada, fsaEntitlementList.count, named('ProductName', ADJUSTMENTS))).toBe(3)
    expect(await read(olivia, fsaEntitlementList.count, named('ProductName', ADJUSTMENTS))).toBe(0)
  })

  test('lists answer distinct values', async () => {
    const contracts = await read<WireContract[]>(ada, listContracts)
    const ids = contracts.map(({ fsaID }) => fsaID).sort()
    expect(await read(ada, contractList.distinct)).toEqual(ids)
    expect(await read(ada, contractList.distinct, { key: 'CA[ENT|ansyscurrency]' })).toEqual(['CHF', 'EUR', 'USD'])
    const drawnFrom = await read<(string | null)[]>(ada, fsaEntitlementList.distinct, { key: 'fsaID' })
    expect(drawnFrom.at(-1)).toBe(null)
    expect(ids).toEqual(expect.arrayContaining(drawnFrom.slice(0, -1)))
    expect(await read(olivia, fsaEntitlementList.distinct, { key: 'manualentry' })).toEqual([false, true])
  })
})

describe('manual entries', () => {
  test('are listed one by one for business operations only', async () => {
    const seen = await history(olivia)
    expect(seen.filter(({ manualentry }) => manualentry)).toHaveLength(3)
    expect(seen.map(({ ansysproduct }) => ansysproduct)).not.toContain(ADJUSTMENTS)
    for (const person of [ADA, VIC, 'sam.support@vendor.example']) {
      const call = await portal.as(person)
      const rows = await history(call)
      expect(rows.map(({ ansysproduct }) => ansysproduct).join()).not.toContain('Manual Drawdown')
      expect(rows.filter(({ ansysproduct }) => ansysproduct === ADJUSTMENTS)).toHaveLength(3)
      const raw = await read<WireFsaEntitlement[]>(call, listFsaEntitlements)
      expect(raw.map(({ ProductName }) => ProductName).join()).not.toContain('Manual Drawdown')
    }
  })

  test('leave the balance of every day the same for everybody', async () => {
    const fsaId = await openContract(portal)
    const book = (id: string, price: string, ordered_at: string, is_manual: boolean) => ({
      customer_number: customerNumber,
      activation_id: `${fsaId}-${id}`,
      entitlement_id: `E-${fsaId}-${id}`,
      part_number: 'FSA0030216',
      product_name: 'Training',
      license_model: 'FSA',
      subtype: 'FSA',
      fsa_id: fsaId,
      currency: 'USD',
      price,
      is_manual,
      line_item_quantity: 1,
      start_date: '2026-01-01',
      end_date: '2026-12-31',
      ordered_at: new Date(ordered_at),
    })
    await portal.db
      .transaction()
      .execute((tx) =>
        insertEntitlements(tx, [
          book('1', '100.00', '2026-01-10T12:00:00Z', true),
          book('2', '0.10', '2026-02-09T23:30:00Z', true),
          book('3', '0.20', '2026-02-10T12:00:00Z', true),
          book('4', '50.00', '2026-01-20T12:00:00Z', false),
        ]),
      )
    const balances = async (call: Call) => {
      const all = await read<WireFsaEntitlement[]>(call, listFsaEntitlements)
      const opening = { startDate: '2020-01-01', price: '100000.00' }
      return balanceOverTime(opening, bookingsOf(all, fsaId, 'Europe/Berlin')).map(({ day, balance }) => [day, balance])
    }
    const expected = [
      ['2020-01-01', '100000.00'],
      ['2026-01-10', '99900.00'],
      ['2026-01-20', '99850.00'],
      ['2026-02-10', '99849.70'],
    ]
    expect(await balances(olivia)).toEqual(expected)
    expect(await balances(ada)).toEqual(expected)
  })

  test('are one line with their sum per contract for everybody else', async () => {
    const contracts = await read<WireContract[]>(ada, listContracts)
    const contract = contracts.find((one) => one['CA[ENT|ansysprice]'] === '250000.00')!
    await portal.db.transaction().execute((tx) =>
      insertEntitlements(tx, [
        {
          customer_number: customerNumber,
          activation_id: 'another-adjustment',
          entitlement_id: 'E-1',
          part_number: 'FSA0030216',
          product_name: 'Training',
          license_model: 'FSA',
          subtype: 'FSA',
          fsa_id: contract.fsaID,
          currency: contract['CA[ENT|ansyscurrency]'],
          price: '10.10',
          is_manual: true,
          line_item_quantity: 1,
          start_date: today,
          end_date: contract.EndDate,
          ordered_at: portal.clock.now(),
        },
      ]),
    )
    const total = async (call: Call, fsaId: string) =>
      toFixedText(sum((await history(call)).filter((row) => row.fsaId === fsaId).map(({ cost }) => cost)), 2)
    for (const { fsaID, available, ...one } of await read<WireContract[]>(ada, listContracts)) {
      const spent = await total(ada, fsaID)
      expect(spent).toBe(await total(olivia, fsaID))
      expect(toFixedText(add(spent, available), 2)).toBe(one['CA[ENT|ansysprice]'])
    }
    const rows = await history(ada)
    const adjustments = rows.filter((row) => row.ansysproduct === ADJUSTMENTS && row.fsaId === contract.fsaID)
    expect(adjustments).toMatchObject([
      { cost: 1244.66, count: 2, entitlementId: '', requester: 'Business Operations', manualentry: true },
    ])
    expect(new Set(rows.map(({ activationid }) => activationid)).size).toBe(rows.length)
  })
})

describe('the history', () => {
  test('has the newest order first, and continues with a token', async () => {
    const all = await history(ada)
    expect(all.length).toBeGreaterThan(20)
    const dates = all.map(({ orderdate }) => orderdate)
    expect(dates).toEqual([...dates].sort().reverse())
    const first = await ada(historyList.page, { body: { customerNumber, limit: 10 } })
    const second = await ada(historyList.page, { body: { customerNumber, limit: 10, token: first.body.token } })
    expect([...(first.body.data as object[]), ...(second.body.data as object[])]).toEqual(all.slice(0, 20))
  })

  test('filters, counts and lists distinct values as every list does', async () => {
    const filter = { condition: 'ALL', criteria: [{ name: 'ansysproduct', method: 'EQUALS', value: ADJUSTMENTS }] }
    expect(await read(ada, historyList.count, { filter })).toBe((await history(ada, { filter })).length)
    expect(await read(olivia, historyList.count, { filter })).toBe(0)
    expect(await read(ada, historyList.distinct, { key: 'currency' })).toEqual(['EUR', 'USD'])
    expect(await read<string[]>(ada, historyList.distinct)).toEqual(
      [...new Set((await history(ada)).map(({ fsaId }) => fsaId))].sort(),
    )
    const bogus = await ada(historyList.page, {
      body: { customerNumber, sorting: [{ name: 'Foo', direction: 'asc' }] },
    })
    expect(bogus).toMatchObject({ status: 400, body: { err: "sorting[0]: unknown field 'Foo'" } })
  })

  test('refuses a token of a person who sees more', async () => {
    const { body } = await olivia(historyList.page, { body: { customerNumber, limit: 5 } })
    expect((await ada(historyList.page, { body: { customerNumber, limit: 5, token: body.token } })).status).toBe(400)
  })

  test('is exported as CSV in the columns of the screen', async () => {
    const answer = await ada(historyList.exportCsv, { body: { customerNumber } })
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename=ANSYSOrderHistory_${today}_${customerNumber}.csv`,
    )
    const [header, ...rows] = String(answer.body.text).replace('\ufeff', '').trimEnd().split('\r\n')
    expect(header?.replaceAll('"', '')).toBe(
      'Entitlement,FSA Contract,Order Date (UTC),Count,Start Date,Expiration Date,Cost,Currency,Requester',
    )
    const all = await history(ada)
    expect(rows).toHaveLength(all.length)
    const plain = all.findIndex(({ ansysproduct }) => !/[",]/.test(ansysproduct) && ansysproduct !== ADJUSTMENTS)
    const row = all[plain]!
    expect(rows[plain]?.replaceAll('"', '')).toBe(
      [
        `${row.ansysproduct} (${row.entitlementId})`,
        row.fsaId,
        row.orderdate.slice(0, 19).replace('T', ' '),
        row.count,
        row.startdate,
        row.enddate,
        row.cost.toFixed(2),
        row.currency,
        row.requester,
      ].join(),
    )
  })

  test('is empty for an account without spending accounts', async () => {
    const body = { customerNumber: '100002' }
    expect((await ada(historyList.page, { body })).body.data).toEqual([])
    expect((await ada(listContracts, { body })).body.data).toEqual([])
    expect((await ada(listFsaEntitlements, { body })).body.data).toEqual([])
  })
})

describe.each([
  listContracts,
  listFsaEntitlements,
  ...contractList.operations,
  ...fsaEntitlementList.operations,
  ...historyList.operations,
])('the operation $name', (operation) => {
  test('answers 200, 400, 401, 403 and 404', async () => {
    const nobody = await portal.as(null)
    const ella = await portal.as('ella.export@restricted.example')
    expect((await ada(operation, { body: { customerNumber } })).status).toBe(200)
    expect((await ada(operation, { body: { customerNumber, bogus: 1 } })).status).toBe(400)
    expect((await nobody(operation, { body: { customerNumber } })).status).toBe(401)
    expect((await ella(operation, { body: { customerNumber: '100004' } })).status).toBe(403)
    expect((await ella(operation, { body: { customerNumber } })).status).toBe(404)
  })
})
