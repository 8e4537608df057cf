import { afterAll, beforeAll, expect, test } from 'vitest'
import { getStatement, type WireStatement } from '#contract/elastic/statements/statements.ts'
import { endedIn, getUsagePdf, startUsageExport } from '#contract/elastic/usage/usage-exports.ts'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import type { Sum } from '#contract/kit/list.ts'
import { downloadTask, getTask, type Task } from '#contract/tasks/tasks.ts'
import { addDays, type CalendarDay, dayIn, startOfDay } from '#domain/calendar/calendar-day.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { presetRange } from '#domain/calendar/presets.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import type { UsageRow } from '#server/modules/elastic/usage/usage-booking.queries.ts'
import { ADA, type Call, OLIVIA, VIC } from '#server/testing/activations.ts'
import { addMeteredAccount } from '#server/testing/metering.ts'
import { readPdf } from '#server/testing/pdf.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'
import { bookRows, runningRow, usageRow } from '#server/testing/usage.ts'

const customerNumber = '100001'
const ZONE = 'Europe/Berlin'
const HOUR = 3_600_000
let portal: Portal
let vic: Call
beforeAll(async () => {
  portal = await startPortal()
  vic = await portal.as(VIC)
})
afterAll(() => portal.close())

function lastMonth() {
  const days = presetRange('Last month', dayIn(ZONE, portal.clock.now()))
  return { days, filter: { condition: 'ALL', criteria: [endedIn(days, ZONE)] } }
}

/** Three sessions of a project that ended last month, and two that ran then and ended later. */
async function bookWing(account: string, { from, to }: DayRange): Promise<void> {
  const own = { customer_number: account, activation_id: `${account}-1`, project: 'Wing 42' }
  const session = (hours: number, day: CalendarDay, more: Partial<UsageRow> = {}) => {
    const end = startOfDay(ZONE, day).getTime() + HOUR
    return usageRow({ ...own, started_at: new Date(end - hours * HOUR), ends_at: new Date(end), ...more })
  }
  const months = { from: startOfDay(ZONE, from), to: startOfDay(ZONE, addDays(to, 1)) }
  await addMeteredAccount(portal.db, account, { timeZone: ZONE, sold: [{ id: `${account}-1`, units: 500 }] })
  await bookRows(
    portal.db,
    [
      // Began in the month before.
      session(4, from, { charge: '30.10' }),
      session(1.5, addDays(from, 3), { charge: '11.27', user_name: 'ben' }),
      session(2, to, { charge: '0.05', product: 'Thermal' }),
      session(3, addDays(to, 1), { charge: '22.50' }),
      runningRow({ ...own, started_at: startOfDay(ZONE, to) }),
    ],
    months,
  )
}

test('the PDF for finance of a project last month has the sums of the list, of the CSV file and of the statement, to the cent', async () => {
  const account = 'FIN'
  const { days } = lastMonth()
  await bookWing(account, days)
  const olivia = await portal.as(OLIVIA)
  const filter: FilterInput = {
    condition: 'ALL',
    criteria: [endedIn(days, ZONE), { name: 'Project', method: 'EQUALS', value: 'Wing 42' }],
  }
  const body = { customerNumber: account, filter }
  const answer = await olivia(getUsagePdf, { body })
  const name = `usage_FIN_Wing-42_${days.from.slice(0, 7)}.pdf`
  expect(answer.headers['content-disposition']).toBe(`attachment; filename=${name}`)
  const { info, lines } = await readPdf(answer.body.bytes as Buffer)
  expect(info.Title).toBe('Usage transactions')
  expect(lines).toEqual(
    expect.arrayContaining([
      'Account ID (Account Name) FIN (FIN)',
      `Period Start Date ${days.from}`,
      `Period End Date ${days.to}`,
      `Time Zone ${ZONE}`,
      'Filter Ended in the period; Project is “Wing 42”',
    ]),
  )
  expect((await olivia(usageList.sum, { body })).body.data).toEqual([
    { by: 'AEU', sums: { Hours: '7.5', Charge: '41.42' } },
  ])
  const csv = String((await olivia(usageList.exportCsv, { body })).body.text)
  const cells = csv
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((row) => row.split(','))
  expect(cells.map((row) => `${row[4]} ${row[5]} ${row[6]}`)).toEqual([
    '2.00 0.05 "AEU"',
    '1.50 11.27 "AEU"',
    '4.00 30.10 "AEU"',
  ])
  // Under the sums by product and under those by user.
  expect(lines.filter((line) => line === 'Total 3 7.50 41.42 AEU')).toHaveLength(2)
  const { Records } = (await olivia(getStatement, { body: { customerNumber: account, ...days } })).body
    .data as WireStatement
  expect(Records.map(({ Used }) => Used)).toEqual(['41.42'])
  expect(lines.filter((line) => line.includes('are left out'))).toEqual([])
  expect((await olivia(getUsagePdf, { body })).body.bytes).toEqual(answer.body.bytes)
})

test('the PDF for finance says how many transactions it leaves out', async () => {
  const body = { customerNumber }
  const count = Number((await vic(usageList.count, { body })).body.data)
  expect(count).toBeGreaterThan(500)
  const { lines } = await readPdf((await vic(getUsagePdf, { body })).body.bytes as Buffer)
  const text = lines.join(' ')
  expect(text).toContain(
    `The newest 500 of ${formatDecimal(count, 0)} transactions are listed, ${formatDecimal(count - 500, 0)} are left out.`,
  )
  const [total] = (await vic(usageList.sum, { body })).body.data as Sum[]
  expect(text).toContain(`${formatDecimal(total?.sums.Charge ?? '0', 2)} ${total?.by}`)
})

test('the PDF for finance is made in the background as well', async () => {
  const { days, filter } = lastMonth()
  const begun = (await vic(startUsageExport, { body: { customerNumber, filter, format: 'pdf' } })).body.data as Task
  expect(begun).toMatchObject({
    kind: 'usage-report',
    fileName: `usage_100001_all-projects_${days.from.slice(0, 7)}.pdf`,
  })
  const parts = { params: { id: begun.id }, query: { customerNumber } }
  const state = async () => ((await vic(getTask, parts)).body.data as Task).state
  await until(async () => (await state()) === 'ready', 'the report is never ready')
  const file = await vic(downloadTask, parts)
  expect(file.headers['content-type']).toBe('application/pdf')
  const direct = await vic(getUsagePdf, { body: { customerNumber, filter } })
  expect((await readPdf(file.body.bytes as Buffer)).lines).toEqual((await readPdf(direct.body.bytes as Buffer)).lines)
})

test('the PDF for finance answers 200, 400, 401, 403 and 404', async () => {
  const body = {
    customerNumber,
    filter: { condition: 'ALL', criteria: [{ name: 'User', method: 'EQUALS', value: 'x' }] },
  }
  expect((await vic(getUsagePdf, { body })).status).toBe(200)
  expect(
    (await vic(getUsagePdf, { body: { customerNumber, filter: { condition: 'SOME', criteria: [] } } })).status,
  ).toBe(400)
  expect((await (await portal.as(null))(getUsagePdf, { body })).status).toBe(401)
  expect(
    (await (await portal.as('ella.export@restricted.example'))(getUsagePdf, { body: { customerNumber: '100004' } }))
      .status,
  ).toBe(403)
  expect((await (await portal.as(ADA))(getUsagePdf, { body: { customerNumber: '100003' } })).status).toBe(404)
})
