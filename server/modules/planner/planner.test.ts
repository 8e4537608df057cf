import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFulfillments } from '#contract/activations/seats/change-seats.ts'
import { listDrafts } from '#contract/fsa/drafts.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { sendObservations } from '#contract/license-use/observations.ts'
import * as planner from '#contract/planner/planner.ts'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { lineCost } from '#domain/fsa/order-line.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { ADA, type Call, NEW_HOST, OLIVIA, sellLicense, VIC } from '#server/testing/activations.ts'
import { openContract } from '#server/testing/fsa.ts'
import { readPdf } from '#server/testing/pdf.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const customerNumber = '100001'
const SERVER = '3cecef4b7d10'
const PRO = 'Structural Mechanics Pro'
/** Nobody uses it, and no license server of the demo data has seats of it. */
const UNUSED = 'Electronics Cooling'
const NO_ID = '00000000-0000-4000-8000-000000000000'
const FULL = '(Licensed number of users already reached. (-4,342))'

let portal: Portal
let ada: Call
let vic: Call
let today: string
let days: { from: string; to: string }
let yesterday: string
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
  vic = await portal.as(VIC)
  const day = portal.clock.now().toISOString().slice(0, 10)
  today = dayIn('Europe/Berlin', portal.clock.now())
  days = { from: day, to: day }
  const { feature_names } = await portal.db
    .selectFrom('product')
    .select('feature_names')
    .where('name', '=', PRO)
    .executeTakeFirstOrThrow()
  const [feature, second] = feature_names
  yesterday = addDays(day, -1)
  const timestamp = (of: string) => {
    const [year, month, date] = of.split('-').map(Number)
    return `(lmgrd) TIMESTAMP ${month}/${date}/${year}`
  }
  const line = (time: string, event: string, user: string, of = feature) =>
    `${time}:00 (ansyslmd) ${event}: "${of}" ${user}  `
  const report = async (serverId: string, lines: readonly string[]) => {
    const body = { customerNumber, serverId, observations: [{ text: [...lines, ''].join('\n') }] }
    expect((await ada(sendObservations, { body })).body.status).toBe('SUCCESS')
  }
  await report(SERVER, [
    `22:00:00 ${timestamp(yesterday)}`,
    line('22:00', 'OUT', 'eve@pc5'),
    line('22:10', 'IN', 'eve@pc5'),
    `1:00:00 ${timestamp(day)}`,
    line('1:00', 'OUT', 'ann@pc1'),
    line('1:05', 'OUT', 'ann@pc1', second),
    line('1:06', 'OUT', 'bob@pc2', second),
    line('1:10', 'OUT', 'bob@pc2'),
    line('1:20', 'OUT', 'cid@pc3'),
    line('1:30', 'DENIED', `dan@pc4  ${FULL}`),
    line('1:31', 'DENIED', `dan@pc4  ${FULL}`, second),
    line('2:00', 'IN', 'ann@pc1'),
    line('2:00', 'IN', 'ann@pc1', second),
    line('2:00', 'IN', 'bob@pc2', second),
    line('2:10', 'IN', 'bob@pc2'),
    line('2:20', 'IN', 'cid@pc3'),
  ])
  await activate(NEW_HOST, PRO, 5)
  await report(NEW_HOST.serverId, [
    `5:00:00 ${timestamp(day)}`,
    line('5:00', 'OUT', 'eve@pc5'),
    line('5:10', 'IN', 'eve@pc5'),
  ])
  await activate({ serverName: 'lic-berlin-01', serverId: SERVER, serverIdType: 'ETHERNET' }, UNUSED, 2)
})
afterAll(() => portal.close())

const activate = async (host: object, product_name: string, count: number) => {
  const activations = [{ id: await sellLicense(portal, { product_name }), count }]
  expect((await ada(createFulfillments, { body: { customerNumber, ...host, activations } })).body.status).toBe(
    'SUCCESS',
  )
}
const products = async (more: object = {}) => {
  const { body } = await vic(planner.getPlanner, { body: { customerNumber, ...days, ...more } })
  return (body.data as { products: planner.PlannerProduct[] }).products
}
const save = (call: Call, more: object = {}) =>
  call(planner.saveRenewalPlan, {
    body: { customerNumber, ...days, name: 'Renewal 2027', lines: [{ product: PRO, seats: 4 }], ...more },
  })
