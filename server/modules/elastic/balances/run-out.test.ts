import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportElasticEntitlements } from '#contract/elastic/balances/elastic-entitlements.ts'
import { getRunOutForecast, type WireForecast } from '#contract/elastic/balances/run-out-forecast.ts'
import { getStatementPdf } from '#contract/elastic/statements/statements.ts'
import { addDays, dayIn, startOfDay } from '#domain/calendar/calendar-day.ts'
import { presetRange } from '#domain/calendar/presets.ts'
import { FORECAST_METHOD } from '#domain/elastic/balances/run-out.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { bookUsage } from '#server/modules/elastic/usage/usage-booking.queries.ts'
import { ensureUsagePartitions } from '#server/modules/elastic/usage/usage-partitions.queries.ts'
import { ADA, type Call, OLIVIA } from '#server/testing/activations.ts'
import { addMeteredAccount } from '#server/testing/metering.ts'
import { readPdf } from '#server/testing/pdf.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { usageRow } from '#server/testing/usage.ts'

const ZONE = 'America/Los_Angeles'
let portal: Portal
let ada: Call
let olivia: Call
let today: string
beforeAll(async () => {
  portal = await startPortal()
  ;[ada, olivia] = [await portal.as(ADA), await portal.as(OLIVIA)]
  today = dayIn(ZONE, portal.clock.now())
  const now = portal.clock.now()
  await ensureUsagePartitions(portal.db, { from: new Date(now.getTime() - 200 * 86_400_000), to: now })
})
afterAll(() => portal.close())

/** A session that ended in the middle of a day, `daysAgo` days ago. */
function used(account: string, daysAgo: number, charge: string, activationId = `${account}-1`) {
  const noon = new Date(startOfDay(ZONE, addDays(today, -daysAgo)).getTime() + 12 * 3_600_000)
  return usageRow({
    customer_number: account,
    activation_id: activationId,
    started_at: new Date(noon.getTime() - 3_600_000),
    ends_at: noon,
    charge,
  })
}
const book = (...rows: ReturnType<typeof usageRow>[]) => portal.db.transaction().execute((tx) => bookUsage(tx, rows))

async function forecast(customerNumber: string): Promise<WireForecast> {
  const { body } = await olivia(getRunOutForecast, { body: { customerNumber } })
  expect(body).toMatchObject({ status: 'SUCCESS' })
  return body.data as WireForecast
}
const datesOf = ({ Records }: WireForecast) =>
  Object.fromEntries(
    Records.map(({ ActivationId, Forecasts }) => [
      ActivationId,
      Forecasts.map(({ Outcome, UsedUpOn }) => UsedUpOn ?? Outcome),
    ]),
  )

