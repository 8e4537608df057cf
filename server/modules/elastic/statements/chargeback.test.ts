import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportChargeback, getChargeback, type WireChargeback } from '#contract/elastic/statements/chargeback.ts'
import { getStatement, type WireStatement } from '#contract/elastic/statements/statements.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { presetRange } from '#domain/calendar/presets.ts'
import { CHARGEBACK_DIMENSIONS, type ChargebackDimension } from '#domain/elastic/statements/chargeback.ts'
import { sum, toFixedText } from '#domain/money/decimal.ts'
import { bookUsage } from '#server/modules/elastic/usage/usage-booking.queries.ts'
import { ensureUsagePartitions } from '#server/modules/elastic/usage/usage-partitions.queries.ts'
import { ADA, type Call, OLIVIA } from '#server/testing/activations.ts'
import { isFullRun } from '#server/testing/full-run.ts'
import { addMeteredAccount } from '#server/testing/metering.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { addScimUsers } from '#server/testing/scim/scim-users.ts'
import { driftedDays, usageRow } from '#server/testing/usage.ts'

let portal: Portal
let ada: Call
let olivia: Call
beforeAll(async () => {
  portal = await startPortal()
  ;[ada, olivia] = [await portal.as(ADA), await portal.as(OLIVIA)]
  await ensureUsagePartitions(portal.db, { from: new Date('2026-03-01'), to: new Date('2026-06-30') })
})
afterAll(() => portal.close())

async function chargeback(body: object): Promise<WireChargeback> {
  const answer = await olivia(getChargeback, { body })
  expect(answer.body).toMatchObject({ status: 'SUCCESS' })
  return answer.body.data as WireChargeback
}

/** What the statement of the period says is used, by currency; currencies without usage are left out. */
async function statedUse(body: object): Promise<Record<string, string>> {
  const answer = await olivia(getStatement, { body })
  const { Records } = answer.body.data as WireStatement
  const used = new Map<string, string[]>()
  for (const { Currency, Used, Products } of Records)
    if (Products.length > 0) used.set(Currency, [...(used.get(Currency) ?? []), Used])
  return Object.fromEntries([...used].map(([currency, all]) => [currency, toFixedText(sum(all), 2)]))
}

const totalsOf = ({ Totals }: WireChargeback) =>
  Object.fromEntries(Totals.map(({ Currency, Used }) => [Currency, Used]))

function sumsOf({ Rows }: WireChargeback): Record<string, string> {
  const currencies = new Set(Rows.map(({ Currency }) => Currency))
  return Object.fromEntries(
    [...currencies].map((currency) => {
      const own = Rows.filter((row) => row.Currency === currency)
      return [currency, toFixedText(sum(own.map(({ Used }) => Used)), 2)]
    }),
  )
}

