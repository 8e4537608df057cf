import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { downloadLicense } from '#contract/activations/license-files/license-files.ts'
import { getPlan } from '#contract/activations/plans/host-plans.ts'
import type { HostPlan } from '#contract/activations/plans/plan-fields.ts'
import { deactivateServer, rehostServer } from '#contract/activations/plans/start-plans.ts'
import { createFulfillments } from '#contract/activations/seats/change-seats.ts'
import { EXPORT_DENIED } from '#domain/access/can.ts'
import { GOES_ON } from '#domain/activations/plans/host-plan.ts'
import { listPlansToCarryOut } from '#server/modules/activations/plans/host-plans.queries.ts'
import { sellLicense } from '#server/testing/activations.ts'
import { activate, carryOut, newHost, planOf, seatsOn, stateIn } from '#server/testing/host-plans.ts'
import { FIRST, planPortal, SECOND } from '#server/testing/plan-portal.ts'
import type { Answer } from '#server/testing/portal.ts'

const at = planPortal()
const { about, ada, activeHost, sharedHost } = at

describe('a rehost that is stopped by a rule', () => {
  const deny = (customerNumber: string, export_control_status: string) =>
    at.portal.db
      .updateTable('account')
      .set({ export_control_status })
      .where('customer_number', '=', customerNumber)
      .execute()
  /** Carries out a plan until its seats are returned, and the rest while export compliance denies a customer. */
  async function deniedAfterReturn(customerNumber: string, plan: Answer, denied: string, returns: number) {
    let steps = 0
    const stopped = carryOut(at.portal, customerNumber, plan, (place) => {
      if (place === 'before' && steps++ === returns) throw new Error('stopped')
    })
    await expect(stopped).rejects.toThrow('stopped')
    await deny(denied, 'Denied')
    await carryOut(at.portal, customerNumber, plan)
    await deny(denied, '')
    const { body } = await ada(getPlan, { body: { customerNumber, id: planOf(plan).id } })
    return body.data as HostPlan
  }

  test('has changed nothing if it is stopped before its first step', async () => {
    const [host, target] = [newHost(), newHost('lic-target')]
    const id = await sellLicense(at.portal, { customer_number: SECOND })
    await activate(ada, SECOND, host, { [id]: 4 })
    const plan = await ada(rehostServer, { body: { ...about(host, SECOND), target } })
    const { state, failure, done } = await deniedAfterReturn(SECOND, plan, SECOND, 0)
    expect({ state, failure, done }).toEqual({
      state: 'failed',
      failure: { code: 'EXPORT_DENIED', err: EXPORT_DENIED },
      done: 0,
    })
    expect(await seatsOn(ada, SECOND, host)).toEqual({ [id]: 4 })
    // The hosts and the seats are free again.
    await activate(ada, SECOND, host, { [id]: 6 })
  })

  test('keeps the seats that it has returned, and goes on once the cause is gone', async () => {
    const [host, target] = [newHost(), newHost('lic-target')]
    const id = await sellLicense(at.portal, { customer_number: SECOND })
    await activate(ada, SECOND, host, { [id]: 4 })
    const plan = await ada(rehostServer, { body: { ...about(host, SECOND), target } })
    const stopped = await deniedAfterReturn(SECOND, plan, SECOND, 1)
    expect(stopped).toMatchObject({ state: 'failed', failure: { code: 'EXPORT_DENIED' } })
    expect(stopped.failure?.err).toBe(`${EXPORT_DENIED} ${GOES_ON}`)
    const thief = { customerNumber: SECOND, ...newHost(), activations: [{ id, count: 7 }] }
    expect((await ada(createFulfillments, { body: thief })).body.code).toBe('SEAT_GONE')
    expect(await listPlansToCarryOut(at.portal.db)).toContainEqual({ customerNumber: SECOND, id: stopped.id })
    await carryOut(at.portal, SECOND, plan)
    expect(await seatsOn(ada, SECOND, target)).toEqual({ [id]: 4 })
    const { body } = await ada(getPlan, { body: { customerNumber: SECOND, id: stopped.id } })
    expect(body.data).toMatchObject({ state: 'done', failure: null })
    expect(await listPlansToCarryOut(at.portal.db)).not.toContainEqual({ customerNumber: SECOND, id: stopped.id })
  })

  test('goes on for the other customers that share the host', async () => {
    const { host, id, other } = await sharedHost()
    const target = newHost('lic-target')
    const plan = await ada(rehostServer, { body: { ...about(host), target } })
    const stopped = await deniedAfterReturn(FIRST, plan, SECOND, 2)
    expect(stopped).toMatchObject({ state: 'failed', failure: { code: 'EXPORT_DENIED' } })
    expect(await seatsOn(ada, FIRST, target)).toEqual({ [id]: 3 })
    expect(await seatsOn(ada, SECOND, target)).toEqual({})
    const file = await ada(downloadLicense, { body: { customerNumber: FIRST, ...target } })
    expect(file.body.licenseText).toContain(id)
    // The host of the first customer is free; that of the denied one is still claimed.
    await activate(ada, FIRST, target, { [id]: 1 })
    const waiting = { customerNumber: SECOND, ...target, activations: [{ id: other, count: 1 }] }
    expect((await ada(createFulfillments, { body: waiting })).body.code).toBe('HOST_BUSY')
    await carryOut(at.portal, FIRST, plan)
    expect(await seatsOn(ada, SECOND, target)).toEqual({ [other]: 2 })
  })

  test('a product that the catalog does not know is refused before anything is returned', async () => {
    const { host, id } = await activeHost()
    await at.portal.db.updateTable('entitlement').set({ part_number: 'gone' }).where('activation_id', '=', id).execute()
    const answer = await ada(rehostServer, { body: { ...about(host), target: newHost() } })
    expect(answer.body.code).toBe('NOT_IN_CATALOG')
    expect(await seatsOn(ada, FIRST, host)).toEqual({ [id]: 3 })
  })

  test('has moved all seats and lets go of its hosts if only a license file is missing', async () => {
    const { host, id } = await activeHost()
    const target = newHost('lic-target')
    const plan = await ada(rehostServer, { body: { ...about(host), target } })
    await at.portal.db.updateTable('entitlement').set({ part_number: 'gone' }).where('activation_id', '=', id).execute()
    await carryOut(at.portal, FIRST, plan)
    const { body } = await ada(getPlan, { body: { customerNumber: FIRST, id: planOf(plan).id } })
    expect(body.data).toMatchObject({ state: 'failed', failure: { code: 'NOT_IN_CATALOG' } })
    expect(await stateIn(ada, FIRST, target)).toMatchObject({ state: 'Active', isOutOfDate: true })
    await activate(ada, FIRST, target, { [id]: 1 })
  })
})

