import { describe, expect, test } from 'vitest'
import { setSharedServer } from '#contract/activations/hosts/shared-server.ts'
import { downloadLicense } from '#contract/activations/license-files/license-files.ts'
import { getPlan, previewSave } from '#contract/activations/plans/host-plans.ts'
import type { HeldVersion, HostPlan } from '#contract/activations/plans/plan-fields.ts'
import { saveActivations } from '#contract/activations/plans/start-plans.ts'
import { serverEntitlements } from '#contract/activations/seats/activations.ts'
import { EXPORT_DENIED } from '#domain/access/can.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { noDaemonsError } from '#domain/activations/seats/activation-error.ts'
import { ADA, type Call, sellLicense, VIC } from '#server/testing/activations.ts'
import { activate, carryOut, newHost, planOf, seatsOn, stateIn } from '#server/testing/host-plans.ts'
import { FIRST, planPortal, SECOND, UNMANAGED } from '#server/testing/plan-portal.ts'
import type { Answer } from '#server/testing/portal.ts'

const at = planPortal()
const { about, ada, activeHost, olivia } = at

type Customer = {
  customerNumber: string
  basis?: string
  returned?: string[]
  wanted: { id: string; seats: number }[]
}

const save = (host: HostIdentity, customers: Customer[], more: object = {}, call: Call = ada) =>
  call(saveActivations, { body: { ...host, customers, ...more } })

const wanting = (seats: Record<string, number>, customerNumber = FIRST, returned: string[] = []): Customer => ({
  customerNumber,
  returned,
  wanted: Object.entries(seats).map(([id, count]) => ({ id, seats: count })),
})

async function planAfter(answer: Answer): Promise<HostPlan> {
  await carryOut(at.portal, FIRST, answer)
  return planOf(await ada(getPlan, { body: { customerNumber: FIRST, id: planOf(answer).id } }))
}

/** What a person who opens the license server gets beside its seats. */
async function basisOn(host: HostIdentity, customerNumber = FIRST): Promise<string> {
  const body = { customerNumber, serverId: host.serverId, activeOnly: true }
  return String((await ada(serverEntitlements, { body })).body.basis)
}

async function fulfillmentsOf(host: HostIdentity, activationId: string): Promise<string[]> {
  const rows = await at.portal.db
    .selectFrom('fulfillment')
    .select('fulfillment_id')
    .where('host_id', '=', host.serverId)
    .where('activation_id', '=', activationId)
    .where('fulfill_count', '>', 0)
    .execute()
  return rows.map((row) => row.fulfillment_id)
}

async function mailsOf(customerNumber: string): Promise<number> {
  const rows = await at.portal.db
    .selectFrom('mail')
    .select('id')
    .where('customer_number', '=', customerNumber)
    .execute()
  return rows.length
}

test('a preview and a save of returns that nobody holds name them', async () => {
  const { host, id } = await activeHost(1)
  const body = { ...host, customers: [wanting({ [id]: 1 }, FIRST, ['no such fulfillment'])] }
  for (const operation of [previewSave, saveActivations])
    expect(await ada(operation, { body })).toMatchObject({
      status: 200,
      body: {
        status: 'FAILURE',
        code: 'NO_SUCH_FULFILLMENT',
        data: [{ id: 'no such fulfillment', status: 'FAILURE' }],
      },
    })
})

test('a save returns, activates, shares, generates and mails, for two customers', async () => {
  const { host, id: leaving } = await activeHost(3)
  const [added, ofSecond] = [await sellLicense(at.portal), await sellLicense(at.portal, { customer_number: SECOND })]
  await olivia(setSharedServer, { body: { ...about(host), group: [FIRST, UNMANAGED] } })
  const returned = await fulfillmentsOf(host, leaving)
  const answer = await save(host, [wanting({ [added]: 4 }, FIRST, returned), wanting({ [ofSecond]: 2 }, SECOND)], {
    email: true,
    ansysborrowed: true,
  })
  expect(planOf(answer)).toMatchObject({
    action: 'SAVE',
    state: 'waiting',
    text: 'Returning fulfillments...',
    amounts: { returned: { done: 0, total: 3 }, activated: { done: 0, total: 6 }, files: { done: 0, total: 2 } },
    source: host,
    requestedBy: ADA,
    mailedTo: [],
  })
  const mails = await mailsOf(FIRST)
  const plan = await planAfter(answer)
  expect(plan).toMatchObject({ state: 'done', step: null, failure: null })
  expect(await mailsOf(FIRST)).toBe(mails + 1)
  expect(plan.done).toBe(plan.total)
  expect(plan.mailedTo[0]).toBe(ADA)
  expect(await seatsOn(ada, FIRST, host)).toEqual({ [added]: 4 })
  expect(await seatsOn(ada, SECOND, host)).toEqual({ [ofSecond]: 2 })
  expect(await at.members(host)).toEqual([FIRST, SECOND])
  expect(await stateIn(ada, FIRST, host)).toMatchObject({ isOutOfDate: false, ansysborrowed: true })
  const { licenseText } = (await ada(downloadLicense, { body: { customerNumber: FIRST, ...host } })).body
  expect(licenseText).toContain(added)
  expect(licenseText).toContain(ofSecond)
})