const savedPlan = async (more: object = {}) => (await save(ada, more)).body.data as planner.SavedPlan

describe('the planner', () => {
  test('has what was bought, activated and measured of a product', async () => {
    const pro = (await products()).find(({ product }) => product === PRO)
    expect(pro).toMatchObject({
      measured: { peak: 3, realDenials: 2, deniedAtPeak: 1 },
      unitCost: expect.stringMatching(/^\d+\.\d\d$/),
    })
    expect(pro?.bought).toBeGreaterThanOrEqual(pro?.activated ?? 0)
    const others = (await products()).filter(({ product }) => product !== PRO)
    expect(others.length).toBeGreaterThan(1)
    expect(others.some(({ measured }) => measured === null)).toBe(true)
  })

  test('can be narrowed to what ends in a period', async () => {
    const product = 'Acoustics Response'
    await sellLicense(portal, { product_name: product, end_date: addDays(today, 5), line_item_quantity: 7 })
    const soon = (await products({ endsBy: addDays(today, 5) })).find((one) => one.product === product)
    expect(soon?.ending).toBeGreaterThanOrEqual(7)
    expect(soon?.bought).toBeGreaterThanOrEqual(soon?.ending ?? 0)
    const later = (await products({ endsFrom: addDays(today, 1) })).filter(({ firstEnd }) => (firstEnd ?? '') <= today)
    expect(later).toEqual([])
    const ends = (await products({ endsBy: today })).every(({ firstEnd }) => firstEnd !== null && firstEnd <= today)
    expect(ends).toBe(true)
  })

  test('says that 0 seats of a product were in use on a license server that reported, if nobody used it', async () => {
    const unused = (await products()).find(({ product }) => product === UNUSED)
    expect(unused?.measured).toEqual({ peak: 0, percentile95: 0, realDenials: 0, deniedAtPeak: 0 })
    const other = { from: '2019-01-01', to: '2019-01-31' }
    expect((await products(other)).find(({ product }) => product === UNUSED)?.measured).toBeNull()
  })

  test('has what ended since the first day of the period, and not what ended before it', async () => {
    const product = 'Acoustics Response'
    const boughtSince = async (more: object) =>
      (await products(more)).find((one) => one.product === product) ?? { bought: 0, ending: 0, staying: 0 }
    const [since, by] = [addDays(today, -20), addDays(today, -10)]
    const before = await boughtSince({ endsFrom: since, endsBy: by })
    await sellLicense(portal, { product_name: product, end_date: addDays(today, -15), line_item_quantity: 4 })
    await sellLicense(portal, { product_name: product, end_date: addDays(today, -5), line_item_quantity: 8 })
    await sellLicense(portal, { product_name: product, end_date: addDays(today, 50), line_item_quantity: 6 })
    const after = await boughtSince({ endsFrom: since, endsBy: by })
    expect(after).toMatchObject({ bought: after.staying + 4, ending: before.ending + 4 })
    expect(after.staying).toBeGreaterThanOrEqual(6)
    const all = await boughtSince({})
    expect(all).toMatchObject({ bought: after.staying, staying: 0 })
  })

  type WhatIf = {
    eventsFrom: string | null
    realDenials: number | null
    deniedWhileFree: number | null
    results: { seats: number; denials: number | null; unitsAbove: string | null }[]
  }
  const whatIf = async (range = days) => {
    const body = { customerNumber, ...range, product: PRO, seats: [0, 1, 2, 3, 4] }
    return (await vic(planner.getWhatIf, { body })).body.data as WhatIf
  }

  test('plays the measured events of every feature again with other numbers of seats', async () => {
    const { eventsFrom, results } = await whatIf()
    expect(eventsFrom).toBe(days.from)
    // Three and two checkouts at the same time with a denial during all of them, and one later on another server.
    expect(results.map(({ denials }) => denials)).toEqual([8, 5, 3, 1, 0])
  })

  test('says how many denials happened while another license server had free seats', async () => {
    expect(await whatIf()).toMatchObject({ realDenials: 2, deniedWhileFree: 2 })
  })

  test('computes nothing for days whose single events were removed', async () => {
    const both = { from: yesterday, to: days.to }
    expect(await whatIf(both)).toMatchObject({ eventsFrom: yesterday })
    const remove = (before: string | null) =>
      portal.db.updateTable('license_report').set({ removed_before: before }).where('host_id', '=', SERVER).execute()
    await remove(days.from)
    expect(await whatIf(both)).toMatchObject({ eventsFrom: days.from, realDenials: 2 })
    const past = await whatIf({ from: yesterday, to: yesterday })
    expect(past).toMatchObject({ eventsFrom: null, realDenials: null, deniedWhileFree: null })
    expect(past.results[0]).toEqual({ seats: 0, denials: null, unitsAbove: null })
    await remove(null)
  })

  test('answers 404 for a product that the account does not have', async () => {
    const body = { customerNumber, ...days, product: 'No such product', seats: [1] }
    expect((await vic(planner.getWhatIf, { body })).status).toBe(404)
  })
})

