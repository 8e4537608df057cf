import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  exportOptimization,
  getOptimization,
  getOptimizationPdf,
  type WireProductBalance,
} from '#contract/optimization/optimization.ts'
import { getWebReport, type WireWebReport } from '#contract/web-licenses/web-report.ts'
import { openContract } from '#server/testing/fsa.ts'
import { readPdf } from '#server/testing/pdf.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'
import { addElasticServer, bookRows, runningRow, usageRow } from '#server/testing/usage.ts'
import { addCheckouts, addWebAccount, OPTICS, userOf, WEB_ADMIN, WEB_VIEWER } from '#server/testing/web-licenses.ts'

const SOLVER = 'Fluid Flow Pro'
let portal: Portal
let viewer: Awaited<ReturnType<Portal['as']>>
beforeAll(async () => {
  portal = await startPortal()
  viewer = await portal.as(WEB_VIEWER)
  await addWebAccount(portal.db, 'O1', [{ id: 'S', model: 'Shared Web', quantity: 5 }], 'Asia/Tokyo')
  await addWebAccount(portal.db, 'O2', [])
  await addCheckouts(portal.db, 'O1', [
    // On 10 June in Tokyo, although 9 June in UTC.
    { id: 'S', user: 'ann', from: '2026-06-09T15:30:00Z', to: '2026-06-09T16:30:00Z' },
    { id: 'S', user: 'bob', from: '2026-06-09T16:00:00Z', to: '2026-06-09T17:00:00Z' },
    { id: 'S', user: 'cid', from: '2026-06-01T16:00:00Z', to: '2026-06-01T17:00:00Z' },
  ])
  await addSessions()
})
afterAll(() => portal.close())

async function addSessions() {
  await addElasticServer(portal.db, 'O1')
  const session = (from: string, to: string) =>
    usageRow({
      customer_number: 'O1',
      activation_id: 'O1-S',
      started_at: new Date(`2026-06-${from}:00Z`),
      ends_at: new Date(`2026-06-${to}:00Z`),
    })
  const rows = [
    // This session began before the range, and the next one begins when it ends.
    session('08T00:00', '10T02:00'),
    session('10T02:00', '10T04:00'),
    session('10T03:00', '10T05:00'),
    // Parallel, but before the range.
    session('08T01:00', '08T02:00'),
    session('08T01:00', '08T02:00'),
    runningRow({ customer_number: 'O1', started_at: new Date('2026-06-11T00:00:00Z'), product: 'Another Solver' }),
  ]
  await bookRows(portal.db, rows, { from: new Date('2026-06-01'), to: new Date('2026-06-30') })
  const denial = (at: string) => ({
    customer_number: 'O1',
    denied_at: new Date(at),
    reason: 'NO_BALANCE' as const,
    server_id: 'server-O1',
    product: SOLVER,
    product_count: 1,
    user_name: 'anna',
    host: 'ws1',
    external_ip: '192.0.2.1',
  })
  await portal.db
    .insertInto('elastic_denial')
    .values([denial('2026-06-10T04:00:00Z'), denial('2026-06-10T04:01:00Z'), denial('2026-06-20T04:01:00Z')])
    .execute()
}

const range = { customerNumber: 'O1', from: '2026-06-10', to: '2026-06-11' }

