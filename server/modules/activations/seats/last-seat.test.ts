import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFulfillments, returnFulfillments } from '#contract/activations/seats/change-seats.ts'
import { ADA, type Call, NEW_HOST, seatsIn, sellLicense } from '#server/testing/activations.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const customerNumber = '100001'
const ATTEMPTS = 200

let portal: Portal
let ada: Call
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
})
afterAll(() => portal.close())

test('of 200 simultaneous attempts on the last seat, one succeeds and 199 get SEAT_GONE', async () => {
  const id = await sellLicense(portal, { line_item_quantity: 5 })
  await ada(createFulfillments, { body: { customerNumber, ...NEW_HOST, activations: [{ id, count: 4 }] } })
  const attempts = Array.from({ length: ATTEMPTS }, (_, at) => {
    const serverId = (at % 20).toString(16).padStart(12, 'f')
    const body = { customerNumber, ...NEW_HOST, serverId, activations: [{ id, count: 1 }] }
    return ada(createFulfillments, { body, headers: { 'idempotency-key': `last seat ${at}`.replaceAll(' ', '-') } })
  })
  const outcomes = (await Promise.all(attempts)).map(({ status, body }) => `${status} ${body.code ?? body.status}`)
  const counts = Object.fromEntries([...Map.groupBy(outcomes, (one) => one)].map(([one, all]) => [one, all.length]))
  expect(counts).toEqual({ '200 SUCCESS': 1, '200 SEAT_GONE': ATTEMPTS - 1 })
  expect(await seatsIn(portal, id)).toEqual({ ledger: 5, kept: 5 })
})

test('the same seats are returned once, however many people try', async () => {
  const id = await sellLicense(portal)
  const body = { customerNumber, ...NEW_HOST, activations: [{ id, count: 3 }] }
  const [line] = (await ada(createFulfillments, { body })).body.data as { FulfillmentID: string }[]
  const activations = [{ id: line!.FulfillmentID, count: -3 }]
  const attempts = Array.from({ length: 20 }, () => ada(returnFulfillments, { body: { customerNumber, activations } }))
  const answers = await Promise.all(attempts)
  expect(answers.filter(({ body: { status } }) => status === 'SUCCESS')).toHaveLength(1)
  expect(answers.filter(({ body: { code } }) => code === 'NOT_HELD')).toHaveLength(19)
  expect(await seatsIn(portal, id)).toEqual({ ledger: 0, kept: 0 })
})
