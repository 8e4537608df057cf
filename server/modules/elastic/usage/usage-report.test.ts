import { afterAll, beforeAll, expect, test } from 'vitest'
import { financeFileName, getUsagePdf, startUsageExport } from '#contract/elastic/usage/usage-exports.ts'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import type { Sum } from '#contract/kit/list.ts'
import { downloadTask, getTask, type Task } from '#contract/tasks/tasks.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { instantsOf } from '#domain/calendar/day-range.ts'
import { presetRange } from '#domain/calendar/presets.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { ADA, type Call, VIC } from '#server/testing/activations.ts'
import { readPdf } from '#server/testing/pdf.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { until } from '#server/testing/until.ts'

const customerNumber = '100001'
const ZONE = 'Europe/Berlin'
let portal: Portal
let vic: Call
beforeAll(async () => {
  portal = await startPortal()
  vic = await portal.as(VIC)
})
afterAll(() => portal.close())

function lastMonth(...more: object[]) {
  const days = presetRange('Last month', dayIn(ZONE, portal.clock.now()))
  const { from, to } = instantsOf(days, ZONE)
  const criteria = [
    { name: 'EndTime_ts', method: 'AFTER', value: from.toISOString() },
    { name: 'StartTime_ts', method: 'BEFORE', value: to.toISOString() },
    ...more,
  ]
  return { days, filter: { condition: 'ALL', criteria } }
}

async function anyProject(filter: object): Promise<string> {
  const { body } = await vic(usageList.distinct, { body: { customerNumber, key: 'Project', filter } })
  return (body.data as (string | null)[]).find((one) => one !== null) ?? ''
}

test('the PDF for finance of a project last month has the sums of the list and of the CSV file, to the cent', async () => {
  const project = await anyProject(lastMonth().filter)
  const { days, filter } = lastMonth({ name: 'Project', method: 'EQUALS', value: project })
  const body = { customerNumber, filter }
  const answer = await vic(getUsagePdf, { body })
  const name = `${financeFileName(customerNumber, filter as FilterInput, ZONE)}.pdf`
  expect(name).toMatch(new RegExp(`^usage_100001_.+_${days.from.slice(0, 7)}\\.pdf$`))
  expect(answer.headers['content-disposition']).toBe(`attachment; filename=${name}`)
  const { info, lines } = await readPdf(answer.body.bytes as Buffer)
  expect(info.Title).toBe('Usage transactions')
  expect(lines).toEqual(
    expect.arrayContaining([
      'Account ID (Account Name) 100001 (Aerodyne Motors)',
      `Period Start Date ${days.from}`,
      `Period End Date ${days.to}`,
      `Time Zone ${ZONE}`,
      `Filter Project is “${project}”`,
    ]),
  )
  const sums = (await vic(usageList.sum, { body })).body.data as Sum[]
  const csv = String((await vic(usageList.exportCsv, { body })).body.text)
  const rows = csv.trimEnd().split('\r\n').slice(1)
  expect(rows.length).toBeGreaterThan(3)
  const cells = rows.map((row) => row.split(','))
  for (const { by, sums: expected } of sums) {
    const own = cells.filter((row) => row[6] === `"${by}"`)
    const added = (column: number) => own.reduce((total, row) => total + Math.round(Number(row[column]) * 100), 0) / 100
    expect([added(4), added(5)]).toEqual([Number(expected.Hours), Number(expected.Charge)])
    const total = [
      String(own.length),
      formatDecimal(expected.Hours ?? '0', 2),
      formatDecimal(expected.Charge ?? '0', 2),
    ]
    // Under the sums by product and under those by user.
    expect(lines.filter((line) => line === `Total ${total.join(' ')} ${by}`)).toHaveLength(2)
  }
  expect(lines.filter((line) => line.includes('are left out'))).toEqual([])
  expect((await vic(getUsagePdf, { body })).body.bytes).toEqual(answer.body.bytes)
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