describe('a chargeback', () => {
  test.each(CHARGEBACK_DIMENSIONS)('of a demo account by %s adds up to its statement', async (by) => {
    const lastMonth = presetRange('Last month', dayIn('Europe/Berlin', portal.clock.now()))
    const scope = { customerNumber: '100001', ...lastMonth }
    const answer = await chargeback({ ...scope, by })
    // No identity provider has named departments in the demo.
    const isOfPerson = by === 'department' || by === 'costCenter'
    expect(answer.Rows.length).toBeGreaterThan(isOfPerson ? 0 : 3)
    expect(totalsOf(answer)).toEqual(await statedUse(scope))
    expect(sumsOf(answer)).toEqual(totalsOf(answer))
  })

  test('has rows by their names, with hours, transactions and shares', async () => {
    await addMeteredAccount(portal.db, 'CB', { timeZone: 'Europe/Berlin' })
    const row = { customer_number: 'CB', activation_id: 'CB-1' }
    await portal.db
      .transaction()
      .execute((tx) =>
        bookUsage(tx, [
          usageRow({ ...row, started_at: new Date('2026-04-30T20:30:00Z'), ends_at: new Date('2026-04-30T22:30:00Z') }),
          usageRow({ ...row, ...inApril(3), host: 'ws2', project: 'Wing', user_name: 'ben', charge: '2.50' }),
          usageRow({ ...row, ...inApril(4), project: 'Wing', charge: '5.00' }),
        ]),
      )
    const april = { customerNumber: 'CB', from: '2026-04-01', to: '2026-04-30' }
    const rows = async (by: ChargebackDimension, period = {}) =>
      (await chargeback({ ...april, ...period, by })).Rows.map(({ Name, Used, Hours, Transactions, Share }) =>
        [Name, Used, Hours, Transactions, Share].join(' '),
      )
    // The first session ended on May 1 in Berlin.
    expect(await rows('project')).toEqual(['Wing 7.50 2.00 2 100.0'])
    expect(await rows('user')).toEqual(['anna 5.00 1.00 1 66.7', 'ben 2.50 1.00 1 33.3'])
    expect(await rows('host')).toEqual(['ws1 5.00 1.00 1 66.7', 'ws2 2.50 1.00 1 33.3'])
    expect(await rows('product')).toEqual(['Fluid Flow Pro 7.50 2.00 2 100.0'])
    expect(await rows('project', { to: '2026-05-01' })).toEqual([' 7.50 2.00 1 50.0', 'Wing 7.50 2.00 2 50.0'])
    await addScimUsers(portal, 'CB', [
      { userName: 'ANNA@cb.example', department: 'Design', costCenter: '4711' },
      { userName: 'ben', department: 'Test' },
    ])
    expect(await rows('department')).toEqual(['Design 5.00 1.00 1 66.7', 'Test 2.50 1.00 1 33.3'])
    expect(await rows('costCenter')).toEqual(['4711 5.00 1.00 1 66.7', ' 2.50 1.00 1 33.3'])
    await addScimUsers(portal, 'CB', [{ userName: 'anna@other.example', department: 'Engines' }])
    expect(await rows('department'), 'anna may be either').toEqual([' 5.00 1.00 1 66.7', 'Test 2.50 1.00 1 33.3'])
    const csv = await olivia(exportChargeback, { body: { ...april, to: '2026-05-01', by: 'project' } })
    expect(csv.headers['content-disposition']).toContain('chargeback-by-project_CB_2026-04-01_2026-05-01.csv')
    expect(String(csv.body.text).split('\r\n')).toEqual([
      '\ufeff"Project","Used","Share (%)","Hours","Transactions","Currency"',
      '"No project",7.50,50.0,2.00,1,"AEU"',
      '"Wing",7.50,50.0,2.00,2,"AEU"',
      '',
    ])
    const filtered = await olivia(exportChargeback, {
      body: {
        ...april,
        by: 'host',
        filter: { condition: 'ALL', criteria: [{ name: 'used', method: '<', value: 6 }] },
        sorting: [{ name: 'name', direction: 'desc' }],
      },
    })
    expect(String(filtered.body.text).split('\r\n').slice(1, 3)).toEqual([
      '"ws2",2.50,33.3,1.00,1,"AEU"',
      '"ws1",5.00,66.7,1.00,1,"AEU"',
    ])
  })

  test('has no rows where nothing was used', async () => {
    const body = { customerNumber: '100001', from: '1999-01-01', to: '1999-01-31', by: 'user' }
    expect(await chargeback(body)).toEqual({ Rows: [], Totals: [] })
  })

  test('adds up to the statement to the cent, by every dimension: any usage, corrections, currencies, time zones', async () => {
    let accounts = 0
    const used = fc.record({
      endsAt: fc.date({ min: new Date('2026-04-01'), max: new Date('2026-05-31'), noInvalidDate: true }),
      cents: fc.integer({ min: 0, max: 100_000 }),
      entitlement: fc.nat({ max: 2 }),
      name: fc.nat({ max: 4 }),
      isCorrected: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kolkata'),
        fc.array(used, { minLength: 1, maxLength: 30 }),
        async (timeZone, all) => {
          const account = `CP${++accounts}`
          const sold = ['AEU', 'AEU', 'EUR'].map((currency, at) => ({ id: `${account}-${at}`, units: 100, currency }))
          await addMeteredAccount(portal.db, account, { timeZone, sold })
          const rows = all.map(({ endsAt, cents, entitlement, name }) =>
            usageRow({
              customer_number: account,
              activation_id: `${account}-${entitlement}`,
              currency: entitlement === 2 ? 'EUR' : 'AEU',
              started_at: new Date(endsAt.getTime() - 1000),
              ends_at: endsAt,
              charge: (cents / 100).toFixed(2),
              project: name === 0 ? null : `Project ${name}`,
              host: `host-${name % 3}`,
              user_name: `user-${name % 2}`,
              product: `Product ${name}`,
            }),
          )
          await portal.db.transaction().execute((tx) => bookUsage(tx, rows))
          const booked = await portal.db
            .selectFrom('usage_transaction')
            .selectAll()
            .where('customer_number', '=', account)
            .execute()
          const corrections = booked.flatMap(({ transaction_number, hours: _, ...row }, at) =>
            all[at]?.isCorrected
              ? [{ ...row, ends_at: row.ends_at as Date, charge: `-${row.charge}`, corrects: transaction_number }]
              : [],
          )
          await portal.db.transaction().execute((tx) => bookUsage(tx, corrections))
          expect(await driftedDays(portal.db, [account])).toEqual([])
          for (const period of [
            { from: '2026-04-01', to: '2026-04-30' },
            { from: '2026-04-13', to: '2026-05-07' },
          ]) {
            const scope = { customerNumber: account, ...period }
            const stated = await statedUse(scope)
            for (const by of CHARGEBACK_DIMENSIONS) {
              const answer = await chargeback({ ...scope, by })
              expect(totalsOf(answer)).toEqual(stated)
              expect(sumsOf(answer)).toEqual(stated)
            }
          }
        },
      ),
      { numRuns: isFullRun ? 8 : 3 },
    )
  })
})

const inApril = (day: number) => ({
  started_at: new Date(`2026-04-0${day}T08:00:00Z`),
  ends_at: new Date(`2026-04-0${day}T09:00:00Z`),
})

describe.each([getChargeback, exportChargeback])('the operation $name', (operation) => {
  test('answers 200, 400, 401, 403 and 404', async () => {
    const nobody = await portal.as(null)
    const ella = await portal.as('ella.export@restricted.example')
    const body = { customerNumber: '100001', from: '2026-10-01', to: '2026-10-31', by: 'host' }
    expect((await ada(operation, { body })).status).toBe(200)
    for (const wrong of [{ bogus: 1 }, { by: 'color' }, { from: '2026-02-30' }, { from: '2026-11-01' }])
      expect((await ada(operation, { body: { ...body, ...wrong } })).status).toBe(400)
    expect((await nobody(operation, { body })).status).toBe(401)
    expect((await ella(operation, { body: { ...body, customerNumber: '100004' } })).status).toBe(403)
    expect((await ella(operation, { body })).status).toBe(404)
  })
})