describe('the optimization report', () => {
  it('holds seats and units against their peak on the days of the account', async () => {
    const { status, body } = await viewer(getOptimization, { body: range })
    expect(status).toBe(200)
    const elastic = {
      license: 'Elastic',
      seats: null,
      needed: null,
      daysAtLimit: null,
      releasable: 0,
      missing: 0,
      cost: null,
      noCost: null,
    }
    expect(body.data).toEqual({
      products: [
        {
          license: 'Web',
          product: OPTICS,
          seats: 5,
          peak: 2,
          needed: 2,
          daysAtLimit: 0,
          units: '',
          denials: 0,
          reasons: [],
          releasable: 3,
          missing: 0,
          cost: null,
          noCost: null,
          advice: 'RELEASE',
          adviceText: '3 seats could be released',
        },
        {
          ...elastic,
          product: 'Another Solver',
          peak: 1,
          units: '',
          denials: 0,
          reasons: [],
          advice: 'IN_BALANCE',
          adviceText: 'In balance',
        },
        {
          ...elastic,
          product: SOLVER,
          peak: 2,
          units: '22.50 AEU',
          denials: 2,
          reasons: [{ reason: 'NO_BALANCE', count: 2 }],
          advice: 'MORE_UNITS',
          adviceText: 'More units are needed',
        },
      ],
    })
  })

  it('has the peak of the web report, and says apart how many seats named users need', async () => {
    await addWebAccount(portal.db, 'O3', [{ id: 'N', quantity: 4 }])
    const named = (user: string, day: string, hours: readonly [from: string, to: string]) => ({
      id: 'N',
      kind: 'SUBSCRIPTION' as const,
      user,
      from: `2026-06-${day}T${hours[0]}:00Z`,
      to: `2026-06-${day}T${hours[1]}:00Z`,
    })
    await addCheckouts(portal.db, 'O3', [
      named('ann', '10', ['08:00', '10:00']),
      named('bob', '10', ['09:00', '11:00']),
      named('cid', '11', ['08:00', '09:00']),
    ])
    const body = { ...range, customerNumber: 'O3' }
    const [weighed] = ((await viewer(getOptimization, { body })).body.data as { products: WireProductBalance[] })
      .products
    const [reported] = ((await viewer(getWebReport, { body })).body.data as WireWebReport).products
    expect(weighed).toMatchObject({ seats: 4, peak: 2, needed: 3, releasable: 1 })
    expect(reported).toMatchObject({ limit: 4, peak: 2 })
  })

  it('says how many seats are missing, and what they cost by the price list of the spending account', async () => {
    await addWebAccount(portal.db, 'O4', [{ id: 'S', model: 'Shared Web', quantity: 1 }])
    const fsaId = await openContract(portal, { customerNumber: 'O4' })
    await addCheckouts(portal.db, 'O4', [
      { id: 'S', user: 'ann', from: '2026-06-10T08:00:00Z', to: '2026-06-10T09:00:00Z' },
    ])
    const denial = (user: string) => ({
      customer_number: 'O4',
      denied_at: new Date('2026-06-10T08:30:00Z'),
      product: OPTICS,
      email: userOf(user),
      host: 'ws1',
      reason: 'NO_SEAT' as const,
    })
    await portal.db
      .insertInto('web_denial')
      .values([denial('bob'), denial('bob'), denial('cid')])
      .execute()
    const body = { ...range, customerNumber: 'O4' }
    const { products } = (await viewer(getOptimization, { body })).body.data as { products: WireProductBalance[] }
    const price = await portal.db
      .selectFrom('fsa_price')
      .innerJoin('product', 'product.part_number', 'fsa_price.part_number')
      .select(['product.part_number', 'price'])
      .where('product.name', '=', OPTICS)
      .where('currency', '=', 'USD')
      .where('days', '=', 365)
      .executeTakeFirstOrThrow()
    const cost = (Number(price.price) * 2).toFixed(2)
    expect(products).toMatchObject([
      {
        advice: 'MORE_SEATS',
        adviceText: '2 more seats are needed',
        missing: 2,
        releasable: 0,
        cost: { fsaId, partNumber: price.part_number, cost, currency: 'USD', duration: '1 Year' },
      },
    ])
    const csv = await viewer(exportOptimization, { body })
    expect(String(csv.body.text)).toContain(`"2 more seats are needed",2,"${cost}","USD","1 Year"`)
    const pdf = await readPdf((await viewer(getOptimizationPdf, { body })).body.bytes as Buffer)
    expect(pdf.lines.join(' ')).toMatch(/2 more seats .*USD/)
  })

  it('says why missing seats have no cost, and what to do instead', async () => {
    const product = 'Not On The Price List'
    await addWebAccount(portal.db, 'O5', [{ id: 'S', model: 'Shared Web', quantity: 1, product }])
    await portal.db
      .insertInto('web_denial')
      .values({
        customer_number: 'O5',
        denied_at: new Date('2026-06-10T08:30:00Z'),
        product,
        email: userOf('bob'),
        host: 'ws1',
        reason: 'NO_SEAT',
      })
      .execute()
    const body = { ...range, customerNumber: 'O5' }
    const load = async () => (await viewer(getOptimization, { body })).body.data
    const missing = { advice: 'MORE_SEATS', missing: 1, cost: null }
    expect(await load()).toMatchObject({ products: [{ ...missing, noCost: 'NO_SPENDING_ACCOUNT' }] })
    await openContract(portal, { customerNumber: 'O5' })
    expect(await load()).toMatchObject({ products: [{ ...missing, noCost: 'NOT_OFFERED' }] })
    const csv = await viewer(exportOptimization, { body })
    expect(String(csv.body.text)).toContain('"No spending account offers this product. Ask the vendor for an offer."')
    const pdf = await readPdf((await viewer(getOptimizationPdf, { body })).body.bytes as Buffer)
    expect(pdf.lines.join(' ')).toContain('No spending account')
  })

  it('is empty on an account that owns and uses nothing', async () => {
    const { body } = await viewer(getOptimization, { body: { ...range, customerNumber: 'O2' } })
    expect(body.data).toEqual({ products: [] })
  })

  it('is a CSV file', async () => {
    const { body, headers } = await viewer(exportOptimization, { body: range })
    expect(headers['content-disposition']).toContain('optimization_O1_2026-06-10_2026-06-11.csv')
    expect(String(body.text).slice(1).trimEnd().split('\r\n')).toEqual([
      '"Product","License","Seats","Peak","Needed","Days at Limit","Units Used","Denials","Reasons","Could Be Released","Advice","More Seats","Cost","Currency","Duration","Without Cost"',
      `"${OPTICS}","Web",5,2,2,0,"",0,"",3,"3 seats could be released",0,"","","",""`,
      '"Another Solver","Elastic",,1,,,"",0,"",0,"In balance",0,"","","",""',
      `"${SOLVER}","Elastic",,2,,,"22.50 AEU",2,"No balance left 2",0,"More units are needed",0,"","","",""`,
    ])
  })

  it('is a PDF file, which is audited', async () => {
    const { body, headers } = await viewer(getOptimizationPdf, { body: range })
    expect(headers['content-type']).toBe('application/pdf')
    const { lines } = await readPdf(body.bytes as Buffer)
    expect(lines).toContain(`${OPTICS} 2 of 5 seats`)
    expect(lines).toContainEqual(expect.stringContaining('3 seats could be released'))
    expect(lines).toContainEqual(expect.stringContaining('More units are needed'))
    const audited = await portal.db
      .selectFrom('audit_log')
      .select('target')
      .where('action', '=', 'optimization/pdf')
      .where('customer_number', '=', 'O1')
      .execute()
    expect(audited).toEqual([{ target: 'optimization_O1_2026-06-10_2026-06-11.pdf' }])
  })

  it.each([
    [{ from: 'x' }, 'body.from must be a day'],
    [{ from: '2026-06-12' }, 'body.from must not be after body.to'],
    [{ from: '2020-01-01' }, 'A report covers 731 days at most'],
  ])('refuses %o', async (change, err) => {
    const answer = await viewer(getOptimization, { body: { ...range, ...change } })
    expect(answer).toMatchObject({ status: 400, body: { err: expect.stringContaining(err) } })
  })
})

describe.each([getOptimization, exportOptimization, getOptimizationPdf])('the operation $path', (operation) => {
  it('is allowed for everybody who sees the account', async () => {
    const status = async (email: string | null, customerNumber = 'O1') =>
      (await (await portal.as(email))(operation, { body: { ...range, customerNumber } })).status
    expect(await status(null)).toBe(401)
    expect(await status(WEB_ADMIN)).toBe(200)
    expect(await status('nina.nimbus@nimbus.example')).toBe(404)
    expect(await status('ella.export@restricted.example', '100004')).toBe(403)
  })
})
