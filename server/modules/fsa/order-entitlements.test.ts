import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allEntitlements } from '#contract/activations/seats/activations.ts'
import { createFulfillments } from '#contract/activations/seats/change-seats.ts'
import { activeEntitlementList } from '#contract/entitlements/entitlement-list.ts'
import { countFulfillments } from '#contract/entitlements/fulfillments.ts'
import { readContract } from '#contract/fsa/contracts.ts'
import { orderEntitlements, toWireOrderLine, type WireOrderLine } from '#contract/fsa/order-entitlements.ts'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { decideOrder } from '#domain/fsa/check-order.ts'
import * as lines from '#domain/fsa/order-line.ts'
import { insertEntitlements } from '#server/modules/entitlements/entitlements.public.ts'
import { ADA, type Call, GRETA, NEW_HOST, OLIVIA, VIC } from '#server/testing/activations.ts'
import { loadBalance, loadContract, openContract } from '#server/testing/fsa.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const customerNumber = '100001'
const PRO = 'ANS0010110'
const EXPORT_DENIED_ADMIN = 'ella.export@restricted.example'

type Line = {
  status: string
  code?: string
  err?: string
  ansysprice: string
  ActivationId?: string
  EntitlementID?: string
}

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

/** 30 days of Structural Mechanics Pro for 1,900 USD. */
const month = (change: Partial<WireOrderLine> = {}): WireOrderLine => ({
  ansysbpn: PRO,
  ansysquantity: 1,
  startdate: today,
  enddate: addDays(today, 29),
  ansysprice: '1900.00',
  ansyscurrency: 'USD',
  ...change,
})
const order = (call: Call, fsaID: string, products: WireOrderLine[], more: object = {}) =>
  call(orderEntitlements, { body: { ansyshasfsa: true, customerNumber, fsaID, products }, ...more })
const linesOf = (answer: { body: Record<string, unknown> }) => answer.body.data as Line[]

