import { describe, expect, test } from 'vitest'
import { hostHistoryList, hostTimeline } from '#contract/activations/history/history.ts'
import { removeSharedServer, setSharedServer } from '#contract/activations/hosts/shared-server.ts'
import {
  downloadLicense,
  generateLicense,
  listLicenseFiles,
} from '#contract/activations/license-files/license-files.ts'
import { getPlan, previewPlan } from '#contract/activations/plans/host-plans.ts'
import type { HostPlan, PlanPreview } from '#contract/activations/plans/plan-fields.ts'
import { deactivateServer, forceReturn } from '#contract/activations/plans/start-plans.ts'
import type { DataOf } from '#contract/kit/operation.ts'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { MAINTENANCE_EXPIRED } from '#domain/activations/seats/expired-maintenance.ts'
import { ADA, OLIVIA, seatsIn, sellLicense } from '#server/testing/activations.ts'
import { activate, carryOut, newHost, planOf, seatsOn, stateIn } from '#server/testing/host-plans.ts'
import { FIRST, planPortal, SECOND, UNMANAGED } from '#server/testing/plan-portal.ts'

const at = planPortal()
const { ada, olivia, today, about, activeHost, unmaintained, sharedHost, findAudit } = at

describe('a deactivation', () => {
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
    await carryOut(at.portal, FIRST, answer)
    const { body } = await ada(getPlan, { body: { customerNumber: FIRST, id: planOf(answer).id } })
    const plan = body.data as HostPlan
    expect(plan).toMatchObject({ state: 'done', text: '', done: plan.total })
    for (const one of [id, other]) expect(await seatsIn(at.portal, one)).toEqual({ ledger: 0, kept: 0 })
    expect(await stateIn(ada, FIRST, host)).toMatchObject({ state: 'Inactive', isShared: false })
    expect(await stateIn(ada, SECOND, host)).toMatchObject({ state: 'Inactive', isShared: false })
    const rows = await at.portal.db
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
    const expired = await sellLicense(at.portal, { end_date: today() })
    await activate(ada, FIRST, host, { [expired]: 1 })
    await at.portal.db
      .updateTable('entitlement')
      .set({ end_date: '2024-01-01', start_date: '2023-01-01' })
      .where('activation_id', '=', expired)
      .execute()
    await carryOut(at.portal, FIRST, await ada(deactivateServer, { body: about(host) }))
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
      at.portal,
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
    await carryOut(at.portal, FIRST, await olivia(deactivateServer, { body: about(host) }))
    expect(await seatsIn(at.portal, id)).toEqual({ ledger: 0, kept: 0 })
    const [entry] = await findAudit('fulfillments/deactivate', host.serverId)
    expect(entry).toMatchObject({ email: OLIVIA, after: { maintenanceOverridden: [id] } })
  })

  test('customers that the caller does not manage keep their seats and their group', async () => {
    const { host } = await activeHost()
    const foreign = await sellLicense(at.portal, { customer_number: UNMANAGED })
    await activate(olivia, UNMANAGED, host, { [foreign]: 1 })
    await olivia(setSharedServer, { body: { ...about(host), group: [FIRST, UNMANAGED] } })
    await carryOut(at.portal, FIRST, await ada(deactivateServer, { body: about(host) }))
    expect(await seatsOn(olivia, UNMANAGED, host)).toEqual({ [foreign]: 1 })
    expect(await stateIn(olivia, UNMANAGED, host)).toMatchObject({ state: 'Active', isShared: false })
  })

  test('is refused if nothing is active or everything is unticked', async () => {
    const { host, id } = await activeHost()
    const kept = [{ customerNumber: FIRST, id }]
    expect((await ada(deactivateServer, { body: { ...about(host), kept } })).body.code).toBe('NOTHING_TO_DO')
    await carryOut(at.portal, FIRST, await ada(deactivateServer, { body: about(host) }))
    expect((await ada(deactivateServer, { body: about(host) })).body).toMatchObject({
      code: 'HOST_NOT_ACTIVE',
      err: `License server ${host.serverName} (${host.serverId}) is not active.`,
    })
  })

  test('is refused if the seats changed since the confirmation', async () => {
    const { host } = await activeHost()
    const preview = await ada(previewPlan, { body: { ...about(host), action: 'DEACTIVATE' } })
    const { basis } = preview.body.data as PlanPreview
    await activate(ada, FIRST, host, { [await sellLicense(at.portal)]: 1 })
    expect((await ada(deactivateServer, { body: { ...about(host), basis } })).status).toBe(409)
    expect(await stateIn(ada, FIRST, host)).toMatchObject({ state: 'Active' })
  })
})

