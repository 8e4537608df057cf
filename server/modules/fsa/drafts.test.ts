import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Draft, deleteDraft, listDrafts, quoteDraft, quoteDraftAsPdf, saveDraft } from '#contract/fsa/drafts.ts'
import { orderEntitlements, type WireOrderLine } from '#contract/fsa/order-entitlements.ts'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { ADA, type Call, GRETA, OLIVIA, VIC } from '#server/testing/activations.ts'
import { loadBalance, openContract } from '#server/testing/fsa.ts'
import { readPdf } from '#server/testing/pdf.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const customerNumber = '100001'
const PRO = 'ANS0010110'
const NO_ID = '00000000-0000-4000-8000-000000000000'

let portal: Portal
let ada: Call
let vic: Call
let olivia: Call
let today: string
beforeAll(async () => {
  portal = await startPortal()
  ;[ada, vic, olivia] = [await portal.as(ADA), await portal.as(VIC), await portal.as(OLIVIA)]
  today = dayIn('Europe/Berlin', portal.clock.now())
})
afterAll(() => portal.close())

const LINE: WireOrderLine = {
  ansysbpn: PRO,
  startdate: '2026-01-01',
  enddate: '2026-01-30',
  ansysprice: '1900.00',
  ansyscurrency: 'USD',
}
const month = (change: Partial<WireOrderLine> = {}): WireOrderLine => ({
  ...LINE,
  ansysquantity: 1,
  startdate: today,
  enddate: addDays(today, 29),
  ...change,
})
const save = (call: Call, fsaID: string, products: WireOrderLine[], more: object = {}) =>
  call(saveDraft, { body: { customerNumber, fsaID, name: 'For the wing team', products, ...more } })
const saved = async (...args: Parameters<typeof save>) => (await save(...args)).body.data as Draft
const listed = async (call: Call, id: string) =>
  ((await call(listDrafts, { body: { customerNumber } })).body.data as Draft[]).find((draft) => draft.id === id)
const order = (call: Call, fsaID: string, { id, revision }: Draft, products: WireOrderLine[]) =>
  call(orderEntitlements, { body: { ansyshasfsa: true, customerNumber, fsaID, products, draft: { id, revision } } })
const setPrice = (price: string) =>
  portal.db
    .updateTable('fsa_price')
    .set({ price })
    .where('part_number', '=', PRO)
    .where('currency', '=', 'USD')
    .where('days', '=', 30)
    .execute()