describe('an order', () => {
  test('becomes entitlements, line by line, and draws on the balance', async () => {
    const fsaID = await openContract(portal)
    const answer = await order(ada, fsaID, [month(), month({ ansysquantity: 3, ansysprice: 5700 })])
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ status: 'SUCCESS', available: '92400.00' })
    const [first, second] = linesOf(answer)
    expect(first).toEqual({
      ansysbpn: PRO,
      startdate: today,
      enddate: addDays(today, 29),
      ansysquantity: 1,
      ansysprice: '1900.00',
      status: 'SUCCESS',
      EntitlementID: expect.stringMatching(/^ENT-100001-[0-9A-F]{8}$/),
      ActivationId: expect.any(String),
    })
    expect(second).toMatchObject({ status: 'SUCCESS', ansysquantity: 3, ansysprice: '5700.00' })
    expect(await loadBalance(portal, fsaID)).toEqual({ price: '100000.00', ordered: '7600.00', available: '92400.00' })
    const row = await portal.db
      .selectFrom('entitlement')
      .selectAll()
      .where('activation_id', '=', second?.ActivationId ?? '')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      customer_number: customerNumber,
      product_name: 'Structural Mechanics Pro',
      line_item_quantity: 3,
      price: '5700.00',
      currency: 'USD',
      subtype: 'FSA',
      type: 'Lease',
      kind: 'SSL',
      fsa_id: fsaID,
      po_number: 'PO-1',
      order_id: 'SO-1',
      requester_email: ADA,
      is_manual: false,
      ordered_at: portal.clock.now(),
    })
  })

  test('can be activated at once, and its seats show in Total Activated', async () => {
    const fsaID = await openContract(portal)
    const [line] = linesOf(await order(ada, fsaID, [month({ ansysquantity: 5, ansysprice: '9500.00' })]))
    const id = line?.ActivationId ?? ''
    const available = (await ada(allEntitlements, { body: { customerNumber } })).body.data as { ActivationId: string }[]
    expect(available.map(({ ActivationId }) => ActivationId)).toContain(id)
    const activated = await ada(createFulfillments, {
      body: { customerNumber, ...NEW_HOST, activations: [{ id, count: 2 }] },
    })
    expect(activated.body.status).toBe('SUCCESS')
    const counts = await ada(countFulfillments, { body: { customerNumber, activationId: [id] } })
    expect(counts.body.data).toEqual({ [id]: 2 })
    const filter = { condition: 'ALL', criteria: [{ name: 'ActivationId', method: 'EQUALS', value: id }] }
    const listed = await ada(activeEntitlementList.page, { body: { customerNumber, filter } })
    expect(listed.body.data).toMatchObject([{ LicenseModel: 'FSA', LineItemQuantity: 5 }])
  })

  test('is emailed to business operations and audited', async () => {
    const fsaID = await openContract(portal, { emails: ['busops@vendor.example', 'orders@vendor.example'] })
    await order(ada, fsaID, [month({ ansysquantity: 2, ansysprice: '3800.00' }), month({ ansysprice: '1.00' })])
    const { rows } = await sql<{ mail: { to: string[]; subject: string; text: string } }>`
      select payload -> 'mail' as mail from outbox_message where payload::text like ${`%${fsaID}%`}`.execute(portal.db)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.mail).toMatchObject({
      to: ['busops@vendor.example', 'orders@vendor.example'],
      subject: expect.stringContaining('FSA order from Aerodyne Motors'),
    })
    expect(rows[0]?.mail.text).toContain('3,800.00 USD')
    expect(rows[0]?.mail.text).toContain('96,200.00 USD')
    const audited = await portal.db
      .selectFrom('audit_log')
      .select(['email', 'customer_number', 'before', 'after', 'outcome'])
      .where('target', '=', fsaID)
      .execute()
    expect(audited).toEqual([
      {
        email: ADA,
        customer_number: customerNumber,
        outcome: 'done',
        before: { available: '100000.00' },
        after: {
          available: '96200.00',
          lines: [expect.objectContaining({ partNumber: PRO, count: 2, cost: '3800.00', isManual: false })],
        },
      },
    ])
  })

  test('is not booked twice under one idempotency key', async () => {
    const fsaID = await openContract(portal)
    const headers = { 'idempotency-key': 'order-once' }
    const answers = await Promise.all(Array.from({ length: 5 }, () => order(ada, fsaID, [month()], { headers })))
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body)
    expect((await loadBalance(portal, fsaID)).ordered).toBe('1900.00')
    const changed = await order(ada, fsaID, [month({ ansysquantity: 2, ansysprice: '3800.00' })], { headers })
    expect(changed.status).toBe(409)
  })

  test('that is refused is refused again under the same key', async () => {
    const fsaID = await openContract(portal, { price: '100.00' })
    const headers = { 'idempotency-key': 'refused-once' }
    const [first, second] = [
      await order(ada, fsaID, [month()], { headers }),
      await order(ada, fsaID, [month()], { headers }),
    ]
    expect(first.body).toMatchObject({ status: 'FAILURE', code: 'INSUFFICIENT_BALANCE' })
    expect(second.body).toEqual(first.body)
  })
})