test('a new host has the port of the save', async () => {
  const host = newHost('lic-port')
  const id = await sellLicense(at.portal)
  await planAfter(await save(host, [wanting({ [id]: 1 })], { portNumber: 27000 }))
  expect(await stateIn(ada, FIRST, host)).toMatchObject({ portNumber: 27000, state: 'Active' })
})

test('wanted seats are absolute: saved again, they change no seats', async () => {
  const host = newHost()
  const id = await sellLicense(at.portal)
  const first = await planAfter(await save(host, [wanting({ [id]: 3 })]))
  expect(first.amounts.activated).toEqual({ done: 3, total: 3 })
  const again = await planAfter(await save(host, [wanting({ [id]: 3 })]))
  expect(again).toMatchObject({
    state: 'done',
    amounts: { activated: { done: 0, total: 0 }, files: { done: 1, total: 1 } },
  })
  expect(await seatsOn(ada, FIRST, host)).toEqual({ [id]: 3 })
})

test('a save of seats that somebody else has returned already has nothing to do', async () => {
  const { host, id } = await activeHost()
  const returned = await fulfillmentsOf(host, id)
  await planAfter(await save(host, [wanting({}, FIRST, returned)]))
  const again = await planAfter(await save(host, [wanting({}, FIRST, returned)]))
  expect(again).toMatchObject({ state: 'done', total: 0, licensed: [] })
  // The host is free again.
  await activate(ada, FIRST, host, { [id]: 1 })
})

test('seats that a save returns can be activated again by it, also when no other is free', async () => {
  const host = newHost()
  const id = await sellLicense(at.portal, { line_item_quantity: 5 })
  await activate(ada, FIRST, host, { [id]: 5 })
  const plan = await planAfter(await save(host, [wanting({ [id]: 5 }, FIRST, await fulfillmentsOf(host, id))]))
  expect(plan.state).toBe('done')
  expect(await seatsOn(ada, FIRST, host)).toEqual({ [id]: 5 })
})

test('a repeated start under one Idempotency-Key is one plan', async () => {
  const host = newHost()
  const id = await sellLicense(at.portal)
  const parts = { body: { ...host, customers: [wanting({ [id]: 2 })] }, headers: { 'idempotency-key': 'save-once' } }
  const [one, other] = [await ada(saveActivations, parts), await ada(saveActivations, parts)]
  expect(planOf(other).id).toBe(planOf(one).id)
  await planAfter(one)
  expect(await seatsOn(ada, FIRST, host)).toEqual({ [id]: 2 })
})

describe('two people on one license server', () => {
  test('the second of two saves at the same time is refused, and gets both versions when it is repeated', async () => {
    const host = newHost()
    const id = await sellLicense(at.portal)
    const basis = await basisOn(host)
    const wanted = { ...wanting({ [id]: 3 }), basis }
    const answers = await Promise.all([save(host, [wanted]), save(host, [wanted], {}, olivia)])
    const won = answers.filter(({ body }) => body.status === 'SUCCESS')
    const lost = answers.filter(({ body }) => body.status !== 'SUCCESS')
    expect([won.length, lost.length]).toEqual([1, 1])
    expect(lost[0]?.body.code).toBe('HOST_BUSY')
    expect((await planAfter(won[0]!)).changes).toEqual([
      { kind: 'activate', customerNumber: FIRST, serverId: host.serverId, activationid: id, count: 3 },
    ])
    const repeated = await save(host, [wanted])
    const seats = [{ id, ansysproduct: expect.any(String), seats: 3 }]
    expect(repeated).toMatchObject({
      status: 409,
      body: {
        code: 'STALE',
        data: {
          current: { sharedBy: [FIRST], customers: [{ customerNumber: FIRST, seats }] },
          yours: { sharedBy: [FIRST], customers: [{ customerNumber: FIRST, seats }] },
        },
      },
    })
    expect(await seatsOn(ada, FIRST, host)).toEqual({ [id]: 3 })
  })

  test('seats that somebody else has removed are a conflict, and the version of the answer can be saved over', async () => {
    const { host, id } = await activeHost(3)
    const added = await sellLicense(at.portal)
    const basis = await basisOn(host)
    const returned = await fulfillmentsOf(host, id)
    await planAfter(await save(host, [{ ...wanting({}, FIRST, returned), basis }]))
    const mine = wanting({ [added]: 2 }, FIRST, returned)
    const answer = await save(host, [{ ...mine, basis }])
    expect(answer).toMatchObject({
      status: 409,
      body: {
        data: { current: { customers: [{ seats: [] }] }, yours: { customers: [{ seats: [{ id: added, seats: 2 }] }] } },
      },
    })
    const { current } = answer.body.data as { current: HeldVersion }
    const plan = await planAfter(await save(host, [{ ...mine, basis: current.customers[0]!.basis ?? '' }]))
    expect(plan.changes).toEqual([
      { kind: 'activate', customerNumber: FIRST, serverId: host.serverId, activationid: added, count: 2 },
    ])
  })

  test('a customer that has joined the license server is a conflict; changes on another server are none', async () => {
    const [{ host, id }, { host: other, id: elsewhere }] = [await activeHost(), await activeHost()]
    const basis = await basisOn(host)
    await activate(ada, FIRST, other, { [elsewhere]: 1 })
    await planAfter(await save(host, [{ ...wanting({ [id]: 4 }), basis }]))
    const later = await basisOn(host)
    await olivia(setSharedServer, { body: { ...about(host), group: [FIRST, SECOND] } })
    expect(await save(host, [{ ...wanting({ [id]: 5 }), basis: later }])).toMatchObject({
      status: 409,
      body: { data: { current: { sharedBy: [FIRST, SECOND] }, yours: { sharedBy: [FIRST] } } },
    })
  })
})

