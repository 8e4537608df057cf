import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { type WebCheckout, webCheckoutList, webDenialList } from '#contract/web-licenses/web-checkout-lists.ts'
import {
  exportWebReport,
  getWebReport,
  getWebReportPdf,
  REPORT_TABLES,
  type WireWebReport,
} from '#contract/web-licenses/web-report.ts'
import { sum } from '#domain/money/decimal.ts'
import { readPdf } from '#server/testing/pdf.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { addCheckouts, addWebAccount, OPTICS, userOf, WEB_ADMIN, WEB_VIEWER } from '#server/testing/web-licenses.ts'

let portal: Portal
let viewer: Awaited<ReturnType<Portal['as']>>
beforeAll(async () => {
  portal = await startPortal()
  viewer = await portal.as(WEB_VIEWER)
  await addWebAccount(
    portal.db,
    'R1',
    [
      { id: 'S', model: 'Shared Web', quantity: 3 },
      { id: 'N', quantity: 1 },
    ],
    'Asia/Tokyo',
  )
  const named = { id: 'N', kind: 'SUBSCRIPTION' } as const
  await addCheckouts(portal.db, 'R1', [
    // On 10 June in Tokyo, although 9 June in UTC.
    { id: 'S', user: 'ann', from: '2026-06-09T15:30:00Z', to: '2026-06-09T16:30:00Z' },
    { id: 'S', user: 'bob', from: '2026-06-09T16:00:00Z', to: '2026-06-09T17:00:00Z' },
    { ...named, user: 'cid', from: '2026-06-09T16:00:00Z', to: '2026-06-09T17:00:00Z' },
    { ...named, user: 'cid', from: '2026-06-09T16:10:00Z', to: '2026-06-09T16:40:00Z' },
    { id: 'S', user: 'ann', from: '2026-06-11T00:00:00Z', to: '2026-06-11T02:00:00Z' },
  ])
  await portal.db
    .insertInto('web_denial')
    .values(
      ['2026-06-09T16:20:00Z', '2026-06-12T00:00:00Z'].map((at) => ({
        customer_number: 'R1',
        denied_at: new Date(at),
        reason: 'NO_SEAT' as const,
        product: OPTICS,
        email: userOf('dan'),
        host: 'ws1',
        external_ip: null,
      })),
    )
    .execute()
})
afterAll(() => portal.close())

const range = { customerNumber: 'R1', from: '2026-06-10', to: '2026-06-11' }

describe('the report', () => {
  it('states peaks per day of the account against the seats, products, users and denials', async () => {
    const { status, body } = await viewer(getWebReport, { body: range })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      products: [
        {
          product: OPTICS,
          limit: 4,
          peak: 3,
          peakDay: '2026-06-10',
          checkouts: 5,
          users: 3,
          hours: 5.5,
          denials: 1,
          days: [
            { day: '2026-06-10', peak: 3, limit: 4 },
            { day: '2026-06-11', peak: 1, limit: 4 },
          ],
        },
      ],
      users: [
        { email: userOf('ann'), name: 'Ann', checkouts: 2, products: 1, hours: 3, denials: 0 },
        { email: userOf('bob'), name: 'Bob', checkouts: 1, products: 1, hours: 1, denials: 0 },
        { email: userOf('cid'), name: 'Cid', checkouts: 2, products: 1, hours: 1.5, denials: 0 },
        { email: userOf('dan'), name: 'Dan', checkouts: 0, products: 0, hours: 0, denials: 1 },
      ],
      reasons: [{ reason: 'NO_SEAT', count: 1 }],
    })
  })

  it.each([
    ['days', '"Day","Product","Peak","Seats"', `"2026-06-10","${OPTICS}",3,4`],
    [
      'products',
      '"Product","Seats","Peak","Peak Day","Checkouts","Users","Hours","Denials"',
      `"${OPTICS}",4,3,"2026-06-10",5,3,5.50,1`,
    ],
    ['users', '"User","Name","Products","Checkouts","Hours","Denials"', `"${userOf('ann')}","Ann",1,2,3.00,0`],
  ])('has the table %s as CSV', async (table, head, line) => {
    const { body, headers } = await viewer(exportWebReport, { body: { ...range, table } })
    expect(headers['content-disposition']).toContain(`web-report_${table}_R1_2026-06-10_2026-06-11.csv`)
    expect(String(body.text).slice(1).split('\r\n').slice(0, 2)).toEqual([head, line])
  })

  it('is a PDF file with a chart of the peaks, which is audited', async () => {
    const { body, headers } = await viewer(getWebReportPdf, { body: range })
    expect(headers['content-type']).toBe('application/pdf')
    expect(headers['content-disposition']).toContain('web-report_R1_2026-06-10_2026-06-11.pdf')
    const { lines } = await readPdf(body.bytes as Buffer)
    expect(lines).toContain(`Peak concurrent use of ${OPTICS} per day`)
    expect(lines).toContain('2026-06-10 2026-06-11')
    expect(lines).toContain('2026-06-10 3 4')
    const audited = await portal.db
      .selectFrom('audit_log')
      .select('target')
      .where('action', '=', 'web/report/pdf')
      .execute()
    expect(audited).toEqual([{ target: 'web-report_R1_2026-06-10_2026-06-11.pdf' }])
  })

  it.each([
    [{ from: 'x' }, 'body.from must be a day'],
    [{ to: 'x' }, 'body.to must be a day'],
    [{ from: '2026-06-12' }, 'body.from must not be after body.to'],
    [{ from: '2020-01-01' }, 'A report covers 731 days at most'],
  ])('refuses %o', async (change, err) => {
    const answer = await viewer(getWebReport, { body: { ...range, ...change } })
    expect(answer).toMatchObject({ status: 400, body: { err: expect.stringContaining(err) } })
  })

  it('refuses an unknown table', async () => {
    expect(REPORT_TABLES).toHaveLength(3)
    expect((await viewer(exportWebReport, { body: { ...range, table: 'everything' } })).status).toBe(400)
  })
})