describe('a plan', () => {
  test('is saved with the prices of the server, changed, and not saved over somebody else', async () => {
    const plan = await savedPlan()
    expect(plan).toMatchObject({
      name: 'Renewal 2027',
      savedBy: ADA,
      revision: 1,
      lines: [{ product: PRO, seats: 4, duration: expect.stringMatching(/^\d+ (Year|Day)/) }],
    })
    const olivia = await portal.as(OLIVIA)
    const changed = await save(olivia, { id: plan.id, revision: 1, name: 'Smaller' })
    expect(changed.body.data).toMatchObject({ name: 'Smaller', revision: 2 })
    expect(await save(ada, { id: plan.id, revision: 1 })).toMatchObject({ status: 409, body: { code: 'STALE' } })
    const { body } = await vic(planner.listRenewalPlans, { body: { customerNumber } })
    expect(body.data).toContainEqual(expect.objectContaining({ id: plan.id, name: 'Smaller', savedBy: OLIVIA }))
    expect((await save(ada, { lines: [{ product: 'No such product', seats: 1 }] })).body.code).toBe('UNKNOWN_PRODUCT')
  })

  test('is exported as CSV and as PDF', async () => {
    const plan = await savedPlan({ name: 'For the purchaser' })
    const body = { customerNumber, id: plan.id }
    const csv = await vic(planner.exportRenewalPlan, { body })
    expect(csv.body.text).toContain(`"${PRO}","ANS0010110",`)
    const pdf = await vic(planner.getRenewalPlanPdf, { body })
    const text = await readPdf(pdf.body.bytes as Buffer)
    expect(JSON.stringify(text)).toContain('For the purchaser')
    const { duration } = plan.lines[0]!
    expect(csv.body.text).toContain(`"${duration}"`)
    expect(JSON.stringify(text)).toContain(duration)
  })

  test('becomes a draft order of a spending account', async () => {
    const fsaID = await openContract(portal)
    const plan = await savedPlan({ name: 'To be ordered' })
    const { body } = await vic(planner.draftRenewalPlan, { body: { customerNumber, id: plan.id, fsaID } })
    expect(body.data).toMatchObject({ fsaID, left: [] })
    const drafts = (await vic(listDrafts, { body: { customerNumber } })).body.data as { id: string }[]
    expect(drafts.find(({ id }) => id === (body.data as { draftId: string }).draftId)).toMatchObject({
      name: 'To be ordered',
      isValid: true,
      products: [{ ansysquantity: 4 }],
    })
    const missing = { customerNumber, id: plan.id, fsaID: 'no-such-contract' }
    expect((await vic(planner.draftRenewalPlan, { body: missing })).status).toBe(404)
  })

  test('says what its draft costs instead where the contract has other prices', async () => {
    const plan = await savedPlan({ name: 'Elsewhere' })
    const otherCosts = async (fsaID: string) => {
      const { body } = await vic(planner.draftRenewalPlan, { body: { customerNumber, id: plan.id, fsaID } })
      return (body.data as { otherCosts: unknown }).otherCosts
    }
    const { unitCost, currency, duration } = plan.lines[0]!
    const planned = `${formatDecimal(lineCost(unitCost ?? '', 4), 2)} ${currency} for ${duration}`
    expect(await otherCosts(await openContract(portal, { currency: currency ?? '' }))).toEqual([])
    expect(
      await otherCosts(await openContract(portal, { currency: currency ?? '', endDate: addDays(today, 60) })),
    ).toEqual([{ product: PRO, planned, drafted: expect.stringMatching(/ for (\d+ Days|Remainder)$/) }])
  })

  test('of what ends counts, prices and drafts only the seats to renew', async () => {
    const fsaID = await openContract(portal)
    const product = 'Rigid Body Dynamics'
    const endsBy = addDays(today, 3)
    await sellLicense(portal, { product_name: PRO, end_date: endsBy, line_item_quantity: 5 })
    await sellLicense(portal, { product_name: product, line_item_quantity: 2 })
    const { staying, bought } = (await products({ endsBy })).find((one) => one.product === PRO)!
    const lines = [
      { product: PRO, seats: staying + 2 },
      { product, seats: 2 },
    ]
    const plan = await savedPlan({ name: 'What ends', endsBy, lines })
    expect(plan.lines).toMatchObject([
      { bought, staying },
      { product, staying: expect.any(Number) },
    ])
    const csv = await vic(planner.exportRenewalPlan, { body: { customerNumber, id: plan.id } })
    const cost = Number(plan.lines[0]?.unitCost) * 2
    expect(csv.body.text).toContain(`${bought},${staying + 2},2,${Number(plan.lines[0]?.unitCost)},`)
    expect(csv.body.text).toContain(`,${cost},`)
    const { body } = await vic(planner.draftRenewalPlan, { body: { customerNumber, id: plan.id, fsaID } })
    expect(body.data).toMatchObject({ left: [] })
    const drafts = (await vic(listDrafts, { body: { customerNumber } })).body.data as { id: string }[]
    expect(drafts.find(({ id }) => id === (body.data as { draftId: string }).draftId)).toMatchObject({
      products: [{ ansysquantity: 2 }],
    })
  })

  test('is removed once', async () => {
    const { id } = await savedPlan()
    const remove = () => ada(planner.removeRenewalPlan, { body: { customerNumber, id } })
    expect((await remove()).status).toBe(200)
    expect((await remove()).status).toBe(404)
  })
})