describe('the server trusts no number of the browser', () => {
  test.each<[string, Partial<WireOrderLine>, string, string]>([
    [
      'a lower price',
      { ansysprice: '1.00' },
      'PRICE_CHANGED',
      'The price has changed. This line now costs 1,900.00 USD.',
    ],
    [
      'a higher price',
      { ansysprice: 1900.01 },
      'PRICE_CHANGED',
      'The price has changed. This line now costs 1,900.00 USD.',
    ],
    [
      'a negative price',
      { ansysprice: '-1900.00' },
      'INVALID_ORDER_LINE',
      'Cost must be an amount of zero or more, with two decimals at most.',
    ],
    ['a price that is none', { ansysprice: 'free' }, 'INVALID_ORDER_LINE', 'Invalid FSA Order'],
    ['no product', { ansysbpn: '' }, 'INVALID_ORDER_LINE', 'Invalid FSA Order'],
    ['a negative count', { ansysquantity: -1 }, 'INVALID_ORDER_LINE', 'Count should be a positive number.'],
    ['another currency', { ansyscurrency: 'EUR' }, 'INVALID_ORDER_LINE', 'This contract is in USD.'],
    [
      'an unknown product',
      { ansysbpn: 'ANS0010220' },
      'PRODUCT_NOT_OFFERED',
      'This contract does not offer this product.',
    ],
    ['a day that does not exist', { startdate: '2027-02-30' }, 'INVALID_ORDER_LINE', 'Start date is invalid.'],
  ])('%s is refused', async (_case, change, code, err) => {
    const fsaID = await openContract(portal)
    const answer = await order(ada, fsaID, [month(change)])
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      status: 'FAILURE',
      code,
      err: 'Some entitlements were not successfully created. Please check for errors and try again.',
      data: [{ status: 'FAILURE', code, err }],
    })
    expect((await loadBalance(portal, fsaID)).ordered).toBe('0.00')
  })

  test('an end that is not the end of a duration is refused', async () => {
    const fsaID = await openContract(portal)
    const [line] = linesOf(await order(ada, fsaID, [month({ enddate: addDays(today, 30) })]))
    expect(line).toMatchObject({ status: 'FAILURE', err: 'End date is invalid.' })
  })

  test('a start before today in the time zone of the account is refused', async () => {
    const fsaID = await openContract(portal)
    const [line] = linesOf(
      await order(ada, fsaID, [month({ startdate: addDays(today, -1), enddate: addDays(today, 28) })]),
    )
    expect(line).toMatchObject({ err: 'Start date is invalid.' })
  })

  test('a line with a price of an older price list is refused', async () => {
    const fsaID = await openContract(portal)
    const price = (amount: string) =>
      portal.db
        .updateTable('fsa_price')
        .set({ price: amount })
        .where('part_number', '=', PRO)
        .where('currency', '=', 'USD')
        .where('days', '=', 30)
        .execute()
    await price('2000.00')
    const [line] = linesOf(await order(ada, fsaID, [month()]))
    await price('1900.00')
    expect(line).toMatchObject({ err: 'The price has changed. This line now costs 2,000.00 USD.' })
  })

  test('fields that the server computes are ignored in the request', async () => {
    const fsaID = await openContract(portal)
    const product = month({
      ansysproduct: 'Something else',
      daemon: 'evil',
      productitemnumber: 'x',
      orderid: 'SO-9',
      ansysponum: 'PO-9',
      ansystype: 'Paid-up',
      ansyscount: 1000,
      ansyspriceusd: '0.01',
      customerName: 'Somebody',
      customerNumber,
    })
    const [line] = linesOf(await order(ada, fsaID, [product]))
    const row = await portal.db
      .selectFrom('entitlement')
      .select(['product_name', 'type', 'units_per_line', 'order_id', 'po_number'])
      .where('activation_id', '=', line?.ActivationId ?? '')
      .executeTakeFirstOrThrow()
    expect(row).toEqual({
      product_name: 'Structural Mechanics Pro',
      type: 'Lease',
      units_per_line: '1.00',
      order_id: 'SO-1',
      po_number: 'PO-1',
    })
  })
})

test('an order that names another currency than its contract is refused as a whole', async () => {
  const fsaID = await openContract(portal)
  const products = [month()]
  const named = (ansyscurrency: string | null) =>
    ada(orderEntitlements, { body: { ansyshasfsa: true, customerNumber, fsaID, ansyscurrency, products } })
  expect(await named('EUR')).toMatchObject({ status: 400, body: { err: 'This contract is in USD.' } })
  expect((await loadBalance(portal, fsaID)).ordered).toBe('0.00')
  expect((await named('USD')).body).toMatchObject({ status: 'SUCCESS' })
  expect((await named(null)).body).toMatchObject({ status: 'SUCCESS' })
})