describe('the last seat', () => {
  test('goes to one of two saves at the same time; the other is refused by its element', async () => {
    const id = await sellLicense(at.portal, { line_item_quantity: 1 })
    const hosts = [newHost(), newHost()]
    const answers = await Promise.all(hosts.map((host) => save(host, [wanting({ [id]: 1 })])))
    const [won, lost] = answers.toSorted((one) => (one.body.status === 'SUCCESS' ? -1 : 1))
    expect(lost?.body).toMatchObject({ status: 'FAILURE', code: 'SEAT_GONE', data: [{ id, code: 'SEAT_GONE' }] })
    expect((await planAfter(won!)).state).toBe('done')
  })

  test('is kept for a save from its start on', async () => {
    const id = await sellLicense(at.portal, { line_item_quantity: 1 })
    const host = newHost()
    const answer = await save(host, [wanting({ [id]: 1 })])
    await expect(activate(ada, FIRST, newHost(), { [id]: 1 })).rejects.toThrow('SEAT_GONE')
    expect((await planAfter(answer)).state).toBe('done')
    expect(await seatsOn(ada, FIRST, host)).toEqual({ [id]: 1 })
  })
})

describe('a save', () => {
  test('is refused with 401 for nobody, 403 for view-only people and 404 for other accounts', async () => {
    const host = newHost()
    const id = await sellLicense(at.portal)
    const customers = [wanting({ [id]: 1 })]
    expect((await save(host, customers, {}, await at.portal.as(null))).status).toBe(401)
    expect((await save(host, customers, {}, await at.portal.as(VIC))).status).toBe(403)
    expect((await save(host, [wanting({}, UNMANAGED)])).status).toBe(404)
    expect((await save(host, [...customers, wanting({}, UNMANAGED)])).status).toBe(404)
    expect((await save(host, [wanting({ [id]: 1 }, '999999')])).status).toBe(404)
    expect(await seatsOn(ada, FIRST, host)).toEqual({})
  })

  test('is refused with 400 for a body without customers, and 404 for an unknown host that gets nothing', async () => {
    expect((await save(newHost(), [])).status).toBe(400)
    expect((await save({ ...newHost(), serverId: 'xyz' }, [wanting({})])).status).toBe(400)
    expect((await save({ ...newHost(), serverId: '' }, [wanting({})])).body.err).toBe('Server id is not defined')
    const untyped = await save({ ...newHost(), serverIdType: '' }, [wanting({})])
    expect(untyped).toMatchObject({ status: 400, body: { err: 'Server id type is not defined' } })
    expect((await save(newHost(), [wanting({})])).status).toBe(404)
  })

  test('is refused by its elements for ids that the account does not have', async () => {
    const { host, id } = await activeHost()
    const foreign = await sellLicense(at.portal, { customer_number: SECOND })
    const unknown = await save(host, [wanting({ [foreign]: 1, [id]: 4 })])
    expect(unknown.body).toMatchObject({
      code: 'NO_SUCH_ACTIVATION',
      data: [
        { id: foreign, code: 'NO_SUCH_ACTIVATION' },
        { id, code: 'BATCH_REFUSED' },
      ],
    })
    const returned = await save(host, [wanting({}, FIRST, ['no-such-fulfillment'])])
    expect(returned.body).toMatchObject({ code: 'NO_SUCH_FULFILLMENT', data: [{ id: 'no-such-fulfillment' }] })
    expect(await seatsOn(ada, FIRST, host)).toEqual({ [id]: 3 })
  })

  test('is refused while another plan changes the host, and for a machine that has another name', async () => {
    const { host, id } = await activeHost()
    const running = await save(host, [wanting({ [id]: 4 })])
    expect((await save(host, [wanting({ [id]: 5 })])).body.code).toBe('HOST_BUSY')
    await planAfter(running)
    expect((await save({ ...host, serverName: 'other' }, [wanting({ [id]: 5 })])).body.code).toBe('HOST_IN_USE')
  })

  test('is refused for expired maintenance, unless business operations save', async () => {
    const { host } = await activeHost()
    const id = await at.unmaintained(host)
    const returned = await fulfillmentsOf(host, id)
    expect((await save(host, [wanting({}, FIRST, returned)])).body.code).toBe('MAINTENANCE_EXPIRED')
    await planAfter(await save(host, [wanting({}, FIRST, returned)], {}, olivia))
    expect(await seatsOn(ada, FIRST, host)).not.toHaveProperty(id)
  })

  test('is refused for a customer that shares the machine with somebody else', async () => {
    const { host } = await activeHost()
    const ofSecond = await sellLicense(at.portal, { customer_number: SECOND })
    await activate(ada, SECOND, host, { [ofSecond]: 1 })
    await olivia(setSharedServer, { body: { ...about(host, SECOND), group: [SECOND, UNMANAGED] } })
    const answer = await save(host, [wanting({}), wanting({}, SECOND)])
    expect(answer.body.code).toBe('SHARED_ELSEWHERE')
  })
})