describe('a plan with a step of unknown kind', () => {
  const replaceStep = (plan: Answer, position: number) =>
    sql`update host_plan_step set step = step || '{"kind": "unheard of"}'
         where plan_id = ${planOf(plan).id} and position = ${position}`.execute(at.portal.db)

  test('fails with an error for the log, lets go of its host, and is not resumed', async () => {
    const { host, id } = await activeHost()
    const plan = await ada(deactivateServer, { body: about(host) })
    await replaceStep(plan, 1)
    await expect(carryOut(at.portal, FIRST, plan)).rejects.toThrow('unheard of')
    expect(await seatsOn(ada, FIRST, host)).toEqual({ [id]: 3 })
    const { body } = await ada(getPlan, { body: { customerNumber: FIRST, id: planOf(plan).id } })
    const failure = { code: 'INTERNAL_ERROR', err: expect.stringContaining('"unheard of"') }
    expect(body.data).toMatchObject({ state: 'failed', done: 0, failure })
    expect(await listPlansToCarryOut(at.portal.db)).toEqual([])
    await carryOut(at.portal, FIRST, plan)
    await activate(ada, FIRST, host, { [id]: 1 })
  })

  test('fails after steps that are done, and sets the returned seats free', async () => {
    const { host, id } = await activeHost()
    const plan = await ada(rehostServer, { body: { ...about(host), target: newHost('lic-target') } })
    await replaceStep(plan, 2)
    await expect(carryOut(at.portal, FIRST, plan)).rejects.toThrow('unheard of')
    const { body } = await ada(getPlan, { body: { customerNumber: FIRST, id: planOf(plan).id } })
    expect(body.data).toMatchObject({ state: 'failed', done: 1, failure: { code: 'INTERNAL_ERROR' } })
    expect(await listPlansToCarryOut(at.portal.db)).toEqual([])
    await activate(ada, FIRST, host, { [id]: 3 })
  })
})