describe('lines are decided one by one', () => {
  test('valid lines are ordered, the others answer their errors', async () => {
    const fsaID = await openContract(portal, { price: '4000.00' })
    const answer = await order(ada, fsaID, [
      month(),
      month(),
      month({ ansysquantity: 0 }),
      month({ ansysquantity: 2, ansysprice: '3800.00' }),
      month({ startdate: addDays(today, 1), enddate: addDays(today, 30) }),
    ])
    expect(answer.body).toMatchObject({ status: 'SUCCESS', available: '200.00' })
    expect(linesOf(answer).map(({ status, err }) => [status, err])).toEqual([
      ['SUCCESS', undefined],
      ['FAILURE', 'Product with same attributes already exists.'],
      ['FAILURE', 'Count should be a positive number.'],
      ['FAILURE', 'You do not have sufficient balance for the selected product.'],
      ['SUCCESS', undefined],
    ])
    expect(await loadBalance(portal, fsaID)).toMatchObject({ ordered: '3800.00', available: '200.00' })
  })

  test('the browser refuses the same lines with the same texts', async () => {
    const fsaID = await openContract(portal, { price: '60000.00', endDate: addDays(today, 200) })
    const wire = await loadContract(ada, fsaID)
    const contract = readContract(wire)
    const choose = (partNumber: string) => lines.changeProduct(lines.blankLine(contract), partNumber, contract, today)
    const pro = choose(PRO)
    const edited = [
      pro,
      pro,
      lines.changeCount(pro, 0),
      lines.changeCount(pro, 5),
      lines.changeCount(pro, 6),
      lines.changeCount(pro, 99_999_999),
      lines.changeCount(pro, 999_999_999_999),
      lines.changeDuration(pro, 'Remainder', contract),
      lines.changeStartDate(pro, addDays(today, 190), contract),
      { ...pro, cost: '0.01' },
      { ...pro, startDate: addDays(today, -1) },
      { ...pro, endDate: addDays(today, 201) },
      { ...pro, endDate: today },
      { ...pro, endDate: addDays(today, 100) },
      { ...pro, partNumber: 'ANS0010220' },
      { ...pro, currency: 'EUR' },
      lines.blankLine(contract),
      choose('FLU0020140'),
    ]
    const { errors, balanceAfter } = decideOrder(edited, {
      contract,
      today,
      isBusops: false,
      available: wire.available,
    })
    const answer = await order(ada, fsaID, edited.map(toWireOrderLine))
    expect(linesOf(answer).map(({ err }) => err)).toEqual(errors.map((error) => error?.message))
    expect(linesOf(answer).map(({ code }) => code)).toEqual(errors.map((error) => error?.code))
    expect(new Set(errors.map((error) => error?.message)).size).toBe(12)
    expect(answer.body.available).toBe(balanceAfter)
    expect((await loadContract(ada, fsaID)).available).toBe(balanceAfter)
  })
})