describe('every call', () => {
  test.each<[Operation, object, object]>([
    [planner.getPlanner, {}, { endsBy: 'x' }],
    [planner.getPlanner, {}, { endsFrom: '2027-02-01', endsBy: '2027-01-31' }],
    [planner.getWhatIf, { product: PRO, seats: [1] }, { product: PRO, seats: [-1] }],
    [planner.saveRenewalPlan, { name: 'x', lines: [{ product: PRO, seats: 1 }] }, { name: ' ', lines: [] }],
  ])('$name answers 401 to nobody and 400 to a malformed body', async (operation, good, bad) => {
    const of = (more: object) => ({ body: { customerNumber, ...days, ...more } })
    expect((await (await portal.as(null))(operation, of(good))).status).toBe(401)
    expect((await ada(operation, of(bad))).status).toBe(400)
  })

  test('of a saved plan answers 404 where there is none, and 403 to those who may only look', async () => {
    const body = { customerNumber, id: NO_ID }
    for (const operation of [planner.exportRenewalPlan, planner.getRenewalPlanPdf, planner.removeRenewalPlan])
      expect((await ada(operation, { body })).status).toBe(404)
    expect((await save(vic)).status).toBe(403)
    expect((await vic(planner.removeRenewalPlan, { body })).status).toBe(403)
  })
})
