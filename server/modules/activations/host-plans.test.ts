import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFulfillments, returnFulfillments } from '#contract/activations/change-seats.ts'
import { hostHistoryList } from '#contract/activations/history.ts'
import { getPlan, listPlans, previewPlan } from '#contract/activations/host-plans.ts'
import { downloadLicense, generateLicense, listLicenseFiles } from '#contract/activations/license-files.ts'
import type { HostPlan, PlanPreview } from '#contract/activations/plan-fields.ts'
import {
  deactivateSharedServer,
  removeSharedServer,
  serverCustomers,
  setSharedServer,
} from '#contract/activations/shared-server.ts'
import { deactivateServer, forceReturn, rehostServer, renewEntitlements } from '#contract/activations/start-plans.ts'
import { EXPORT_DENIED, NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { MAINTENANCE_EXPIRED } from '#domain/activations/expired-maintenance.ts'
import type { HostIdentity } from '#domain/activations/host.ts'
import { GOES_ON } from '#domain/activations/host-plan.ts'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { listPlansToCarryOut } from '#server/modules/activations/host-plans.queries.ts'
import { ADA, type Call, GRETA, hostOf, OLIVIA, seatsIn, sellLicense, VIC } from '#server/testing/activations.ts'
import {
  activate,
  brokenRules,
  carryOut,
  newHost,
  newTriad,
  planOf,
  seatsOn,
  startPlanPortal,
  stateIn,
} from '#server/testing/host-plans.ts'
import type { Answer, Portal } from '#server/testing/portal.ts'

const FIRST = '100001'
const SECOND = '100002'
const DENIED = '100004'
const UNMANAGED = '100003'

let portal: Portal
let ada: Call
let olivia: Call
beforeAll(async () => {
  portal = await startPlanPortal()
  ada = await portal.as(ADA)
  olivia = await portal.as(OLIVIA)
})
afterAll(async () => {
  expect(await brokenRules(portal)).toEqual([])
  await portal.close()
})

/** In the time zone of the first account. */
const today = () => dayIn('Europe/Berlin', portal.clock.now())
const about = (host: HostIdentity, customerNumber = FIRST) => ({ customerNumber, ...hostOf(host) })
const members = async (host: HostIdentity, call = olivia) => {
  const { body } = await call(serverCustomers, { body: about(host) })
  return (body.data as { customerNumber: string }[]).map((one) => one.customerNumber)
}

/** A host with seats of one entitlement. */
async function activeHost(seats = 3, host = newHost()) {
  const id = await sellLicense(portal)
  await activate(ada, FIRST, host, { [id]: seats })
  return { host, id }
}
/** A permanent license whose maintenance is over; only business operations could activate it. */
async function unmaintained(host: HostIdentity) {
  const id = await sellLicense(portal, { is_permanent: true, end_date: null, version_date: '2020-12-31' })
  await activate(olivia, FIRST, host, { [id]: 2 })
  return id
}
async function sharedHost() {
  const { host, id } = await activeHost()
  const other = await sellLicense(portal, { customer_number: SECOND })
  await activate(ada, SECOND, host, { [other]: 2 })
  await ada(setSharedServer, { body: { ...about(host), group: [FIRST, SECOND] } })
  return { host, id, other }
}
const findAudit = (action: string, target: string) =>
  portal.db
    .selectFrom('audit_log')
    .select(['customer_number', 'email', 'after', 'outcome'])
    .where('action', '=', action)
    .where('target', '=', target)
    .orderBy('id')
    .execute()

describe('deactivate', () => {
  test('returns all seats of all customers, ends the sharing, and makes the host inactive', async () => {
    const { host, id, other } = await sharedHost()
    const answer = await ada(deactivateServer, { body: about(host) })
    expect(planOf(answer)).toMatchObject({
      action: 'DEACTIVATE',
      state: 'waiting',
      text: 'Deactivating...',
      done: 0,
      source: host,
      target: null,
      failure: null,
    })
    await carryOut(portal, FIRST, answer)
    const { body } = await ada(getPlan, { body: { customerNumber: FIRST, id: planOf(answer).id } })
    const plan = body.data as HostPlan
    expect(plan).toMatchObject({ state: 'done', text: '', done: plan.total })
    for (const one of [id, other]) expect(await seatsIn(portal, one)).toEqual({ ledger: 0, kept: 0 })
    expect(await stateIn(ada, FIRST, host)).toMatchObject({ state: 'Inactive', isShared: false })
    expect(await stateIn(ada, SECOND, host)).toMatchObject({ state: 'Inactive', isShared: false })
    const rows = await portal.db
      .selectFrom('fulfillment')
      .select(['action', 'modified_by'])
      .where('host_id', '=', host.serverId)
      .where('fulfill_count', '<', 0)
      .execute()
    expect(rows).toEqual([
      { action: 'DEACTIVATE', modified_by: ADA },
      { action: 'DEACTIVATE', modified_by: ADA },
    ])
    const entries = await findAudit('fulfillments/deactivate', host.serverId)
    expect(new Set(entries.map((one) => one.customer_number))).toEqual(new Set([FIRST, SECOND]))
  })

  test('returns expired seats too', async () => {
    const { host } = await activeHost()
    const expired = await sellLicense(portal, { end_date: today() })
    await activate(ada, FIRST, host, { [expired]: 1 })
    await portal.db
      .updateTable('entitlement')
      .set({ end_date: '2024-01-01', start_date: '2023-01-01' })
      .where('activation_id', '=', expired)
      .execute()
    await carryOut(portal, FIRST, await ada(deactivateServer, { body: about(host) }))
    expect(await seatsOn(ada, FIRST, host)).toEqual({})
  })

  test('leaves unticked products on the host, which stays active with a new license file', async () => {
    const { host, id } = await activeHost()
    const kept = await unmaintained(host)
    await ada(generateLicense, { body: { customerNumber: FIRST, ...host } })
    const preview = await ada(previewPlan, {
      body: { ...about(host), action: 'DEACTIVATE', kept: [{ customerNumber: FIRST, id: kept }] },
    })
    const { changes, becomesInactive, files } = preview.body.data as PlanPreview
    expect(changes.map((one) => [one.activationid, one.isTicked, one.isMaintenanceExpired]).sort()).toEqual(
      [
        [id, true, false],
        [kept, false, true],
      ].sort(),
    )
    expect(becomesInactive).toBe(false)
    expect(files[0]?.difference.summary).toMatchObject({ removed: 2, added: 0 })

    const refused = await ada(deactivateServer, { body: about(host) })
    expect(refused.body).toMatchObject({ status: 'FAILURE', code: 'MAINTENANCE_EXPIRED', err: MAINTENANCE_EXPIRED })
    await carryOut(
      portal,
      FIRST,
      await ada(deactivateServer, { body: { ...about(host), kept: [{ customerNumber: FIRST, id: kept }] } }),
    )
    expect(await seatsOn(ada, FIRST, host)).toEqual({ [kept]: 2 })
    expect(await stateIn(ada, FIRST, host)).toMatchObject({ state: 'Active', isOutOfDate: false })
    expect(
      (await ada(listLicenseFiles, { body: { customerNumber: FIRST, serverId: host.serverId } })).body.data,
    ).toHaveLength(2)
  })

  test('business operations may override expired maintenance, and the log says so', async () => {
    const host = newHost()
    const id = await unmaintained(host)
    await carryOut(portal, FIRST, await olivia(deactivateServer, { body: about(host) }))
    expect(await seatsIn(portal, id)).toEqual({ ledger: 0, kept: 0 })
    const [entry] = await findAudit('fulfillments/deactivate', host.serverId)
    expect(entry).toMatchObject({ email: OLIVIA, after: { maintenanceOverridden: [id] } })
  })

  test('customers that the caller does not manage keep their seats and their group', async () => {
    const { host } = await activeHost()
    const foreign = await sellLicense(portal, { customer_number: UNMANAGED })
    await activate(olivia, UNMANAGED, host, { [foreign]: 1 })
    await olivia(setSharedServer, { body: { ...about(host), group: [FIRST, UNMANAGED] } })
    await carryOut(portal, FIRST, await ada(deactivateServer, { body: about(host) }))
    expect(await seatsOn(olivia, UNMANAGED, host)).toEqual({ [foreign]: 1 })
    expect(await stateIn(olivia, UNMANAGED, host)).toMatchObject({ state: 'Active', isShared: false })
  })

  test('is refused if nothing is active or everything is unticked', async () => {
    const { host, id } = await activeHost()
    const kept = [{ customerNumber: FIRST, id }]
    expect((await ada(deactivateServer, { body: { ...about(host), kept } })).body.code).toBe('NOTHING_TO_DO')
    await carryOut(portal, FIRST, await ada(deactivateServer, { body: about(host) }))
    expect((await ada(deactivateServer, { body: about(host) })).body).toMatchObject({
      code: 'HOST_NOT_ACTIVE',
      err: `Host ${host.serverName} (${host.serverId}) is not active.`,
    })
  })

  test('is refused if the seats changed since the confirmation', async () => {
    const { host } = await activeHost()
    const preview = await ada(previewPlan, { body: { ...about(host), action: 'DEACTIVATE' } })
    const { basis } = preview.body.data as PlanPreview
    await activate(ada, FIRST, host, { [await sellLicense(portal)]: 1 })
    expect((await ada(deactivateServer, { body: { ...about(host), basis } })).status).toBe(409)
    expect(await stateIn(ada, FIRST, host)).toMatchObject({ state: 'Active' })
  })
})

describe('delete', () => {
  test('refuses an active host, and removes an inactive one from the list', async () => {
    const { host, id } = await activeHost()
    await ada(generateLicense, { body: { customerNumber: FIRST, ...host } })
    expect((await ada(removeSharedServer, { body: about(host) })).body).toMatchObject({
      code: 'HOST_ACTIVE',
      err: `Host ${host.serverName} (${host.serverId}) is active.`,
    })
    await carryOut(portal, FIRST, await ada(deactivateServer, { body: about(host) }))
    expect((await ada(removeSharedServer, { body: about(host) })).body).toEqual({ status: 'SUCCESS', data: null })
    expect(await stateIn(ada, FIRST, host)).toBeUndefined()
    const history = await ada(hostHistoryList.page, { body: { customerNumber: FIRST, state: 'Inactive', limit: 1000 } })
    const listed = (history.body.data as { serverId: string }[]).map(({ serverId }) => serverId)
    expect(listed.length).toBeGreaterThan(0)
    expect(listed).not.toContain(host.serverId)
    expect((await ada(removeSharedServer, { body: about(host) })).status).toBe(404)
    expect((await ada(downloadLicense, { body: { customerNumber: FIRST, ...host } })).status).toBe(404)

    // Ledger, files and audit stay, and adding the host again takes it up under its old record.
    expect((await seatsIn(portal, id)).ledger).toBe(0)
    await activate(ada, FIRST, { ...host, serverName: 'another-name' }, { [id]: 1 })
    expect(await stateIn(ada, FIRST, host)).toMatchObject({ state: 'Active', name: host.serverName })
    const files = await ada(listLicenseFiles, { body: { customerNumber: FIRST, serverId: host.serverId } })
    expect(files.body.data).toHaveLength(1)
    const entries = await findAudit('sharedserver/remove', host.serverId)
    expect(entries.filter(({ outcome }) => outcome === 'done')).toHaveLength(1)
  })

  test('takes the account out of the group of the host', async () => {
    const { host } = await sharedHost()
    await carryOut(portal, FIRST, await ada(deactivateServer, { body: about(host) }))
    await ada(setSharedServer, { body: { ...about(host), group: [FIRST, SECOND] } })
    expect((await ada(removeSharedServer, { body: about(host) })).body.status).toBe('SUCCESS')
    expect(await stateIn(ada, SECOND, host)).toMatchObject({ isShared: false })
  })

  test('a host that never held seats is not an inactive one', async () => {
    const host = { serverName: 'lic-imported', serverId: '9-77e0d1f5', serverIdType: 'FLEXID' }
    expect((await ada(removeSharedServer, { body: about(host) })).body).toMatchObject({
      code: 'HOST_ACTIVE',
      err: 'Only inactive hosts can be deleted.',
    })
  })
})

describe('rehost', () => {
  test.each([
    ['a single host', () => newHost('lic-target')],
    ['a triad', newTriad],
  ])('to %s: the seven steps, and the license file', async (_, makeTarget) => {
    const { host, id, other } = await sharedHost()
    const target = makeTarget()
    const preview = await ada(previewPlan, { body: { ...about(host), action: 'REHOST', target } })
    const shown = preview.body.data as PlanPreview
    expect(shown).toMatchObject({ source: host, target, becomesInactive: true, filesLeftOut: 0 })
    expect(shown.changes.map((one) => [one.kind, one.customerNumber, one.server.serverId, one.count])).toEqual([
      ['deactivate', FIRST, host.serverId, 3],
      ['activate', FIRST, target.serverId, 3],
      ['deactivate', SECOND, host.serverId, 2],
      ['activate', SECOND, target.serverId, 2],
    ])
    expect(shown.files).toHaveLength(1)
    expect(shown.files[0]).toMatchObject({ server: target, before: null, difference: { summary: { added: 4 } } })

    const answer = await ada(rehostServer, { body: { ...about(host), target, basis: shown.basis } })
    const texts: string[] = []
    const watch = async () => {
      const { body } = await ada(getPlan, { body: { customerNumber: FIRST, id: planOf(answer).id } })
      texts.push((body.data as HostPlan).text)
    }
    await watch()
    const kinds = await portal.db
      .selectFrom('host_plan_step')
      .select('step')
      .where('plan_id', '=', planOf(answer).id)
      .orderBy('position')
      .execute()
    expect(kinds.map(({ step }) => step.kind)).toEqual([
      'return',
      'return',
      'mark inactive',
      'deactivate group',
      'create',
      'create',
      'set group',
      'mark active',
      'generate',
      'generate',
    ])
    await carryOut(portal, FIRST, answer)
    await watch()
    expect(texts).toEqual(['Rehosting from...', ''])
    expect(await seatsOn(ada, FIRST, host)).toEqual({})
    expect(await seatsOn(ada, FIRST, target)).toEqual({ [id]: 3 })
    expect(await seatsOn(ada, SECOND, target)).toEqual({ [other]: 2 })
    expect(await stateIn(ada, FIRST, host)).toMatchObject({ state: 'Inactive', isShared: false })
    expect(await stateIn(ada, FIRST, target)).toMatchObject({ state: 'Active', isShared: true, isOutOfDate: false })
    expect(await members(target)).toEqual([FIRST, SECOND])
    const file = await ada(downloadLicense, { body: { customerNumber: FIRST, ...target } })
    expect(file.body.licenseText).toContain(id)
    expect(file.body.licenseText).toContain(other)
  })

  test('to an inactive host of the account reuses its record', async () => {
    const known = await activeHost()
    await carryOut(portal, FIRST, await ada(deactivateServer, { body: about(known.host) }))
    const { host, id } = await activeHost()
    const target = { ...known.host, serverName: 'renamed' }
    await carryOut(portal, FIRST, await ada(rehostServer, { body: { ...about(host), target } }))
    expect(await stateIn(ada, FIRST, known.host)).toMatchObject({ state: 'Active', name: known.host.serverName })
    expect(await seatsOn(ada, FIRST, known.host)).toEqual({ [id]: 3 })
  })

  test('the target takes over Borrowable from the source, and the port from the request', async () => {
    const { host } = await activeHost()
    await ada(generateLicense, { body: { customerNumber: FIRST, ...host, ansysborrowed: true } })
    const target = newHost('lic-target')
    await carryOut(
      portal,
      FIRST,
      await ada(rehostServer, { body: { ...about(host), target: { ...target, portNumber: 2325 } } }),
    )
    expect(await stateIn(ada, FIRST, target)).toMatchObject({ ansysborrowed: true, portNumber: 2325 })
  })

  test('leaves unticked products on the source, which stays active; both hosts get a new file', async () => {
    const { host, id, other } = await sharedHost()
    const stays = await unmaintained(host)
    await ada(generateLicense, { body: { customerNumber: FIRST, ...host } })
    const target = newHost('lic-target')
    const kept = [{ customerNumber: FIRST, id: stays }]
    expect((await ada(rehostServer, { body: { ...about(host), target } })).body.code).toBe('MAINTENANCE_EXPIRED')
    const preview = await ada(previewPlan, { body: { ...about(host), action: 'REHOST', target, kept } })
    const { files, becomesInactive } = preview.body.data as PlanPreview
    expect(becomesInactive).toBe(false)
    expect(files.map(({ server }) => server.serverId)).toEqual([target.serverId, host.serverId])
    await carryOut(portal, FIRST, await ada(rehostServer, { body: { ...about(host), target, kept } }))
    expect(await seatsOn(ada, FIRST, host)).toEqual({ [stays]: 2 })
    expect(await seatsOn(ada, FIRST, target)).toEqual({ [id]: 3 })
    expect(await seatsOn(ada, SECOND, target)).toEqual({ [other]: 2 })
    expect(await stateIn(ada, FIRST, host)).toMatchObject({ state: 'Active', isShared: true, isOutOfDate: false })
    expect(await stateIn(ada, FIRST, target)).toMatchObject({ isOutOfDate: false })
  })

  describe('is refused', () => {
    const rehost = (host: HostIdentity, target: HostIdentity, call = ada) =>
      call(rehostServer, { body: { ...about(host), target } })

    test('to a host that is active, or is another name for one', async () => {
      const [from, to] = [await activeHost(), await activeHost()]
      const { serverName, serverId } = to.host
      expect((await rehost(from.host, to.host)).body).toMatchObject({
        code: 'HOST_ACTIVE',
        err: `Host ${serverName} (${serverId}) is active.`,
      })
      expect((await rehost(from.host, { ...to.host, serverName: 'other' })).body).toMatchObject({
        code: 'HOST_IN_USE',
        err: `Host identifier ${serverName} (${serverId}) is already in use.`,
      })
      expect((await rehost(from.host, from.host)).body.code).toBe('HOST_ACTIVE')
    })

    test('to an invalid host', async () => {
      const { host } = await activeHost()
      const unknown = await rehost(host, { ...newHost(), serverIdType: 'IMEI' })
      expect([unknown.status, unknown.body.err]).toEqual([400, 'Invalid server id type: IMEI'])
      const short = await rehost(host, { ...newHost(), serverId: '12' })
      expect(short.status).toBe(400)
      expect(short.body.err).toMatch(/^Invalid ETHERNET server id: 12\./)
      const named = await rehost(host, { ...newHost(), serverName: 'no spaces' })
      expect(named.body.err).toBe('Please remove spaces and special characters.')
    })

    test('to a host that the account shares with others', async () => {
      const { host } = await activeHost()
      const target = (await sharedHost()).host
      await carryOut(portal, FIRST, await ada(deactivateServer, { body: about(target) }))
      await ada(setSharedServer, { body: { ...about(target), group: [FIRST, SECOND] } })
      expect((await rehost(host, target)).body.code).toBe('SHARED_ELSEWHERE')
    })

    test('while another plan changes one of the hosts', async () => {
      const [{ host }, target] = [await activeHost(), newHost('lic-target')]
      const first = await rehost(host, target)
      for (const refused of [
        await rehost(host, newHost()),
        await rehost((await activeHost()).host, target),
        await ada(deactivateServer, { body: about(host) }),
      ])
        expect(refused.body.code).toBe('HOST_BUSY')
      const more = { customerNumber: FIRST, ...host, activations: [{ id: await sellLicense(portal), count: 1 }] }
      expect((await ada(createFulfillments, { body: more })).body.code).toBe('HOST_BUSY')
      expect((await ada(deactivateSharedServer, { body: about(host) })).body.code).toBe('HOST_BUSY')
      await carryOut(portal, FIRST, first)
      expect((await ada(createFulfillments, { body: more })).body.status).toBe('SUCCESS')
    })

    test('if a setting switches it off', async () => {
      const { host, id } = await activeHost()
      const off = await startPlanPortal({ REHOSTING: '0' })
      try {
        const call = await off.as(ADA)
        const other = await sellLicense(off)
        await activate(call, FIRST, host, { [other]: 1 })
        for (const answer of [
          await rehost(host, newHost(), call),
          await call(previewPlan, { body: { ...about(host), action: 'REHOST', target: newHost() } }),
          await call(createFulfillments, {
            body: { customerNumber: FIRST, ...host, action: 'REHOST', activations: [{ id: other, count: 1 }] },
          }),
          await call(returnFulfillments, {
            body: { customerNumber: FIRST, action: 'REHOST', activations: [{ id, count: -1 }] },
          }),
        ])
          expect(answer.body).toMatchObject({ code: 'REHOSTING_OFF', err: 'Rehosting is not currently supported.' })
      } finally {
        await off.close()
      }
    })
  })

  test('the same Idempotency-Key gives the same plan, and another body under it is refused', async () => {
    const [{ host }, target] = [await activeHost(), newHost('lic-target')]
    const headers = { 'idempotency-key': `rehost-${host.serverId}` }
    const body = { ...about(host), target }
    const first = await ada(rehostServer, { body, headers })
    expect(planOf(await ada(rehostServer, { body, headers })).id).toBe(planOf(first).id)
    expect((await ada(rehostServer, { body: about(host), headers })).status).toBe(400)
    expect((await ada(rehostServer, { body: { ...body, target: newHost() }, headers })).status).toBe(409)
    await carryOut(portal, FIRST, first)
  })

  test('reserves the seats that it moves: nobody else can activate them', async () => {
    const [host, target] = [newHost(), newHost('lic-target')]
    const id = await sellLicense(portal, { line_item_quantity: 4 })
    await activate(ada, FIRST, host, { [id]: 4 })
    const plan = await ada(rehostServer, { body: { ...about(host), target } })
    let steps = 0
    // Stops after the first step, which has returned everything.
    await expect(
      carryOut(portal, FIRST, plan, (moment) => {
        if (moment === 'before' && ++steps > 1) throw new Error('stopped')
      }),
    ).rejects.toThrow('stopped')
    expect(await seatsIn(portal, id)).toEqual({ ledger: 0, kept: 0 })
    const thief = { customerNumber: FIRST, ...newHost('lic-thief'), activations: [{ id, count: 1 }] }
    expect((await ada(createFulfillments, { body: thief })).body.code).toBe('SEAT_GONE')
    await carryOut(portal, FIRST, plan)
    expect(await seatsOn(ada, FIRST, target)).toEqual({ [id]: 4 })
  })

  describe('that a rule stops', () => {
    const deny = (customerNumber: string, export_control_status: string) =>
      portal.db
        .updateTable('account')
        .set({ export_control_status })
        .where('customer_number', '=', customerNumber)
        .execute()
    /** Carries out a plan until its seats are returned, and the rest while export compliance denies a customer. */
    async function deniedAfterReturn(customerNumber: string, plan: Answer, denied: string, returns: number) {
      let steps = 0
      const stopped = carryOut(portal, customerNumber, plan, (place) => {
        if (place === 'before' && steps++ === returns) throw new Error('stopped')
      })
      await expect(stopped).rejects.toThrow('stopped')
      await deny(denied, 'Denied')
      await carryOut(portal, customerNumber, plan)
      await deny(denied, '')
      const { body } = await ada(getPlan, { body: { customerNumber, id: planOf(plan).id } })
      return body.data as HostPlan
    }

    test('before its first step has changed nothing', async () => {
      const [host, target] = [newHost(), newHost('lic-target')]
      const id = await sellLicense(portal, { customer_number: SECOND })
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
      const id = await sellLicense(portal, { customer_number: SECOND })
      await activate(ada, SECOND, host, { [id]: 4 })
      const plan = await ada(rehostServer, { body: { ...about(host, SECOND), target } })
      const stopped = await deniedAfterReturn(SECOND, plan, SECOND, 1)
      expect(stopped).toMatchObject({ state: 'failed', failure: { code: 'EXPORT_DENIED' } })
      expect(stopped.failure?.err).toBe(`${EXPORT_DENIED} ${GOES_ON}`)
      const thief = { customerNumber: SECOND, ...newHost(), activations: [{ id, count: 7 }] }
      expect((await ada(createFulfillments, { body: thief })).body.code).toBe('SEAT_GONE')
      expect(await listPlansToCarryOut(portal.db)).toContainEqual({ customerNumber: SECOND, id: stopped.id })
      await carryOut(portal, SECOND, plan)
      expect(await seatsOn(ada, SECOND, target)).toEqual({ [id]: 4 })
      const { body } = await ada(getPlan, { body: { customerNumber: SECOND, id: stopped.id } })
      expect(body.data).toMatchObject({ state: 'done', failure: null })
      expect(await listPlansToCarryOut(portal.db)).not.toContainEqual({ customerNumber: SECOND, id: stopped.id })
    })

    test('for one customer goes on for the others that share the host', async () => {
      const { host, id, other } = await sharedHost()
      const target = newHost('lic-target')
      const plan = await ada(rehostServer, { body: { ...about(host), target } })
      const stopped = await deniedAfterReturn(FIRST, plan, SECOND, 2)
      expect(stopped).toMatchObject({ state: 'failed', failure: { code: 'EXPORT_DENIED' } })
      expect(await seatsOn(ada, FIRST, target)).toEqual({ [id]: 3 })
      expect(await seatsOn(ada, SECOND, target)).toEqual({})
      const file = await ada(downloadLicense, { body: { customerNumber: FIRST, ...target } })
      expect(file.body.licenseText).toContain(id)
      // Its host is free, that of the other customer waits.
      await activate(ada, FIRST, target, { [id]: 1 })
      const waiting = { customerNumber: SECOND, ...target, activations: [{ id: other, count: 1 }] }
      expect((await ada(createFulfillments, { body: waiting })).body.code).toBe('HOST_BUSY')
      await carryOut(portal, FIRST, plan)
      expect(await seatsOn(ada, SECOND, target)).toEqual({ [other]: 2 })
    })

    test('a product that the catalog does not know is refused before anything is returned', async () => {
      const { host, id } = await activeHost()
      await portal.db.updateTable('entitlement').set({ part_number: 'gone' }).where('activation_id', '=', id).execute()
      const answer = await ada(rehostServer, { body: { ...about(host), target: newHost() } })
      expect(answer.body.code).toBe('NOT_IN_CATALOG')
      expect(await seatsOn(ada, FIRST, host)).toEqual({ [id]: 3 })
    })

    test('at a license file only has moved all seats and lets go of its hosts', async () => {
      const { host, id } = await activeHost()
      const target = newHost('lic-target')
      const plan = await ada(rehostServer, { body: { ...about(host), target } })
      await portal.db.updateTable('entitlement').set({ part_number: 'gone' }).where('activation_id', '=', id).execute()
      await carryOut(portal, FIRST, plan)
      const { body } = await ada(getPlan, { body: { customerNumber: FIRST, id: planOf(plan).id } })
      expect(body.data).toMatchObject({ state: 'failed', failure: { code: 'NOT_IN_CATALOG' } })
      expect(await stateIn(ada, FIRST, target)).toMatchObject({ state: 'Active', isOutOfDate: true })
      await activate(ada, FIRST, target, { [id]: 1 })
    })
  })
})

describe('a forced return', () => {
  test('returns all seats of one customer, and audits the reason', async () => {
    const { host, id, other } = await sharedHost()
    const old = await unmaintained(host)
    const body = { ...about(host), reason: 'The server was stolen.' }
    expect((await ada(forceReturn, { body })).body.err).toBe(NOT_ENOUGH_PERMISSIONS)
    await carryOut(portal, FIRST, await olivia(forceReturn, { body }))
    for (const one of [id, old]) expect((await seatsIn(portal, one)).ledger).toBe(0)
    expect(await seatsOn(ada, SECOND, host)).toEqual({ [other]: 2 })
    expect(await stateIn(ada, FIRST, host)).toMatchObject({ state: 'Inactive', isShared: false })
    const entries = await findAudit('fulfillments/forcereturn', host.serverId)
    expect(entries.find(({ outcome }) => outcome === 'done')?.after).toMatchObject({ reason: 'The server was stolen.' })
  })

  test('needs a reason', async () => {
    const { host } = await activeHost()
    expect((await olivia(forceReturn, { body: about(host) })).status).toBe(400)
    expect((await olivia(forceReturn, { body: { ...about(host), reason: '  ' } })).status).toBe(400)
  })

  test('can be previewed by business operations only', async () => {
    const { host } = await activeHost()
    const body = { ...about(host), action: 'FORCE_RETURN' }
    expect((await ada(previewPlan, { body })).status).toBe(403)
    expect((await olivia(previewPlan, { body })).body.data).toMatchObject({ becomesInactive: true })
  })
})

describe('renew', () => {
  let product = 0
  /** A product of its own, so that renewals of other tests do not fit. */
  async function situation(seats = 3, renewed: { quantity?: number; start?: string } = {}) {
    const host = newHost()
    const names = ['Fluid Meshing', 'Electronics Cooling', 'Optical Ray Studio']
    const product_name = names[product++ % names.length]!
    const ending = await sellLicense(portal, { product_name, end_date: addDays(today(), 30) })
    await activate(ada, FIRST, host, { [ending]: seats })
    const renewal = await sellLicense(portal, {
      product_name,
      start_date: renewed.start ?? addDays(today(), -1),
      end_date: addDays(today(), 400),
      line_item_quantity: renewed.quantity ?? 10,
    })
    return { host, ending, renewal }
  }
  const onlyThis = async (host: HostIdentity, ending: string) => {
    // Other renewals of the demo account may fit as well: what counts is this host's own row.
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
    await carryOut(portal, FIRST, await ada(renewEntitlements, { body: { ...about(host), basis: preview.basis } }))
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
    const { line_item_quantity: quantity, activated_count: activated } = await portal.db
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
    await carryOut(portal, FIRST, plan)
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
    await carryOut(portal, FIRST, plan)
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
    await carryOut(portal, FIRST, answer)
    for (const { host, ending } of [one, other]) expect((await seatsOn(ada, FIRST, host))[ending]).toBeUndefined()
    expect((await ada(previewPlan, { body: { customerNumber: FIRST, action: 'RENEW' } })).body.data).toMatchObject({
      changes: [],
    })
    const listed = (await ada(listPlans, { body: { customerNumber: FIRST } })).body.data as HostPlan[]
    expect(listed.find(({ id }) => id === planOf(answer).id)).toMatchObject({ action: 'RENEW', state: 'done' })
  })
})

describe('who may', () => {
  const starts = [rehostServer, deactivateServer, renewEntitlements, removeSharedServer]
  test.each(starts)('$name: writers of the account only', async (operation) => {
    const { host } = await activeHost()
    const body = { ...about(host), ...(operation === rehostServer ? { target: newHost() } : {}) }
    const vic = await portal.as(VIC)
    const nobody = await portal.as(null)
    expect((await nobody(operation, { body })).status).toBe(401)
    const viewOnly = await vic(operation, { body })
    expect([viewOnly.status, viewOnly.body.err]).toEqual([403, NOT_ENOUGH_PERMISSIONS])
    expect((await (await portal.as(GRETA))(operation, { body })).status).toBe(404)
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
    expect((await (await portal.as(VIC))(getPlan, { body })).body.data).toMatchObject({ requestedBy: ADA })
    expect((await ada(getPlan, { body: { ...body, customerNumber: SECOND } })).status).toBe(404)
    expect((await (await portal.as(GRETA))(getPlan, { body })).status).toBe(404)
    await carryOut(portal, FIRST, plan)
  })
})
