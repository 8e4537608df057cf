import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readContract } from '#contract/fsa/contracts.ts'
import { orderEntitlements, toWireOrderLine, type WireOrderLine } from '#contract/fsa/order-entitlements.ts'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import * as lines from '#domain/fsa/order-line.ts'
import { add, toFixedText } from '#domain/money/decimal.ts'
import { ADA, type Call } from '#server/testing/activations.ts'
import { loadBalance, loadContract, openContract } from '#server/testing/fsa.ts'
import { isFullRun } from '#server/testing/full-run.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const customerNumber = '100001'
const ATTEMPTS = 100

let portal: Portal
let ada: Call
let today: string
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
  today = dayIn('Europe/Berlin', portal.clock.now())
})
afterAll(() => portal.close())

const order = (fsaID: string, products: readonly WireOrderLine[], headers = {}) =>
  ada(orderEntitlements, { body: { ansyshasfsa: true, customerNumber, fsaID, products }, headers })

/** A week of Geometry Modeler for 122.50 USD: eight of them fit into 1,000 USD. */
const week = (start: number): WireOrderLine => ({
  ansysbpn: 'ANS0010250',
  ansysquantity: 1,
  startdate: addDays(today, start),
  enddate: addDays(today, start + 6),
  ansysprice: '122.50',
  ansyscurrency: 'USD',
})

test('100 simultaneous orders for the last 1,000 USD never overdraw, and each gets a definite answer', async () => {
  const fsaID = await openContract(portal, { price: '1000.00' })
  const attempts = Array.from({ length: ATTEMPTS }, (_, at) =>
    order(fsaID, [week(at)], { 'idempotency-key': `last-balance-${at}` }),
  )
  const outcomes = (await Promise.all(attempts)).map(({ status, body }) => `${status} ${body.code ?? body.status}`)
  const counts = Object.fromEntries([...Map.groupBy(outcomes, (one) => one)].map(([one, all]) => [one, all.length]))
  expect(counts).toEqual({ '200 SUCCESS': 8, '200 INSUFFICIENT_BALANCE': ATTEMPTS - 8 })
  expect(await loadBalance(portal, fsaID)).toEqual({ price: '1000.00', ordered: '980.00', available: '20.00' })
})

test('simultaneous orders of several lines are decided line by line', async () => {
  const fsaID = await openContract(portal, { price: '1000.00' })
  const attempts = Array.from({ length: 20 }, (_, at) =>
    order(fsaID, [week(3 * at), week(3 * at + 1), week(3 * at + 2)]),
  )
  const answers = await Promise.all(attempts)
  const done = answers
    .flatMap(({ body }) => body.data as { status: string }[])
    .filter((one) => one.status === 'SUCCESS')
  expect(done).toHaveLength(8)
  expect(await loadBalance(portal, fsaID)).toMatchObject({ ordered: '980.00', available: '20.00' })
})

test('after any sequence of orders, prices and balance add up to the price of the contract', async () => {
  const anyLine = fc.record({
    product: fc.nat(30),
    start: fc.integer({ min: -1, max: 120 }),
    option: fc.nat(6),
    count: fc.integer({ min: 0, max: 4 }),
  })
  const anyOrders = fc.array(fc.array(anyLine, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 4_000_000 }), anyOrders, async (cents, orders) => {
      const price = toFixedText(`${cents}e-2`, 2)
      const fsaID = await openContract(portal, { price, endDate: addDays(today, 200) })
      const contract = readContract(await loadContract(ada, fsaID))
      for (const chosen of orders) {
        const products = chosen.map(({ product, start, option, count }) => {
          const { partNumber } = contract.products[product % contract.products.length]!
          const blank = lines.changeProduct(lines.blankLine(contract), partNumber, contract, today)
          const started = lines.changeStartDate(blank, addDays(today, start), contract)
          const options = lines.optionsOf(started, contract)
          const duration = options[option % options.length]!.duration
          return toWireOrderLine(lines.changeCount(lines.changeDuration(started, duration, contract), count))
        })
        const answer = await order(fsaID, products)
        expect(answer.status).toBe(200)
        const kept = await loadBalance(portal, fsaID)
        expect(toFixedText(add(kept.ordered, kept.available), 2)).toBe(price)
        expect(Number(kept.available)).toBeGreaterThanOrEqual(0)
        if (answer.body.status === 'SUCCESS') expect(answer.body.available).toBe(kept.available)
      }
    }),
    { numRuns: isFullRun ? 200 : 15 },
  )
})
