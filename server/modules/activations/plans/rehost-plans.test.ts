import { describe, expect, test } from 'vitest'
import { deactivateSharedServer, setSharedServer } from '#contract/activations/hosts/shared-server.ts'
import { downloadLicense, generateLicense } from '#contract/activations/license-files/license-files.ts'
import { getPlan, previewPlan } from '#contract/activations/plans/host-plans.ts'
import type { HostPlan, PlanPreview } from '#contract/activations/plans/plan-fields.ts'
import { deactivateServer, rehostServer } from '#contract/activations/plans/start-plans.ts'
import { createFulfillments, returnFulfillments } from '#contract/activations/seats/change-seats.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { busyText } from '#domain/activations/plans/host-plan.ts'
import { ADA, seatsIn, sellLicense } from '#server/testing/activations.ts'
import {
  activate,
  carryOut,
  newHost,
  newTriad,
  planOf,
  seatsOn,
  startPlanPortal,
  stateIn,
} from '#server/testing/host-plans.ts'
import { FIRST, planPortal, SECOND, UNMANAGED } from '#server/testing/plan-portal.ts'

const at = planPortal()
const { ada, olivia, about, members, activeHost, unmaintained, sharedHost } = at

describe('a rehost', () => {
  test.each([
    ['a single host', () => newHost('lic-target')],
    ['a triad', newTriad],
  ])('to %s moves the seats and makes the license file', async (_, makeTarget) => {
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
    const kinds = await at.portal.db
      .selectFrom('host_plan_step')
      .select('step')
      .where('plan_id', '=', planOf(answer).id)
      .orderBy('position')
      .execute()
    expect(kinds.map(({ step }) => step.kind)).toEqual([
      'return',
      'return',
      'deactivate group',
      'create',
      'create',
      'set group',
      'generate',
      'generate',
    ])
    await carryOut(at.portal, FIRST, answer)
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
    await carryOut(at.portal, FIRST, await ada(deactivateServer, { body: about(known.host) }))
    const { host, id } = await activeHost()
    const target = { ...known.host, serverName: 'renamed' }
    await carryOut(at.portal, FIRST, await ada(rehostServer, { body: { ...about(host), target } }))
    expect(await stateIn(ada, FIRST, known.host)).toMatchObject({ state: 'Active', name: known.host.serverName })
    expect(await seatsOn(ada, FIRST, known.host)).toEqual({ [id]: 3 })
  })

  test('the target takes over Borrowable from the source, and the port from the request', async () => {
    const { host } = await activeHost()
    await ada(generateLicense, { body: { customerNumber: FIRST, ...host, ansysborrowed: true } })
    const target = newHost('lic-target')
    await carryOut(
      at.portal,
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
    await carryOut(at.portal, FIRST, await ada(rehostServer, { body: { ...about(host), target, kept } }))
    expect(await seatsOn(ada, FIRST, host)).toEqual({ [stays]: 2 })
    expect(await seatsOn(ada, FIRST, target)).toEqual({ [id]: 3 })
    expect(await seatsOn(ada, SECOND, target)).toEqual({ [other]: 2 })
    expect(await stateIn(ada, FIRST, host)).toMatchObject({ state: 'Active', isShared: true, isOutOfDate: false })
    expect(await stateIn(ada, FIRST, target)).toMatchObject({ isOutOfDate: false })
  })

  test('keeps members without seats in the group of the target', async () => {
    const { host, id } = await activeHost()
    await ada(setSharedServer, { body: { ...about(host), group: [FIRST, SECOND] } })
    const target = newHost('lic-target')
    const preview = await ada(previewPlan, { body: { ...about(host), action: 'REHOST', target } })
    const { leavingMembers, files } = preview.body.data as PlanPreview
    expect(leavingMembers).toEqual([])
    expect(files.map(({ licenseFileName }) => licenseFileName)).toEqual([
      `license_${FIRST}_${target.serverId}_shared.lic`,
    ])
    await carryOut(at.portal, FIRST, await ada(rehostServer, { body: { ...about(host), target } }))
    expect(await members(target)).toEqual([FIRST, SECOND])
    expect(await members(host)).toEqual([])
    expect(await seatsOn(ada, FIRST, target)).toEqual({ [id]: 3 })
    expect(await stateIn(ada, FIRST, target)).toMatchObject({ isShared: true, isOutOfDate: false })
    const file = await ada(downloadLicense, { body: { customerNumber: FIRST, ...target } })
    expect(file.body.licenseFileName).toBe(`license_${FIRST}_${target.serverId}_shared.lic`)
  })

  test('keeps the group also where a member leaves all its seats on the source', async () => {
    const { host, other } = await sharedHost()
    const target = newHost('lic-target')
    const kept = [{ customerNumber: SECOND, id: other }]
    await carryOut(at.portal, FIRST, await ada(rehostServer, { body: { ...about(host), target, kept } }))
    expect(await members(target)).toEqual([FIRST, SECOND])
    expect(await members(host)).toEqual([FIRST, SECOND])
    expect(await stateIn(ada, FIRST, target)).toMatchObject({ isOutOfDate: false })
  })

  test('names members that do not move in the preview, by number alone where the caller does not see them', async () => {
    const { host } = await sharedHost()
    const foreign = await sellLicense(at.portal, { customer_number: UNMANAGED })
    await activate(olivia, UNMANAGED, host, { [foreign]: 1 })
    await olivia(setSharedServer, { body: { ...about(host), group: [FIRST, SECOND, UNMANAGED] } })
    const target = newHost('lic-target')
    const body = { ...about(host), target }
    const preview = await ada(previewPlan, { body: { ...body, action: 'REHOST' } })
    const { leavingMembers, basis } = preview.body.data as PlanPreview
    expect(leavingMembers).toEqual([{ customerNumber: UNMANAGED, customerName: null }])
    await olivia(setSharedServer, { body: { ...about(host), group: [FIRST, SECOND] } })
    expect((await ada(rehostServer, { body: { ...body, basis } })).status).toBe(409)
    await olivia(setSharedServer, { body: { ...about(host), group: [FIRST, SECOND, UNMANAGED] } })
    await carryOut(at.portal, FIRST, await ada(rehostServer, { body: { ...body, basis } }))
    expect(await members(target)).toEqual([FIRST, SECOND])
    expect(await seatsOn(olivia, UNMANAGED, host)).toEqual({ [foreign]: 1 })
  })

  describe('a rehost that is refused', () => {
    const rehost = (host: HostIdentity, target: HostIdentity, call = ada) =>
      call(rehostServer, { body: { ...about(host), target } })

    test('an active target, or another name for one, is refused', async () => {
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

    test('an invalid target is refused', async () => {
      const { host } = await activeHost()
      const unknown = await rehost(host, { ...newHost(), serverIdType: 'IMEI' })
      expect([unknown.status, unknown.body.err]).toEqual([400, 'Invalid server id type: IMEI'])
      const short = await rehost(host, { ...newHost(), serverId: '12' })
      expect(short.status).toBe(400)
      expect(short.body.err).toMatch(/^Invalid ETHERNET server id: 12\./)
      const named = await rehost(host, { ...newHost(), serverName: 'no spaces' })
      expect(named.body.err).toBe('Please remove spaces and special characters.')
    })

    test('a target that the account shares with others is refused', async () => {
      const { host } = await activeHost()
      const target = (await sharedHost()).host
      await carryOut(at.portal, FIRST, await ada(deactivateServer, { body: about(target) }))
      await ada(setSharedServer, { body: { ...about(target), group: [FIRST, SECOND] } })
      expect((await rehost(host, target)).body.code).toBe('SHARED_ELSEWHERE')
    })

    test('a rehost is refused while another plan changes one of its hosts', async () => {
      const [{ host }, target] = [await activeHost(), newHost('lic-target')]
      const first = await rehost(host, target)
      for (const [busy, refused] of [
        [host, await rehost(host, newHost())],
        [target, await rehost((await activeHost()).host, target)],
        [host, await ada(deactivateServer, { body: about(host) })],
      ] as const)
        expect(refused.body).toMatchObject({ code: 'HOST_BUSY', err: busyText(busy) })
      const more = { customerNumber: FIRST, ...host, activations: [{ id: await sellLicense(at.portal), count: 1 }] }
      expect((await ada(createFulfillments, { body: more })).body.code).toBe('HOST_BUSY')
      expect((await ada(deactivateSharedServer, { body: about(host) })).body.code).toBe('HOST_BUSY')
      await carryOut(at.portal, FIRST, first)
      expect((await ada(createFulfillments, { body: more })).body.status).toBe('SUCCESS')
    })

    test('a rehost is refused if a setting switches rehosting off', async () => {
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
    await carryOut(at.portal, FIRST, first)
  })

  test('reserves the seats that it moves: nobody else can activate them', async () => {
    const [host, target] = [newHost(), newHost('lic-target')]
    const id = await sellLicense(at.portal, { line_item_quantity: 4 })
    await activate(ada, FIRST, host, { [id]: 4 })
    const plan = await ada(rehostServer, { body: { ...about(host), target } })
    let steps = 0
    // Stops after the first step, which has returned everything.
    await expect(
      carryOut(at.portal, FIRST, plan, (moment) => {
        if (moment === 'before' && ++steps > 1) throw new Error('stopped')
      }),
    ).rejects.toThrow('stopped')
    expect(await seatsIn(at.portal, id)).toEqual({ ledger: 0, kept: 0 })
    const thief = { customerNumber: FIRST, ...newHost('lic-thief'), activations: [{ id, count: 1 }] }
    expect((await ada(createFulfillments, { body: thief })).body.code).toBe('SEAT_GONE')
    await carryOut(at.portal, FIRST, plan)
    expect(await seatsOn(ada, FIRST, target)).toEqual({ [id]: 4 })
  })
})