describe('business operations', () => {
  const manual = (change: Partial<WireOrderLine> = {}) =>
    month({
      ansysbpn: 'FSA0030216',
      manualentry: true,
      manualProductName: 'Training',
      enddate: addDays(today, 10),
      ansysprice: '123.45',
      ...change,
    })

  test('enter manual lines, which cannot be activated', async () => {
    const fsaID = await openContract(portal)
    const [line] = linesOf(await order(olivia, fsaID, [manual()]))
    expect(line).toMatchObject({ status: 'SUCCESS', ansysprice: '123.45' })
    const row = await portal.db
      .selectFrom('entitlement')
      .select(['part_number', 'product_name', 'is_manual'])
      .where('activation_id', '=', line?.ActivationId ?? '')
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ part_number: 'FSA0030216', product_name: 'Training', is_manual: true })
    const activated = await olivia(createFulfillments, {
      body: { customerNumber, ...NEW_HOST, activations: [{ id: line?.ActivationId, count: 1 }] },
    })
    expect(activated.body).toMatchObject({ status: 'FAILURE', code: 'NOT_ACTIVATABLE' })
  })

  test('book a standard product by hand in a manual line', async () => {
    const fsaID = await openContract(portal)
    const [line] = linesOf(await order(olivia, fsaID, [manual({ ansysbpn: PRO, manualProductName: null })]))
    const row = await portal.db
      .selectFrom('entitlement')
      .select(['part_number', 'product_name', 'is_manual'])
      .where('activation_id', '=', line?.ActivationId ?? '')
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ part_number: 'FSA0030216', product_name: 'Structural Mechanics Pro', is_manual: true })
  })

  test('decide on the end and the cost of a standard line, within the balance', async () => {
    const fsaID = await openContract(portal, { price: '1000.00' })
    const special = month({ enddate: addDays(today, 44), ansysprice: '1000.00' })
    expect(linesOf(await order(olivia, fsaID, [special]))).toMatchObject([{ status: 'SUCCESS' }])
    const again = await order(olivia, fsaID, [month({ ansysprice: '0.01' })])
    expect(linesOf(again)).toMatchObject([{ code: 'INSUFFICIENT_BALANCE' }])
  })

  test('cannot enter a cost that is no multiple of the count', async () => {
    const fsaID = await openContract(portal)
    for (const line of [manual({ ansysquantity: 3, ansysprice: '10.00' }), month({ ansysquantity: 3, ansysprice: 10 })])
      expect(linesOf(await order(olivia, fsaID, [line]))).toMatchObject([
        {
          code: 'INVALID_ORDER_LINE',
          err: 'Cost must be the unit cost times the count. For a count of 3, the nearest cost is 9.99 USD.',
        },
      ])
    expect((await loadBalance(portal, fsaID)).ordered).toBe('0.00')
  })

  test('may adjust a contract without products', async () => {
    const fsaID = await openContract(portal, { currency: 'CHF' })
    const line = manual({ ansyscurrency: 'CHF' })
    expect(linesOf(await order(olivia, fsaID, [line]))).toMatchObject([{ status: 'SUCCESS' }])
    expect((await order(olivia, fsaID, [line, month()])).body).toMatchObject({
      status: 'FAILURE',
      code: 'CONTRACT_WITHOUT_PRODUCTS',
      err: 'Error: Selected FSA Contract has no products defined',
    })
  })

  test('are the only ones: others get 403, nothing is booked, and the refusal is audited', async () => {
    const fsaID = await openContract(portal)
    const answer = await order(ada, fsaID, [month(), manual()])
    expect(answer).toMatchObject({ status: 403, body: { code: 'NOT_ALLOWED' } })
    expect((await loadBalance(portal, fsaID)).ordered).toBe('0.00')
    const last = await portal.db
      .selectFrom('audit_log')
      .select(['email', 'action', 'outcome'])
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(last).toEqual({ email: ADA, action: 'entitlements', outcome: 'refused' })
  })
})