describe('a draft', () => {
  test('that a viewer saved can be ordered by a person who may order', async () => {
    const fsaID = await openContract(portal)
    const draft = await saved(vic, fsaID, [month()])
    expect(draft).toMatchObject({
      fsaID,
      name: 'For the wing team',
      revision: 1,
      savedBy: VIC,
      totalCost: '1900.00',
      errors: [null],
      isValid: true,
    })
    expect((await order(vic, fsaID, draft, draft.products)).status).toBe(403)
    expect((await loadBalance(portal, fsaID)).ordered).toBe('0.00')
    expect(await listed(ada, draft.id)).toEqual(draft)
    const answer = await order(ada, fsaID, draft, draft.products)
    expect(answer.body).toMatchObject({ status: 'SUCCESS', available: '98100.00' })
    expect(await listed(ada, draft.id)).toBe(undefined)
    const audited = await portal.db
      .selectFrom('audit_log')
      .select(['email', 'after'])
      .where('target', '=', fsaID)
      .executeTakeFirstOrThrow()
    expect(audited).toMatchObject({ email: ADA, after: { draft: draft.id, draftedBy: VIC } })
  })

  test('is not ordered twice', async () => {
    const fsaID = await openContract(portal)
    const draft = await saved(vic, fsaID, [month()])
    const answers = await Promise.all([1, 2, 3].map(() => order(ada, fsaID, draft, draft.products)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    expect((await loadBalance(portal, fsaID)).ordered).toBe('1900.00')
  })

  test('keeps the lines that were refused', async () => {
    const fsaID = await openContract(portal)
    const draft = await saved(ada, fsaID, [month(), month({ ansysquantity: 2, ansysprice: '1.00' })])
    expect(draft).toMatchObject({
      totalCost: '1901.00',
      isValid: false,
      errors: [null, 'The price has changed. This line now costs 3,800.00 USD.'],
    })
    expect(await listed(olivia, draft.id)).toMatchObject({ totalCost: '1901.00', isValid: true })
    await order(ada, fsaID, draft, draft.products)
    expect(await listed(ada, draft.id)).toMatchObject({ revision: 2, products: [{ ansysquantity: 2 }] })
  })

  test('stays as it is if nothing of it can be ordered', async () => {
    const fsaID = await openContract(portal, { price: '1.00' })
    const draft = await saved(ada, fsaID, [month()])
    expect((await order(ada, fsaID, draft, draft.products)).body.code).toBe('INSUFFICIENT_BALANCE')
    expect(await listed(ada, draft.id)).toEqual(draft)
  })

  test('can be changed by its author and by people who may order, in the revision that they read', async () => {
    const fsaID = await openContract(portal)
    const draft = await saved(vic, fsaID, [month()])
    const changed = await saved(ada, fsaID, [month({ ansysquantity: 2, ansysprice: '3800.00' })], {
      id: draft.id,
      revision: 1,
    })
    expect(changed).toMatchObject({ id: draft.id, revision: 2, savedBy: ADA, totalCost: '3800.00' })
    const stale = await save(vic, fsaID, [month()], { id: draft.id, revision: 1 })
    expect(stale).toMatchObject({
      status: 409,
      body: { code: 'STALE', data: { current: { revision: 2, savedBy: ADA }, yours: { name: 'For the wing team' } } },
    })
    expect((await order(ada, fsaID, draft, draft.products)).status).toBe(409)
    expect((await save(vic, fsaID, [month()], { id: draft.id, revision: 2 })).status).toBe(403)
    expect((await vic(deleteDraft, { body: { customerNumber, id: draft.id } })).status).toBe(403)
    expect((await ada(deleteDraft, { body: { customerNumber, id: draft.id } })).status).toBe(200)
    expect((await ada(deleteDraft, { body: { customerNumber, id: draft.id } })).status).toBe(404)
  })

  test('a draft with manual entries is for business operations only', async () => {
    const fsaID = await openContract(portal)
    const manual = month({ manualentry: true, manualProductName: 'Training' })
    expect((await save(ada, fsaID, [manual])).status).toBe(403)
    const draft = await saved(olivia, fsaID, [manual])
    expect(await listed(olivia, draft.id)).toEqual(draft)
    expect(await listed(ada, draft.id)).toBe(undefined)
    const body = { customerNumber, id: draft.id }
    expect((await ada(quoteDraft, { body })).status).toBe(404)
    expect((await ada(quoteDraftAsPdf, { body })).status).toBe(404)
    expect((await ada(deleteDraft, { body })).status).toBe(404)
    expect((await save(ada, fsaID, [month()], { id: draft.id, revision: 1 })).status).toBe(404)
    expect((await order(ada, fsaID, draft, [month()])).status).toBe(404)
  })

  test('belongs to its account and its contract', async () => {
    const [fsaID, other] = [await openContract(portal), await openContract(portal)]
    const draft = await saved(ada, fsaID, [month()])
    expect((await order(ada, other, draft, draft.products)).status).toBe(400)
    const greta = await portal.as(GRETA)
    const body = { customerNumber: '100003', id: draft.id }
    expect((await greta(quoteDraft, { body })).status).toBe(404)
    expect((await greta(deleteDraft, { body })).status).toBe(404)
    expect((await save(ada, 'no-such-contract', [month()])).status).toBe(404)
  })

  test('follows its contract to another id, and goes with it', async () => {
    const fsaID = await openContract(portal)
    const { id } = await saved(ada, fsaID, [month()])
    const renamed = `${fsaID}-renamed`
    await portal.db
      .updateTable('entitlement')
      .set({ entitlement_id: renamed })
      .where('customer_number', '=', customerNumber)
      .where('entitlement_id', '=', fsaID)
      .execute()
    expect(await listed(ada, id)).toMatchObject({ fsaID: renamed })
    await portal.db
      .deleteFrom('entitlement')
      .where('customer_number', '=', customerNumber)
      .where('entitlement_id', '=', renamed)
      .execute()
    expect(await listed(ada, id)).toBe(undefined)
  })

  test('needs a name and a line', async () => {
    const fsaID = await openContract(portal)
    expect((await save(ada, fsaID, [])).status).toBe(400)
    expect((await save(ada, fsaID, [month()], { name: ' ' })).status).toBe(400)
  })

  test('is refused once an account has 100 of them', async () => {
    const fsaID = await openContract(portal, { customerNumber: '100002' })
    const body = { customerNumber: '100002', fsaID, name: 'One of many', products: [month()] }
    for (let saves = 0; saves < 100; saves++) await ada(saveDraft, { body })
    expect((await ada(saveDraft, { body })).body).toMatchObject({ status: 'FAILURE', code: 'TOO_MANY_DRAFTS' })
  })
})

describe('a quote', () => {
  test('shows the prices of a draft, its total and its validity', async () => {
    const fsaID = await openContract(portal)
    const { id } = await saved(vic, fsaID, [month({ ansysquantity: 3, ansysprice: '5700.00' })])
    const answer = await vic(quoteDraft, { body: { customerNumber, id } })
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename=Q-[0-9A-F]{8}-1\.csv$/)
    const rows = String(answer.body.text).replace('\ufeff', '').replaceAll('"', '').split('\r\n')
    expect(rows.slice(0, 3)).toEqual([
      'Product,Part Number,Duration,Count,Start Date,Expiration Date,Unit Cost,Cost,Currency',
      `Structural Mechanics Pro,${PRO},30 Days,3,${today},${addDays(today, 29)},1900.00,5700.00,USD`,
      'Total,,,,,,,5700.00,USD',
    ])
    expect(rows).toContain(`Prepared by,${VIC}`)
    expect(rows).toContain('Account,100001 (Aerodyne Motors)')
    expect(rows).toContain('This quote is valid until the price list changes.')
  })

  test('says the same as a PDF file', async () => {
    const fsaID = await openContract(portal)
    const { id } = await saved(vic, fsaID, [month({ ansysquantity: 3, ansysprice: '5700.00' })])
    const answer = await vic(quoteDraftAsPdf, { body: { customerNumber, id } })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^attachment; filename=Q-[0-9A-F]{8}-1\.pdf$/),
    })
    const { info, lines } = await readPdf(answer.body.bytes as Buffer)
    expect(info.Title).toMatch(/^Quote Q-[0-9A-F]{8}-1$/)
    expect(lines).toContain('Account 100001 (Aerodyne Motors)')
    expect(lines).toContain(`FSA Contract ${fsaID}`)
    expect(lines).toContain(`Prepared by ${VIC}`)
    expect(lines).toContain(
      `Structural Mechanics Pro ${PRO} 30 Days 3 ${today} ${addDays(today, 29)} 1,900.00 5,700.00 USD`,
    )
    expect(lines).toContain('Total 5,700.00 USD')
    expect(lines).toContain('This quote is valid until the price list changes.')
  })

  test('states unit costs that add up, and is refused where there is none', async () => {
    const fsaID = await openContract(portal)
    const special = (ansysprice: string) => month({ ansysquantity: 4, ansysprice })
    const { id } = await saved(olivia, fsaID, [special('10.00')])
    const body = { customerNumber, id }
    const csv = String((await olivia(quoteDraft, { body })).body.text)
    expect(csv).toContain(`,4,"${today}","${addDays(today, 29)}","2.50","10.00","USD"`)
    const { lines } = await readPdf((await olivia(quoteDraftAsPdf, { body })).body.bytes as Buffer)
    expect(lines.join(' ')).toContain(` 4 ${today} ${addDays(today, 29)} 2.50 10.00 USD`)
    const uneven = await saved(olivia, fsaID, [special('10.01')])
    expect(uneven).toMatchObject({ isValid: false, errors: [expect.stringContaining('the nearest cost is 10.00 USD')] })
    const refused = await olivia(quoteDraft, { body: { customerNumber, id: uneven.id } })
    expect(refused.body).toMatchObject({ status: 'FAILURE', code: 'INVALID_ORDER_LINE' })
  })

  test('is valid until the price list changes', async () => {
    const fsaID = await openContract(portal)
    const draft = await saved(ada, fsaID, [month()])
    await setPrice('2000.00')
    const outdated = await listed(ada, draft.id)
    const quote = await ada(quoteDraft, { body: { customerNumber, id: draft.id } })
    const pdf = await ada(quoteDraftAsPdf, { body: { customerNumber, id: draft.id } })
    const ordered = await order(ada, fsaID, draft, draft.products)
    await setPrice('1900.00')
    expect(outdated).toMatchObject({
      isValid: false,
      errors: ['The price has changed. This line now costs 2,000.00 USD.'],
    })
    expect(quote.body).toMatchObject({ status: 'FAILURE', code: 'PRICE_CHANGED' })
    expect(pdf.body).toMatchObject({ status: 'FAILURE', code: 'PRICE_CHANGED' })
    expect(ordered.body).toMatchObject({ status: 'FAILURE', code: 'PRICE_CHANGED' })
    expect(await listed(ada, draft.id)).toMatchObject({ isValid: true })
  })
})

describe.each([
  [listDrafts, {}, 200],
  [saveDraft, { fsaID: 'no-such-contract', name: 'Draft', products: [LINE] }, 404],
  [deleteDraft, { id: NO_ID }, 404],
  [quoteDraft, { id: NO_ID }, 404],
  [quoteDraftAsPdf, { id: NO_ID }, 404],
] as const)('the operation $name', (operation, more, found) => {
  test('answers 400, 401, 403 and 404', async () => {
    const nobody = await portal.as(null)
    const ella = await portal.as('ella.export@restricted.example')
    expect((await ada(operation, { body: { customerNumber, ...more } })).status).toBe(found)
    expect((await ada(operation, { body: { customerNumber, ...more, bogus: 1 } })).status).toBe(400)
    expect((await nobody(operation, { body: { customerNumber, ...more } })).status).toBe(401)
    expect((await ella(operation, { body: { customerNumber: '100004', ...more } })).status).toBe(403)
    expect((await ella(operation, { body: { customerNumber, ...more } })).status).toBe(404)
  })
})
