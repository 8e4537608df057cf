import { afterAll, beforeAll, expect, test } from 'vitest'
import { allEntitlements, serverEntitlements } from '#contract/activations/seats/activations.ts'
import { canBeActivated } from '#domain/activations/seats/activation-lists.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { MAIN_HOST } from '#server/demo/fulfillments-hosts.ts'
import { OLIVIA, rowsOf } from '#server/testing/activations.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

test.each([
  ['100001', 'Europe/Berlin'],
  ['100006', 'Asia/Tokyo'],
  ['100008', 'UTC'],
])('offers for %s exactly what the rule of the domain allows', async (customerNumber, timeZone) => {
  const rows = await portal.db
    .selectFrom('entitlement')
    .selectAll()
    .where('customer_number', '=', customerNumber)
    .where('is_manual', '=', false)
    .execute()
  const today = dayIn(timeZone, portal.clock.now())
  const allowed = rows.filter((one) =>
    canBeActivated(
      {
        state: one.state,
        kind: one.kind,
        licenseModel: one.license_model,
        productName: one.product_name,
        term: { startDate: one.start_date, endDate: one.end_date },
        quantity: one.line_item_quantity,
        activated: one.activated_count,
      },
      today,
    ),
  )
  const olivia = await portal.as(OLIVIA)
  const offered = rowsOf(await olivia(allEntitlements, { body: { customerNumber } }))
  expect(offered.map(({ ActivationId }) => ActivationId).sort()).toEqual(
    allowed.map(({ activation_id }) => activation_id).sort(),
  )
})

test('answers what is on a host, what was on it, and what can be activated', async () => {
  const olivia = await portal.as(OLIVIA)
  const ask = async (more: object) =>
    rowsOf(await olivia(serverEntitlements, { body: { customerNumber: '100001', serverId: MAIN_HOST.id, ...more } }))
  const active = await ask({ activeOnly: true })
  expect(active.length).toBeGreaterThan(3)
  for (const { AnsysFulfillments } of active)
    expect(AnsysFulfillments.every(({ FulfillCount }) => FulfillCount > 0)).toBe(true)
  const sums = await ask({ activeOnly: true, sumOnly: true })
  expect(sums).toEqual(active.map((row) => ({ ...row, AnsysFulfillments: [] })))
  const everything = await ask({})
  expect(everything.length).toBeGreaterThan(active.length)
  const ids = everything.map(({ ActivationId }) => ActivationId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(await ask({ serverId: '0123456789ab', activeOnly: true })).toEqual([])
  expect((await olivia(serverEntitlements, { body: { customerNumber: '100001', serverId: 'xyz' } })).status).toBe(400)
})