describe('the right to order', () => {
  test('a viewer cannot order', async () => {
    const fsaID = await openContract(portal)
    const answer = await order(await portal.as(VIC), fsaID, [month()])
    expect(answer).toMatchObject({
      status: 403,
      body: { err: 'You do not have enough permissions for such operation.' },
    })
  })

  test('a caller without a session cannot order', async () => {
    expect((await order(await portal.as(null), 'FSA-1', [month()])).status).toBe(401)
  })

  test('an account that the caller does not see is 404', async () => {
    expect((await order(await portal.as(GRETA), 'FSA-1', [month()])).status).toBe(404)
  })

  test('an account under export denial is 403', async () => {
    const fsaID = await openContract(portal, { customerNumber: '100004' })
    const ella = await portal.as(EXPORT_DENIED_ADMIN)
    const body = { ansyshasfsa: true, customerNumber: '100004', fsaID, products: [month()] }
    expect(await ella(orderEntitlements, { body })).toMatchObject({
      status: 403,
      body: { err: 'Access to this customer is denied per Export Compliance restrictions.' },
    })
  })

  test('a contract of another account, or none, is not found', async () => {
    const foreign = await openContract(portal, { customerNumber: '100003' })
    for (const fsaID of [foreign, 'no-such-contract']) expect((await order(ada, fsaID, [month()])).status).toBe(404)
    expect((await loadBalance(portal, foreign)).ordered).toBe('0.00')
  })

  test('an expired contract cannot be ordered from; its last day still can', async () => {
    const expired = await openContract(portal, { endDate: addDays(today, -1) })
    expect((await order(ada, expired, [month()])).body).toMatchObject({ status: 'FAILURE', code: 'CONTRACT_EXPIRED' })
    const lastDay = await openContract(portal, { endDate: today })
    expect(linesOf(await order(ada, lastDay, [month({ enddate: today })]))).toMatchObject([
      { err: 'End Date can not be greater than start date' },
    ])
  })

  test('a contract that has not started can be ordered from', async () => {
    const startDate = addDays(today, 20)
    const fsaID = await openContract(portal, { startDate })
    const line = month({ startdate: startDate, enddate: addDays(startDate, 29) })
    expect(linesOf(await order(ada, fsaID, [line]))).toMatchObject([{ status: 'SUCCESS' }])
    expect(linesOf(await order(ada, fsaID, [month()]))).toMatchObject([{ err: 'Start date is invalid.' }])
  })

  test.each<[string, object]>([
    ['no lines', { products: [] }],
    ['101 lines', { products: Array.from({ length: 101 }, () => ({})) }],
    ['a line of another account', { products: [{ customerNumber: '100003' }] }],
    ['another account id', { accountid: '100003' }],
    ['an order that is not one of a spending account', { ansyshasfsa: false }],
  ])('%s is malformed', async (_case, change) => {
    const fsaID = await openContract(portal)
    const products =
      'products' in change ? (change.products as object[]).map((one) => ({ ...month(), ...one })) : [month()]
    const body = { ansyshasfsa: true, customerNumber, fsaID, ...change, products }
    expect((await ada(orderEntitlements, { body })).status).toBe(400)
  })
})

describe('the database itself', () => {
  test('refuses to overdraw a contract, whatever the code above it does', async () => {
    const fsaID = await openContract(portal, { price: '10.00' })
    const insert = (price: string, currency = 'USD') =>
      portal.db.transaction().execute((tx) =>
        insertEntitlements(tx, [
          {
            customer_number: customerNumber,
            activation_id: randomUUID(),
            entitlement_id: 'E',
            part_number: PRO,
            product_name: 'Solver',
            license_model: 'FSA',
            subtype: 'FSA',
            fsa_id: fsaID,
            currency,
            price,
            line_item_quantity: 1,
            start_date: today,
            end_date: addDays(today, 1),
          },
        ]),
      )
    await insert('10.00')
    await expect(insert('0.01')).rejects.toThrow('ordered_within_price')
    await expect(insert('0.01', 'EUR')).rejects.toThrow('has no FSA contract')
    await expect(sql`update fsa_contract set ordered = 0 where fsa_id = ${fsaID}`.execute(portal.db)).rejects.toThrow(
      'follows its entitlements',
    )
  })

  test('gives back what a canceled order cost', async () => {
    const fsaID = await openContract(portal)
    const [line] = linesOf(await order(ada, fsaID, [month()]))
    await portal.db
      .updateTable('entitlement')
      .set({ state: 'Obsolete' })
      .where('activation_id', '=', line?.ActivationId ?? '')
      .execute()
    expect((await loadBalance(portal, fsaID)).available).toBe('100000.00')
  })
})