describe('the deletion of a host', () => {
  test('refuses an active host, and removes an inactive one from the list', async () => {
    const { host, id } = await activeHost()
    await ada(generateLicense, { body: { customerNumber: FIRST, ...host } })
    expect((await ada(removeSharedServer, { body: about(host) })).body).toMatchObject({
      code: 'HOST_ACTIVE',
      err: `Host ${host.serverName} (${host.serverId}) is active.`,
    })
    await carryOut(at.portal, FIRST, await ada(deactivateServer, { body: about(host) }))
    expect((await ada(removeSharedServer, { body: about(host) })).body).toEqual({ status: 'SUCCESS', data: null })
    expect(await stateIn(ada, FIRST, host)).toBeUndefined()
    const history = await ada(hostHistoryList.page, { body: { customerNumber: FIRST, state: 'Inactive', limit: 1000 } })
    const listed = (history.body.data as { serverId: string }[]).map(({ serverId }) => serverId)
    expect(listed.length).toBeGreaterThan(0)
    expect(listed).not.toContain(host.serverId)
    expect((await ada(removeSharedServer, { body: about(host) })).status).toBe(404)
    expect((await ada(downloadLicense, { body: { customerNumber: FIRST, ...host } })).status).toBe(404)

    // Ledger, files and audit stay, and adding the host again takes it up under its old record.
    expect((await seatsIn(at.portal, id)).ledger).toBe(0)
    await activate(ada, FIRST, { ...host, serverName: 'another-name' }, { [id]: 1 })
    expect(await stateIn(ada, FIRST, host)).toMatchObject({ state: 'Active', name: host.serverName })
    const files = await ada(listLicenseFiles, { body: { customerNumber: FIRST, serverId: host.serverId } })
    expect(files.body.data).toHaveLength(1)
    const entries = await findAudit('sharedserver/remove', host.serverId)
    expect(entries.filter(({ outcome }) => outcome === 'done')).toHaveLength(1)
  })

  test('takes the account out of the group of the host', async () => {
    const { host } = await sharedHost()
    await carryOut(at.portal, FIRST, await ada(deactivateServer, { body: about(host) }))
    await ada(setSharedServer, { body: { ...about(host), group: [FIRST, SECOND] } })
    expect((await ada(removeSharedServer, { body: about(host) })).body.status).toBe('SUCCESS')
    expect(await stateIn(ada, SECOND, host)).toMatchObject({ isShared: false })
    const entries = await findAudit('sharedserver/remove', host.serverId)
    expect(entries.map(({ customer_number, after }) => [customer_number, after])).toEqual([
      [FIRST, null],
      [FIRST, []],
      [SECOND, []],
    ])
  })

  test('a host that never held seats is not an inactive one', async () => {
    const host = { serverName: 'lic-imported', serverId: '9-77e0d1f5', serverIdType: 'FLEXID' }
    expect((await ada(removeSharedServer, { body: about(host) })).body).toMatchObject({
      code: 'HOST_NOT_INACTIVE',
      err: 'Only inactive license servers can be deleted.',
    })
  })
})

describe('a forced return', () => {
  test('returns all seats of one customer, and audits the reason', async () => {
    const { host, id, other } = await sharedHost()
    const old = await unmaintained(host)
    const body = { ...about(host), reason: 'The server was stolen.' }
    expect((await ada(forceReturn, { body })).body.err).toBe(NOT_ENOUGH_PERMISSIONS)
    await carryOut(at.portal, FIRST, await olivia(forceReturn, { body }))
    for (const one of [id, old]) expect((await seatsIn(at.portal, one)).ledger).toBe(0)
    expect(await seatsOn(ada, SECOND, host)).toEqual({ [other]: 2 })
    expect(await stateIn(ada, FIRST, host)).toMatchObject({ state: 'Inactive', isShared: false })
    const entries = await findAudit('fulfillments/forcereturn', host.serverId)
    expect(entries.find(({ outcome }) => outcome === 'done')?.after).toMatchObject({ reason: 'The server was stolen.' })
  })

  test('differs from a deactivation in the timeline and has its reason', async () => {
    const { host, id } = await activeHost()
    await carryOut(at.portal, FIRST, await ada(deactivateServer, { body: about(host) }))
    await activate(ada, FIRST, host, { [id]: 1 })
    const reason = 'The server was stolen.'
    await carryOut(at.portal, FIRST, await olivia(forceReturn, { body: { ...about(host), reason } }))
    const { body } = await ada(hostTimeline, { body: about(host) })
    const returned = (body.data as DataOf<typeof hostTimeline>).filter(({ kind }) => kind !== 'ACTIVATED')
    expect(returned.map(({ kind, by, reason }) => [kind, by, reason])).toEqual(
      expect.arrayContaining([
        ['FORCED_RETURN', OLIVIA, reason],
        ['DEACTIVATED', ADA, null],
      ]),
    )
    expect(returned.filter(({ kind }) => kind === 'FORCED_RETURN')).toHaveLength(1)
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