describe('the run-out forecast', () => {
  test('goes by what was used before today in the account’s zone, in each window', async () => {
    await addMeteredAccount(portal.db, 'F1', { timeZone: ZONE, sold: [{ id: 'F1-1', units: 1000 }] })
    // Longer windows see older usage as well; usage of today and of 100 days ago is in none.
    await book(
      used('F1', 0, '50.00'),
      used('F1', 3, '70.00'),
      used('F1', 20, '230.00'),
      used('F1', 60, '60.00'),
      used('F1', 100, '90.00'),
    )
    const answer = await forecast('F1')
    expect(answer.AsOf).toBe(today)
    expect(answer.Records).toMatchObject([
      {
        ActivationId: 'F1-1',
        Balance: '500.00',
        Currency: 'AEU',
        Forecasts: [
          { Days: 7, AveragedDays: 7, UsedPerDay: '10.00', UsedUpOn: addDays(today, 49) },
          { Days: 30, AveragedDays: 30, UsedPerDay: '10.00', UsedUpOn: addDays(today, 49) },
          { Days: 90, AveragedDays: 90, UsedPerDay: '4.00', UsedUpOn: addDays(today, 124) },
        ],
      },
    ])
    // Days are in no order, and today is among them.
    const [usage] = answer.Usage
    expect(usage?.Currency).toBe('AEU')
    expect(new Map(usage?.Days.map(({ Day, Used }) => [Day, Used]))).toEqual(
      new Map([
        [today, '50.00'],
        [addDays(today, -3), '70.00'],
        [addDays(today, -20), '230.00'],
        [addDays(today, -60), '60.00'],
      ]),
    )
  })

  test('averages a short history over its own days', async () => {
    await addMeteredAccount(portal.db, 'F2', { timeZone: ZONE })
    await book(used('F2', 4, '40.00'))
    expect((await forecast('F2')).Records[0]?.Forecasts).toMatchObject([
      { AveragedDays: 4, UsedPerDay: '10.00', UsedUpOn: addDays(today, 5) },
      { AveragedDays: 4, UsedUpOn: addDays(today, 5) },
      { AveragedDays: 4, UsedUpOn: addDays(today, 5) },
    ])
  })

  test('uses several balances in draw order, and leaves out terms that are over', async () => {
    const sold = [
      { id: 'F3-later', units: 100, from: addDays(today, 40) },
      { id: 'F3-first', units: 100, to: addDays(today, 100) },
      { id: 'F3-over', units: 100, to: addDays(today, -1) },
      { id: 'F3-short', units: 100, to: addDays(today, 1) },
      { id: 'F3-euro', units: 100, currency: 'EUR' },
      { id: 'F3-empty', units: 70 },
    ]
    await addMeteredAccount(portal.db, 'F3', { timeZone: ZONE, sold })
    await book(used('F3', 2, '70.00', 'F3-empty'), used('F3', 100, '0.00', 'F3-empty'))
    const [week] = Object.values(datesOf(await forecast('F3'))).map((dates) => dates.length)
    expect(week).toBe(3)
    const dates = datesOf(await forecast('F3'))
    expect(Object.fromEntries(Object.entries(dates).map(([id, [first]]) => [id, first]))).toEqual({
      'F3-short': 'NOT_USED_UP',
      'F3-first': addDays(today, 11),
      'F3-later': addDays(today, 49),
      'F3-euro': 'NO_USAGE',
      'F3-empty': 'USED_UP',
    })
  })

  test('is net of corrections', async () => {
    await addMeteredAccount(portal.db, 'F4', { timeZone: ZONE })
    await book(used('F4', 100, '1.00'), used('F4', 3, '10.00'))
    const last = await portal.db
      .selectFrom('usage_transaction')
      .select('transaction_number')
      .where('customer_number', '=', 'F4')
      .where('charge', '=', '10.00')
      .executeTakeFirstOrThrow()
    await book({ ...used('F4', 2, '-10.00'), corrects: last.transaction_number })
    expect(datesOf(await forecast('F4'))).toEqual({ 'F4-1': ['NO_USAGE', 'NO_USAGE', 'NO_USAGE'] })
  })

  test('is in the CSV of elastic entitlements and in the PDF of a statement, with its method', async () => {
    const { AsOf, Records } = await forecast('100001')
    expect(Records.length).toBeGreaterThan(0)
    const csv = await ada(exportElasticEntitlements, { body: { customerNumber: '100001', active: true } })
    const [header = '', ...lines] = String(csv.body.text).split('\r\n')
    expect(header).toContain('"Runs Out On (last 7 days)","Runs Out On (last 30 days)","Runs Out On (last 90 days)"')
    const period = presetRange('Last month', AsOf)
    const pdf = await ada(getStatementPdf, { body: { customerNumber: '100001', ...period } })
    const { lines: printed } = await readPdf(pdf.body.bytes as Buffer)
    expect(printed.some((line) => line.startsWith(`Run-out forecast as of ${AsOf}`))).toBe(true)
    expect(printed.join(' ')).toContain(FORECAST_METHOD)
    for (const { ActivationId, Balance, Currency, Forecasts } of Records) {
      const dates = Forecasts.map(({ Outcome, UsedUpOn }) => UsedUpOn ?? WORDS[Outcome])
      const line = lines.find((one) => one.includes(ActivationId))
      if (line) expect(line.endsWith(dates.map((date) => `"${date}"`).join(','))).toBe(true)
      const end = `${formatDecimal(Balance, 2)} ${Currency} ${dates.join(' ')}`
      expect(printed.some((one) => one.includes(ActivationId) && one.endsWith(end))).toBe(true)
    }
  })

  test('answers 200, 400, 401, 403 and 404', async () => {
    const nobody = await portal.as(null)
    const ella = await portal.as('ella.export@restricted.example')
    const body = { customerNumber: '100001' }
    expect((await ada(getRunOutForecast, { body })).status).toBe(200)
    expect((await ada(getRunOutForecast, { body: { ...body, bogus: 1 } })).status).toBe(400)
    expect((await nobody(getRunOutForecast, { body })).status).toBe(401)
    expect((await ella(getRunOutForecast, { body: { customerNumber: '100004' } })).status).toBe(403)
    expect((await ella(getRunOutForecast, { body })).status).toBe(404)
  })
})

const WORDS: Record<string, string> = { NOT_USED_UP: 'Not used up', NO_USAGE: 'No usage', USED_UP: 'Used up' }