test('a customer whose licenses have expired gets no file, and the file of the others is downloaded and mailed', async () => {
  const host = newHost()
  const [expired, running] = [await sellLicense(at.portal), await sellLicense(at.portal, { customer_number: SECOND })]
  await activate(ada, FIRST, host, { [expired]: 1 })
  await at.portal.db
    .updateTable('entitlement')
    .set({ end_date: '2026-01-31', is_permanent: false })
    .where('activation_id', '=', expired)
    .execute()
  const mails = await mailsOf(FIRST)
  const plan = await planAfter(await save(host, [wanting({}), wanting({ [running]: 2 }, SECOND)], { email: true }))
  expect(plan).toMatchObject({ state: 'done', failure: null, licensed: [SECOND] })
  const { licenseText } = (await ada(downloadLicense, { body: { customerNumber: SECOND, ...host } })).body
  expect(licenseText).toContain(running)
  expect(await mailsOf(FIRST)).toBe(mails + 1)
})

describe('an error stops a save at its step', () => {
  test('a host without licenses gets no file, and the plan says where it stopped', async () => {
    const host = newHost()
    const id = await sellLicense(at.portal)
    await activate(ada, FIRST, host, { [id]: 1 })
    await planAfter(await save(host, [wanting({}, FIRST, await fulfillmentsOf(host, id))]))
    const plan = await planAfter(await save(host, [wanting({})]))
    expect(plan).toMatchObject({
      state: 'failed',
      step: 'generate',
      failure: { code: 'NO_LICENSES', err: noDaemonsError(host.serverId) },
    })
  })

  test('export compliance is checked again before seats are activated, and the host is free afterwards', async () => {
    const { host, id } = await activeHost()
    const deny = (export_control_status: string) =>
      at.portal.db.updateTable('account').set({ export_control_status }).where('customer_number', '=', FIRST).execute()
    const answer = await save(host, [wanting({ [id]: 5 })])
    await deny('Denied')
    await carryOut(at.portal, FIRST, answer)
    await deny('')
    const plan = planOf(await ada(getPlan, { body: { customerNumber: FIRST, id: planOf(answer).id } }))
    expect(plan).toMatchObject({
      state: 'failed',
      step: 'create',
      failure: { code: 'EXPORT_DENIED', err: EXPORT_DENIED },
    })
    expect(await seatsOn(ada, FIRST, host)).toEqual({ [id]: 3 })
    await activate(ada, FIRST, host, { [id]: 7 })
  })
})

test('customers that the person does not manage leave the group and are notified', async () => {
  const { host, id } = await activeHost()
  await olivia(setSharedServer, { body: { ...about(host), group: [FIRST, UNMANAGED] } })
  const mails = await mailsOf(UNMANAGED)
  await planAfter(await save(host, [wanting({ [id]: 4 })]))
  expect(await at.members(host)).toEqual([])
  expect(await mailsOf(UNMANAGED)).toBe(mails + 1)
})