test('denials are exported as the screen lists them', async () => {
  const filter = { condition: 'ALL', criteria: [{ name: 'reason', method: 'EQUALS', value: 'NO_SEAT' }] }
  const { body, headers } = await viewer(webDenialList.exportCsv, { body: { customerNumber: 'R1', filter } })
  expect(headers['content-disposition']).toContain('web-denials_R1_')
  expect(String(body.text).slice(1).trim().split('\r\n')).toEqual([
    '"Time (UTC)","Reason","Product","User","Hostname","Version","External IP"',
    `2026-06-12 00:00:00,"No seat free","${OPTICS}","${userOf('dan')}","ws1","",`,
    `2026-06-09 16:20:00,"No seat free","${OPTICS}","${userOf('dan')}","ws1","",`,
  ])
})

describe('checkouts', () => {
  it('are exported in the columns of the screen', async () => {
    const filter = { condition: 'ALL', criteria: [{ name: 'email', method: 'EQUALS', value: userOf('bob') }] }
    const { body, headers } = await viewer(webCheckoutList.exportCsv, { body: { customerNumber: 'R1', filter } })
    expect(headers['content-type']).toContain('text/csv')
    const [head, line, ...more] = String(body.text).slice(1).trim().split('\r\n')
    expect(head).toContain('"Start Time')
    expect(line).toContain(
      `2026-06-09 16:00:00,2026-06-09 17:00:00,"${OPTICS}","Shared Web",1.00,"${userOf('bob')}","Bob"`,
    )
    expect(more).toEqual([])
  })

  it('add up their hours for each license model', async () => {
    const { body } = await viewer(webCheckoutList.sum, { body: { customerNumber: 'R1' } })
    expect(body.data).toEqual([
      { by: 'Named User', sums: { hours: '1.5' } },
      { by: 'Shared Web', sums: { hours: '4' } },
    ])
  })

  it('have the same hours in total as the products and the users of the report', async () => {
    // 100 seconds are 0.0277… hours, two seconds count as 0.01.
    await addCheckouts(portal.db, 'R1', [
      ...['ann', 'ann', 'bob'].map((user) => ({
        id: 'S',
        user,
        from: '2026-07-10T08:00:00Z',
        to: '2026-07-10T08:01:40Z',
      })),
      { id: 'S', user: 'bob', from: '2026-07-11T08:00:00Z', to: '2026-07-11T08:00:02Z' },
    ])
    const july = { customerNumber: 'R1', from: '2026-07-01', to: '2026-07-31' }
    const criteria = [{ name: 'startTime', method: 'AFTER', value: '2026-06-30T15:00:00.000Z' }]
    const checkouts = await viewer(webCheckoutList.page, {
      body: { customerNumber: 'R1', limit: 10, filter: { condition: 'ALL', criteria } },
    })
    const { products, users } = (await viewer(getWebReport, { body: july })).body.data as WireWebReport
    const totals = [checkouts.body.data as WebCheckout[], products, users].map((rows) =>
      sum(rows.map(({ hours }) => hours ?? 0)),
    )
    expect(totals).toEqual(['0.1', '0.1', '0.1'])
  })
})

describe.each([getWebReport, getWebReportPdf, exportWebReport, webCheckoutList.page])(
  'the operation $path',
  (operation) => {
    const body = operation === webCheckoutList.page ? { customerNumber: 'R1' } : range
    const parts = { body: operation === exportWebReport ? { ...body, table: 'days' } : body }
    it('is allowed for everybody who sees the account', async () => {
      const status = async (email: string | null) => (await (await portal.as(email))(operation, parts)).status
      expect(await status(null)).toBe(401)
      expect(await status(WEB_ADMIN)).toBe(200)
      expect(await status('nina.nimbus@nimbus.example')).toBe(404)
      const ella = await portal.as('ella.export@restricted.example')
      expect((await ella(operation, { body: { ...parts.body, customerNumber: '100004' } })).status).toBe(403)
    })
  },
)
