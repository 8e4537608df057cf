import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emailForecastFiles, exportForecast, getForecastPdf } from '#contract/elastic/balances/run-out-forecast.ts'
import { emailChargebackFiles, exportChargeback, getChargebackPdf } from '#contract/elastic/statements/chargeback.ts'
import { getMailedStatement, mailedStatementList } from '#contract/elastic/statements/mailed-statements.ts'
import {
  emailStatementFiles,
  exportStatement,
  getStatement,
  getStatementPdf,
  type WireStatement,
} from '#contract/elastic/statements/statements.ts'
import { emailUsageFiles } from '#contract/elastic/usage/usage-exports.ts'
import { getEmail } from '#contract/messages/emails.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { presetRange } from '#domain/calendar/presets.ts'
import { formatDecimal, sum, toFixedText } from '#domain/money/decimal.ts'
import { ADA, type Call, OLIVIA, VIC } from '#server/testing/activations.ts'
import { readPdf } from '#server/testing/pdf.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const PAUL = 'paul.pending@aerodyne.example'
const CORA = 'cora.coordinator@aerodyne.example'
const customerNumber = '100001'
let portal: Portal
let ada: Call
let olivia: Call
let vic: Call
let days: { from: string; to: string }
beforeAll(async () => {
  portal = await startPortal()
  ;[ada, olivia, vic] = [await portal.as(ADA), await portal.as(OLIVIA), await portal.as(VIC)]
  days = presetRange('Last month', dayIn('Europe/Berlin', portal.clock.now()))
})
afterAll(() => portal.close())
beforeEach(() => portal.db.deleteFrom('mail_brake').execute())

const noUsage = { condition: 'ALL', criteria: [{ name: 'Product', method: 'EQUALS', value: 'no such product' }] }
const someUsage = { condition: 'ALL', criteria: [{ name: 'Active', method: 'EQUALS', value: true }] }
const CASES = [
  ['a statement', emailStatementFiles, () => days],
  ['a chargeback', emailChargebackFiles, () => ({ ...days, by: 'user' })],
  ['the forecast', emailForecastFiles, () => ({})],
  ['usage', emailUsageFiles, () => ({ filter: someUsage })],
] as const

