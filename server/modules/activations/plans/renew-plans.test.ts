import { describe, expect, test } from 'vitest'
import { removeSharedServer } from '#contract/activations/hosts/shared-server.ts'
import { generateLicense } from '#contract/activations/license-files/license-files.ts'
import { getPlan, listPlans, previewPlan } from '#contract/activations/plans/host-plans.ts'
import type { HostPlan, PlanPreview } from '#contract/activations/plans/plan-fields.ts'
import { deactivateServer, rehostServer, renewEntitlements } from '#contract/activations/plans/start-plans.ts'
import { createFulfillments } from '#contract/activations/seats/change-seats.ts'
import { EXPORT_DENIED, NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { ADA, GRETA, sellLicense, VIC } from '#server/testing/activations.ts'
import { activate, carryOut, newHost, planOf, seatsOn, stateIn } from '#server/testing/host-plans.ts'
import { DENIED, FIRST, planPortal, SECOND } from '#server/testing/plan-portal.ts'

const at = planPortal()
const { ada, olivia, today, about, activeHost } = at

describe('a renewal', () => {
  let product = 0
  /** A new product, so that renewals of other tests do not match. */
  async function situation(seats = 3, renewed: { quantity?: number; start?: string } = {}) {
    const host = newHost()
    const names = ['Fluid Meshing', 'Electronics Cooling', 'Optical Ray Studio']
    const product_name = names[product++ % names.length]!
    const ending = await sellLicense(at.portal, { product_name, end_date: addDays(today(), 30) })
    await activate(ada, FIRST, host, { [ending]: seats })
    const renewal = await sellLicense(at.portal, {
      product_name,
      start_date: renewed.start ?? addDays(today(), -1),
      end_date: addDays(today(), 400),
      line_item_quantity: renewed.quantity ?? 10,
    })
    return { host, ending, renewal }
  }
  const onlyThis = async (host: HostIdentity, ending: string) => {
    // Other renewals of the demo account may match as well: only the row of this host is checked.
    const { body } = await ada(previewPlan, { body: { ...about(host), action: 'RENEW' } })
    const preview = body.data as PlanPreview
    return { preview, rows: preview.changes.filter((one) => one.activationid === ending || one.replaces === ending) }
  }

  test('replaces what ends within 90 days on one host, with a new license file', async () => {
    const { host, ending } = await situation()
    await ada(generateLicense, { body: { customerNumber: FIRST, ...host } })
    const { preview, rows } = await onlyThis(host, ending)
    expect(rows.map(({ kind, count }) => [kind, count])).toEqual([
      ['deactivate', 3],
      ['activate', 3],
    ])
    expect(preview.files).toHaveLength(1)
    expect(preview.files[0]?.difference.summary.added).toBeGreaterThan(0)
    expect(preview.files[0]?.difference.summary.removed).toBeGreaterThan(0)
    await carryOut(at.portal, FIRST, await ada(renewEntitlements, { body: { ...about(host), basis: preview.basis } }))
    const seats = await seatsOn(ada, FIRST, host)
    expect(seats[ending]).toBeUndefined()
    expect(Object.values(seats).reduce((sum, one) => sum + one, 0)).toBe(3)
    expect(await stateIn(ada, FIRST, host)).toMatchObject({ state: 'Active', isOutOfDate: false })
    expect((await ada(renewEntitlements, { body: about(host) })).body.code).toBe('NOTHING_TO_DO')
  })

  test('leaves an unticked row as it is', async () => {
    const { host, ending } = await situation()
    const kept = [{ customerNumber: FIRST, id: ending, hostId: host.serverId }]
    expect((await ada(renewEntitlements, { body: { ...about(host), kept } })).body.code).toBe('NOTHING_TO_DO')
    expect((await seatsOn(ada, FIRST, host))[ending]).toBe(3)
  })

  test('reserves the seats of the renewal from the start', async () => {
    const { host, ending } = await situation()
    const { rows } = await onlyThis(host, ending)
    const taken = rows.find(({ kind }) => kind === 'activate')!
    const plan = await ada(renewEntitlements, { body: about(host) })
    const { line_item_quantity: quantity, activated_count: activated } = await at.portal.db
      .selectFrom('entitlement')
      .select(['line_item_quantity', 'activated_count'])
      .where('activation_id', '=', taken.activationid)
      .executeTakeFirstOrThrow()
    const rest = quantity - activated - taken.count
    const grab = (count: number) => ({
      customerNumber: FIRST,
      ...newHost(),
      activations: [{ id: taken.activationid, count }],
    })
    expect((await ada(createFulfillments, { body: grab(rest + 1) })).body.code).toBe('SEAT_GONE')
    if (rest > 0) expect((await ada(createFulfillments, { body: grab(rest) })).body.status).toBe('SUCCESS')
    await carryOut(at.portal, FIRST, plan)
    expect((await seatsOn(ada, FIRST, host))[taken.activationid]).toBe(taken.count)
  })

  test('the preview says how many seats have no renewal', async () => {
    const { host, ending } = await situation(5, { quantity: 2 })
    const { preview } = await onlyThis(host, ending)
    const own = preview.endings.filter(({ activationid }) => activationid === ending)
    expect(own).toMatchObject([{ count: 5, enddate: addDays(today(), 30), server: { serverId: host.serverId } }])
    expect(own[0]?.unrenewed).toBeLessThanOrEqual(3)
  })

  test('a plan says how many seats and files it is about, and how many of them are done', async () => {
    const { host } = await situation()
    const plan = await ada(renewEntitlements, { body: about(host) })
    const amounts = (done: number) => ({
      returned: { done: 3 * done, total: 3 },
      activated: { done: 3 * done, total: 3 },
      files: { done, total: 1 },
    })
    expect(planOf(plan).amounts).toEqual(amounts(0))
    await carryOut(at.portal, FIRST, plan)
    const { body } = await ada(getPlan, { body: { customerNumber: FIRST, id: planOf(plan).id } })
    expect(body.data).toMatchObject({ state: 'done', amounts: amounts(1) })
  })

  test('renews all hosts in one plan', async () => {
    const [one, other] = [await situation(), await situation()]
    const { body } = await ada(previewPlan, { body: { customerNumber: FIRST, action: 'RENEW' } })
    const preview = body.data as PlanPreview
    expect(preview.source).toBeNull()
    const renewed = new Set(preview.changes.map(({ server }) => server.serverId))
    for (const { host } of [one, other]) expect(renewed).toContain(host.serverId)
    expect(preview.files.map(({ server }) => server.serverId).sort()).toEqual([...renewed].sort())
    const answer = await ada(renewEntitlements, { body: { customerNumber: FIRST, basis: preview.basis } })
    expect(planOf(answer).text).toBe('Creating fulfillments...')
    await carryOut(at.portal, FIRST, answer)
    for (const { host, ending } of [one, other]) expect((await seatsOn(ada, FIRST, host))[ending]).toBeUndefined()
    expect((await ada(previewPlan, { body: { customerNumber: FIRST, action: 'RENEW' } })).body.data).toMatchObject({
      changes: [],
    })
    const listed = (await ada(listPlans, { body: { customerNumber: FIRST } })).body.data as HostPlan[]
    expect(listed.find(({ id }) => id === planOf(answer).id)).toMatchObject({ action: 'RENEW', state: 'done' })
  })
})

describe('access to plans', () => {
  const starts = [rehostServer, deactivateServer, renewEntitlements, removeSharedServer]
  test.each(starts)('only writers of the account can call $name', async (operation) => {
    const { host } = await activeHost()
    const body = { ...about(host), ...(operation === rehostServer ? { target: newHost() } : {}) }
    const vic = await at.portal.as(VIC)
    const nobody = await at.portal.as(null)
    expect((await nobody(operation, { body })).status).toBe(401)
    const viewOnly = await vic(operation, { body })
    expect([viewOnly.status, viewOnly.body.err]).toEqual([403, NOT_ENOUGH_PERMISSIONS])
    expect((await (await at.portal.as(GRETA))(operation, { body })).status).toBe(404)
    const denied = await olivia(operation, { body: { ...body, customerNumber: DENIED } })
    expect([denied.status, denied.body.err]).toEqual([403, EXPORT_DENIED])
    expect((await ada(operation, { body: { ...body, hostId: 'zz' } })).status).toBe(400)
    expect((await ada(operation, { body: { ...body, hostId: newHost().serverId } })).status).toBe(404)
    expect(await stateIn(ada, FIRST, host)).toMatchObject({ state: 'Active' })
  })

  test('reading a plan needs the right to read the activations of its account', async () => {
    const { host } = await activeHost()
    const plan = await ada(deactivateServer, { body: about(host) })
    const body = { customerNumber: FIRST, id: planOf(plan).id }
    expect((await (await at.portal.as(VIC))(getPlan, { body })).body.data).toMatchObject({ requestedBy: ADA })
    expect((await ada(getPlan, { body: { ...body, customerNumber: SECOND } })).status).toBe(404)
    expect((await (await at.portal.as(GRETA))(getPlan, { body })).status).toBe(404)
    await carryOut(at.portal, FIRST, plan)
  })
})