async function newestMail() {
  const mail = await portal.db
    .selectFrom('mail')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .orderBy('queued_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const files = await portal.db
    .selectFrom('mail_attachment')
    .select(['name', 'media_type', 'content'])
    .where('customer_number', '=', customerNumber)
    .where('mail_id', '=', mail.id)
    .orderBy('position')
    .execute()
  return { ...mail, files }
}
const usedOf = (csv: string) =>
  toFixedText(
    sum(
      csv
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((line) => /",(-?[\d.]+),/.exec(line)?.[1] ?? '0'),
    ),
    2,
  )

describe.each(CASES)('an email with %s', (_what, operation, more) => {
  const body = (recipients: readonly string[], account = customerNumber) => ({
    body: { customerNumber: account, ...more(), recipients },
  })

  test('goes to chosen contacts with PDF and CSV files, and is in the Emailed tab and among the emails', async () => {
    portal.clock.forward(1000)
    const answer = await ada(operation, body([PAUL.toUpperCase(), CORA, PAUL]))
    expect(answer.body).toEqual({ status: 'SUCCESS', data: null })
    const mail = await newestMail()
    expect(mail.recipients).toEqual([CORA, PAUL])
    const [pdf, ...csv] = mail.files
    expect(pdf?.name).toMatch(/[.]pdf$/)
    expect((await readPdf(pdf?.content ?? Buffer.alloc(0))).lines.join('\n')).toContain('100001 (Aerodyne Motors)')
    expect(csv.length).toBeGreaterThan(0)
    for (const { name, media_type } of csv)
      expect([name, media_type]).toEqual([expect.stringMatching(/[.]csv$/), 'text/csv'])
    const listed = await vic(mailedStatementList.page, { body: { customerNumber, limit: 1 } })
    const [row] = listed.body.data as { Id: string; FileName: string; ActivationId: null }[]
    expect(row).toMatchObject({ FileName: pdf?.name, ActivationId: null })
    const file = await vic(getMailedStatement, { body: { customerNumber, id: row?.Id } })
    expect(pdf?.content.equals(file.body.bytes as Buffer)).toBe(true)
    const email = await vic(getEmail, { body: { customerNumber, id: mail.id } })
    expect(email.body.data).toMatchObject({
      to: `${CORA}, ${PAUL}`,
      attachments: mail.files.map(({ name }) => ({ name })),
    })
    const audited = await portal.db
      .selectFrom('audit_log')
      .select(['email', 'after'])
      .where('action', '=', operation.name)
      .where('outcome', '=', 'done')
      .execute()
    expect(audited).toEqual([
      { email: ADA, after: expect.objectContaining({ recipients: [CORA, PAUL], mail: mail.id }) },
    ])
  })

  test('answers 200, 400, 401, 403 and 404', async () => {
    expect((await vic(operation, body([VIC]))).body).toEqual({ status: 'SUCCESS', data: null })
    expect((await olivia(operation, body([OLIVIA]))).body).toEqual({ status: 'SUCCESS', data: null })
    for (const stranger of ['anybody@example.com', 'petra.principal@partner.example'])
      expect(await ada(operation, body([ADA, stranger]))).toMatchObject({
        status: 400,
        body: { err: `${stranger} is not a contact of this account.` },
      })
    expect((await ada(operation, body([]))).status).toBe(400)
    expect((await (await portal.as(null))(operation, body([ADA]))).status).toBe(401)
    expect((await vic(operation, body([ADA]))).status).toBe(403)
    expect((await ada(operation, body([ADA], '100003'))).status).toBe(404)
  })
})

test('an email is refused after five to the same address within an hour', async () => {
  const send = () => ada(emailForecastFiles, { body: { customerNumber, recipients: [PAUL] } })
  for (let count = 0; count < 5; count++) expect((await send()).body).toMatchObject({ status: 'SUCCESS' })
  expect((await send()).body).toMatchObject({ status: 'FAILURE', code: 'TOO_MANY_EMAILS' })
})

test('an email without anything in it is refused', async () => {
  const before = { from: '2000-01-01', to: '2000-01-31' }
  for (const [operation, more, code] of [
    [emailStatementFiles, before, 'NO_ACTIVE_ENTITLEMENTS'],
    [emailChargebackFiles, { ...before, by: 'user' }, 'NOTHING_TO_DO'],
    [emailUsageFiles, { filter: noUsage }, 'NOTHING_TO_DO'],
  ] as const)
    expect((await ada(operation, { body: { customerNumber, ...more, recipients: [ADA] } })).body).toMatchObject({
      status: 'FAILURE',
      code,
    })
})

describe('the files of a statement', () => {
  test('files by purchase order and by product add up to the statement', async () => {
    const { body } = await vic(getStatement, { body: { customerNumber, ...days } })
    const { Records, Products } = body.data as WireStatement
    const used = toFixedText(sum(Records.map(({ Used }) => Used)), 2)
    const csv = async (table: string, more = {}) =>
      String((await vic(exportStatement, { body: { customerNumber, ...days, table, ...more } })).body.text)
    const [orders, products] = [await csv('orders'), await csv('products')]
    expect(orders.trimEnd().split('\r\n')).toHaveLength(Records.length + 1)
    expect(products.trimEnd().split('\r\n')).toHaveLength(Products.length + 1)
    expect(usedOf(products)).toBe(used)
    const product = Products[0]?.product ?? ''
    const filter = { condition: 'ALL', criteria: [{ name: 'product', method: 'EQUALS', value: product }] }
    const own = Products.filter((one) => one.product === product).map(({ total }) => total)
    expect(usedOf(await csv('products', { filter }))).toBe(toFixedText(sum(own), 2))
    expect((await vic(exportStatement, { body: { customerNumber, ...days, table: 'users' } })).status).toBe(400)
    expect((await vic(exportStatement, { body: { customerNumber: '100003', ...days, table: 'orders' } })).status).toBe(
      404,
    )
  })

  test('a statement on paper and in an email has the rows of both tables that the screen shows, in its order', async () => {
    const { body } = await vic(getStatement, { body: { customerNumber, ...days } })
    const { Records, Products } = body.data as WireStatement
    const [first, ...others] = Products.toSorted((one, other) => Number(one.total) - Number(other.total)).slice(0, 3)
    const id = Records.at(-1)?.ActivationId ?? ''
    const orders = { filter: { condition: 'ALL', criteria: [{ name: 'activationid', method: 'EQUALS', value: id }] } }
    const products = {
      filter: { condition: 'ALL', criteria: [{ name: 'used', method: '<=', value: Number(others.at(-1)?.total) }] },
      sorting: [{ name: 'used', direction: 'asc' }],
    }
    const shown = { customerNumber, ...days, orders, products }
    const pdf = await vic(getStatementPdf, { body: shown })
    const { lines } = await readPdf(pdf.body.bytes as Buffer)
    expect(lines).toContain(`Filter of purchase orders Activation ID is “${id}”`)
    expect(lines).toContain(`Filter of products Used ≤ ${Number(others.at(-1)?.total)}`)
    const paper = lines
      .slice(
        0,
        lines.findIndex((line) => line.startsWith('Run-out forecast')),
      )
      .join('\n')
    expect(Records.map(({ ActivationId }) => ActivationId).filter((one) => paper.includes(one))).toEqual([id])
    const at = lines.indexOf('Usage by product')
    const named = (line: string) => line.startsWith(first?.product ?? '')
    expect(lines.slice(at).findIndex(named)).toBe(2)
    portal.clock.forward(1000)
    await ada(emailStatementFiles, { body: { ...shown, recipients: [ADA] } })
    const csv = (await newestMail()).files.slice(1).map(({ content }) => content.toString().trimEnd().split('\r\n'))
    expect(csv.map((rows) => rows.length)).toEqual([2, 4])
    expect(csv[1]?.[1]).toContain(`"${first?.product}"`)
  })

  test('a statement of which nothing is shown is not emailed, and a wrong filter of a table is refused', async () => {
    const none = { filter: { condition: 'ALL', criteria: [{ name: 'used', method: '>', value: 999_999_999 }] } }
    const body = { customerNumber, ...days, orders: none, products: none }
    expect((await ada(emailStatementFiles, { body: { ...body, recipients: [ADA] } })).body.code).toBe('NOTHING_TO_DO')
    const wrong = { filter: { condition: 'ALL', criteria: [{ name: 'user', method: 'EQUALS', value: 'eve' }] } }
    expect(await ada(getStatementPdf, { body: { ...body, orders: wrong } })).toMatchObject({ status: 400 })
  })

  test('a chargeback on paper has the rows and the total of its CSV file, also with a filter', async () => {
    const criteria = [{ name: 'used', method: '>', value: 100 }]
    for (const filter of [undefined, { condition: 'ALL', criteria }]) {
      const body = { customerNumber, ...days, by: 'product', ...(filter ? { filter } : {}) }
      const csv = String((await vic(exportChargeback, { body })).body.text)
      const pdf = await vic(getChargebackPdf, { body })
      const { lines } = await readPdf(pdf.body.bytes as Buffer)
      expect(lines).toContain('Chargeback by product')
      for (const currency of new Set(csv.match(/"[A-Z]{3}"\r/g))) {
        const own = csv.split('\n').filter((line) => line.endsWith(currency))
        const total = formatDecimal(usedOf(`header\r\n${own.join('\n')}`), 2)
        expect(lines.some((line) => line.startsWith(`Total ${total} `) && line.endsWith(currency.slice(1, 4)))).toBe(
          true,
        )
      }
      expect(lines.includes('Filter Used > 100')).toBe(filter !== undefined)
    }
  })

  test('the forecast on paper and as CSV has every balance', async () => {
    const csv = String((await vic(exportForecast, { body: { customerNumber } })).body.text)
    const pdf = await vic(getForecastPdf, { body: { customerNumber } })
    const { lines } = await readPdf(pdf.body.bytes as Buffer)
    expect(lines[1]).toBe('Run-out forecast')
    expect(csv).toContain('"Purchase Order","Activation ID","End Date","Balance","Currency","At 7-Day Average"')
    expect(lines.filter((line) => / AEU /.test(line)).length).toBeGreaterThan(0)
  })

  test('the forecast on paper and as CSV has the order of the screen', async () => {
    const idsBy = async (direction: string) => {
      const body = { customerNumber, sorting: [{ name: 'balance', direction }] }
      const csv = String((await vic(exportForecast, { body })).body.text)
        .trimEnd()
        .split('\r\n')
        .slice(1)
      const ids = csv.map((line) => line.split(',')[1]?.replaceAll('"', '') ?? '')
      const { lines } = await readPdf((await vic(getForecastPdf, { body })).body.bytes as Buffer)
      expect(ids.map((id) => lines.findIndex((line) => line.includes(id)))).toEqual(
        ids.map((id) => lines.findIndex((line) => line.includes(id))).toSorted((one, other) => one - other),
      )
      return ids
    }
    const ids = await idsBy('asc')
    expect(ids.length).toBeGreaterThan(1)
    expect((await idsBy('desc')).toReversed()).toEqual(ids)
  })
})
