import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverCustomers, setSharedServer } from '#contract/activations/hosts/shared-server.ts'
import { getPlan } from '#contract/activations/plans/host-plans.ts'
import {
  deactivateServer,
  rehostServer,
  renewEntitlements,
  saveActivations,
} from '#contract/activations/plans/start-plans.ts'
import { createFulfillments } from '#contract/activations/seats/change-seats.ts'
import type { Operation } from '#contract/kit/operation.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { buildApp } from '#server/app.ts'
import { SIGN_IN_PEOPLE } from '#server/demo/sign-in-people.ts'
import { ADA, type Call, hostOf, OLIVIA, sellLicense } from '#server/testing/activations.ts'
import { isFullRun } from '#server/testing/full-run.ts'
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
import { until } from '#server/testing/until.ts'

/*
 * Plans that are killed at every step: before it, within its transaction, and after its commit. Started again with the
 * same Idempotency-Key and carried out again, each ends like an uninterrupted plan.
 */
const FIRST = '100001'
const SECOND = '100002'

let portal: Portal
let ada: Call
beforeAll(async () => {
  portal = await startPlanPortal()
  ada = await portal.as(ADA)
})
afterAll(async () => {
  expect(await brokenRules(portal)).toEqual([])
  await portal.close()
})

const today = () => portal.clock.now().toISOString().slice(0, 10)

type Situation = {
  readonly operation: Operation
  readonly body: object
  /** All hosts that take part. */
  readonly hosts: readonly HostIdentity[]
  /** Entitlements by their part in the situation. */
  readonly names: ReadonlyMap<string, string>
}

/** A triad that two customers share, of which one product stays behind. */
async function rehost(): Promise<Situation> {
  const [source, target] = [newTriad(), newTriad()]
  const { names, about } = await shared(source)
  return { operation: rehostServer, body: { ...about, target }, hosts: [source, target], names }
}

async function deactivate(): Promise<Situation> {
  const source = newHost()
  const { names, about } = await shared(source)
  return { operation: deactivateServer, body: about, hosts: [source], names }
}

/** Two renewals, of which each has exactly the seats that end, and one of which has not started yet. */
async function renew(): Promise<Situation> {
  const source = newHost()
  const { names, about } = await shared(source)
  // What starts first renews first: no other entitlement of the account comes before this one.
  const running = { product_name: 'Optical Ray Studio', line_item_quantity: 3, start_date: '1990-01-01' }
  // The account has this product as a network license only, so that nothing else renews it.
  const waiting = { product_name: 'Chip Thermal Signoff', line_item_quantity: 3, license_model: 'Node Locked' }
  const ending = { end_date: addDays(today(), 30) }
  const later = { end_date: addDays(today(), 400) }
  const sold = {
    'ends, renewed today': await sellLicense(portal, { ...running, ...ending }),
    'ends, renewed later': await sellLicense(portal, { ...waiting, ...ending }),
    renewal: await sellLicense(portal, { ...running, ...later }),
    'renewal that waits': await sellLicense(portal, { ...waiting, ...later, start_date: addDays(today(), 31) }),
  }
  await activate(ada, FIRST, source, { [sold['ends, renewed today']]: 3, [sold['ends, renewed later']]: 3 })
  for (const [name, id] of Object.entries(sold)) names.set(id, name)
  return { operation: renewEntitlements, body: about, hosts: [source], names }
}

/** Seats that leave and seats that come, a customer that joins and one that has to leave, the files and the email. */
async function save(): Promise<Situation> {
  const host = newHost()
  const ids = [
    await sellLicense(portal),
    await sellLicense(portal),
    await sellLicense(portal),
    await sellLicense(portal, { customer_number: SECOND }),
  ]
  const [leaving, staying, added, ofSecond] = ids as [string, string, string, string]
  const names = new Map(ids.map((id, at) => [id, `entitlement ${at}`]))
  await activate(ada, FIRST, host, { [leaving]: 2, [staying]: 2 })
  const olivia = await portal.as(OLIVIA)
  await olivia(setSharedServer, { body: { customerNumber: FIRST, ...hostOf(host), group: [FIRST, '100003'] } })
  const rows = await portal.db
    .selectFrom('fulfillment')
    .select('fulfillment_id')
    .where('activation_id', '=', leaving)
    .execute()
  const returned = rows.map((row) => row.fulfillment_id)
  const wanted = [
    { id: staying, seats: 5 },
    { id: added, seats: 1 },
  ]
  const customers = [
    { customerNumber: FIRST, returned, wanted },
    { customerNumber: SECOND, wanted: [{ id: ofSecond, seats: 4 }] },
  ]
  return { operation: saveActivations, body: { ...host, email: true, customers }, hosts: [host], names }
}

async function shared(host: HostIdentity) {
  const ids = [
    await sellLicense(portal),
    await sellLicense(portal),
    await sellLicense(portal, { customer_number: SECOND }),
  ]
  const names = new Map(ids.map((id, at) => [id, `entitlement ${at}`]))
  await activate(ada, FIRST, host, { [ids[0]!]: 2, [ids[1]!]: 5 })
  await activate(ada, FIRST, host, { [ids[0]!]: 3 })
  await activate(ada, SECOND, host, { [ids[2]!]: 4 })
  const about = { customerNumber: FIRST, ...hostOf(host) }
  await ada(setSharedServer, { body: { ...about, group: [FIRST, SECOND] } })
  return { names, about }
}

/**
 * Seats, groups, states and license files, without values that differ for every host and entitlement of these tests.
 */
async function loadState({ hosts, names }: Situation, answer: Answer) {
  const { body } = await ada(getPlan, { body: { customerNumber: FIRST, id: planOf(answer).id } })
  const onHosts = []
  for (const host of hosts)
    for (const customerNumber of [FIRST, SECOND]) {
      const seats = await seatsOn(ada, customerNumber, host)
      const server = await stateIn(ada, customerNumber, host)
      const files = await portal.db
        .selectFrom('license_file')
        .select('own_text')
        .where('customer_number', '=', customerNumber)
        .where('host_id', '=', host.serverId)
        .execute()
      onHosts.push({
        customerNumber,
        seats: Object.entries(seats)
          .map(([id, count]) => `${names.get(id)}: ${count}`)
          .sort(),
        state: server?.state,
        isOutOfDate: server?.isOutOfDate,
        group: (await ada(serverCustomers, { body: { customerNumber, ...hostOf(host) } })).body.data,
        files: files.map(({ own_text }) => [...names].filter(([id]) => own_text.includes(id)).map(([, name]) => name)),
      })
    }
  const { state, done, total, mailedTo } = planOf({ ...answer, body })
  return { state, done, total, mailedTo, mails: await countMails(answer), onHosts }
}

/** Emails with a license file that the plan has sent. */
async function countMails(answer: Answer): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select from audit_log where after ->> 'plan' = ${planOf(answer).id} and after ->> 'step' = 'email'`.execute(
    portal.db,
  )
  return rows.length
}

let attempts = 0

async function perform(situation: Situation, killedAt?: number) {
  const { operation, body } = situation
  const headers = { 'idempotency-key': `attempt-${++attempts}` }
  const answer = await ada(operation, { body, headers })
  let places = 0
  const failure = await carryOut(portal, FIRST, answer, () => {
    if (places++ === killedAt) throw new Error('killed')
  }).then(
    () => undefined,
    (error: Error) => error.message,
  )
  if (killedAt !== undefined) {
    const again = await ada(operation, { body, headers })
    expect(planOf(again).id).toBe(planOf(answer).id)
    await carryOut(portal, FIRST, again)
  }
  return { places, failure, state: await loadState(situation, answer) }
}

/** Each kind with its number of steps (returns, groups, creates, files) and the seats afterwards. */
describe.each([
  [
    'rehost',
    rehost,
    8,
    [
      [FIRST, 'Inactive'],
      [SECOND, 'Inactive'],
      [FIRST, 'Active', 'entitlement 0: 5', 'entitlement 1: 5'],
      [SECOND, 'Active', 'entitlement 2: 4'],
    ],
  ],
  [
    'deactivate',
    deactivate,
    3,
    [
      [FIRST, 'Inactive'],
      [SECOND, 'Inactive'],
    ],
  ],
  [
    'renew',
    renew,
    4,
    [
      [
        FIRST,
        'Active',
        'ends, renewed later: 3',
        'entitlement 0: 5',
        'entitlement 1: 5',
        'renewal that waits: 3',
        'renewal: 3',
      ],
      [SECOND, 'Active', 'entitlement 2: 4'],
    ],
  ],
  [
    'save',
    save,
    9,
    [
      [FIRST, 'Active', 'entitlement 1: 5', 'entitlement 2: 1'],
      [SECOND, 'Active', 'entitlement 3: 4'],
    ],
  ],
] as const)('a plan of the kind %s', (kind, situation, steps, seats) => {
  let straight: Awaited<ReturnType<typeof perform>>
  beforeAll(async () => {
    straight = await perform(await situation())
  })

  test('does everything when it is not interrupted', () => {
    expect(straight.failure).toBeUndefined()
    expect(straight.state).toMatchObject({ state: 'done', done: steps, total: steps })
    expect(straight.places).toBe(steps * 3)
    expect(straight.state.onHosts.map((one) => [one.customerNumber, one.state, ...one.seats.flat()])).toEqual(seats)
    for (const one of straight.state.onHosts) expect(one.isOutOfDate).toBe(false)
  })

  const places = Array.from(
    { length: steps * 3 },
    (__, at) => [Math.floor(at / 3) + 1, ['before', 'within', 'after'][at % 3]!, at] as const,
  )
  // The kinds share their steps. Every point of a save is tried, for other kinds one point of every step in turn.
  const isTried = ([step, , at]: (typeof places)[number]) => isFullRun || kind === 'save' || at % 3 === step % 3
  test.each(places.filter(isTried))('ends in the same state if it is killed at step %i, %s it', async (__, ___, at) => {
    const killed = await perform(await situation(), at)
    expect(killed.failure).toBe('killed')
    expect(killed.state).toEqual(straight.state)
  })
})

test('the next start of the portal resumes a plan whose process died', async () => {
  const dying = await startPlanPortal()
  const call = await dying.as(ADA)
  const [source, target] = [newHost(), newHost()]
  const id = await sellLicense(dying)
  await activate(call, FIRST, source, { [id]: 4 })
  const answer = await call(rehostServer, { body: { customerNumber: FIRST, ...hostOf(source), target } })
  let places = 0
  const killed = carryOut(dying, FIRST, answer, () => {
    if (++places > 4) throw new Error('killed')
  })
  await expect(killed).rejects.toThrow('killed')
  await dying.app.close()

  const { db, pool, config, clock } = dying
  const next = await buildApp({ db, pool, config, clock, people: SIGN_IN_PEOPLE })
  await next.ready()
  const isDone = async () => {
    const plan = await db.selectFrom('host_plan').select('state').executeTakeFirstOrThrow()
    return plan.state === 'done'
  }
  await until(isDone, 'nobody took up the plan')
  const seats = await db.selectFrom('host_seats').select(['host_id', 'seats']).where('activation_id', '=', id).execute()
  expect(seats.map((one) => [one.host_id, one.seats]).sort()).toEqual([
    [source.serverId, 0],
    [target.serverId, 4],
  ])
  await next.close()
  await dying.close()
})

describe('concurrent plans', () => {
  test('accept one of two rehosts of the same host', async () => {
    const { body, hosts } = await rehost()
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => ada(rehostServer, { body: { ...body, target: newHost() } })),
    )
    const accepted = answers.filter((one) => one.body.status === 'SUCCESS')
    expect(accepted).toHaveLength(1)
    expect(new Set(answers.filter((one) => one !== accepted[0]).map((one) => one.body.code))).toEqual(
      new Set(['HOST_BUSY']),
    )
    await carryOut(portal, FIRST, accepted[0]!)
    const target = planOf(accepted[0]!).target!
    expect(Object.values(await seatsOn(ada, FIRST, target)).sort()).toEqual([5, 5])
    expect(await seatsOn(ada, FIRST, hosts[0]!)).toEqual({})
  })

  test('run each step once although two processes carry out the same plan', async () => {
    const situation = await rehost()
    const answer = await ada(rehostServer, { body: situation.body })
    await Promise.all(Array.from({ length: 3 }, () => carryOut(portal, FIRST, answer)))
    const target = situation.hosts[1]!
    expect(Object.values(await seatsOn(ada, FIRST, target)).sort()).toEqual([5, 5])
    expect(Object.values(await seatsOn(ada, SECOND, target))).toEqual([4])
    const { state } = await loadState(situation, answer)
    expect(state).toBe('done')
  })

  test('keep the seats of a rehost from being activated elsewhere', async () => {
    const [source, target] = [newHost(), newHost()]
    const ids = await Promise.all(Array.from({ length: 4 }, () => sellLicense(portal, { line_item_quantity: 3 })))
    await activate(ada, FIRST, source, Object.fromEntries(ids.map((id) => [id, 3])))
    const answer = await ada(rehostServer, { body: { customerNumber: FIRST, ...hostOf(source), target } })
    const thief = newHost()
    const grab = async () => {
      const activations = ids.map((id) => ({ id, count: 1 }))
      return (await ada(createFulfillments, { body: { customerNumber: FIRST, ...thief, activations } })).body.code
    }
    const [codes] = await Promise.all([Promise.all(Array.from({ length: 12 }, grab)), carryOut(portal, FIRST, answer)])
    expect(new Set(codes)).toEqual(new Set(['SEAT_GONE']))
    expect(await seatsOn(ada, FIRST, target)).toEqual(Object.fromEntries(ids.map((id) => [id, 3])))
  })

  test('leave seats that were activated on the source during a rehost, and keep the source active', async () => {
    const { body, hosts, names } = await rehost()
    const [answer] = await Promise.all([
      ada(rehostServer, { body }),
      ada(createFulfillments, {
        body: { customerNumber: FIRST, ...hosts[0]!, activations: [{ id: [...names.keys()][0], count: 1 }] },
      }),
    ])
    if (answer.body.status === 'SUCCESS') await carryOut(portal, FIRST, answer)
    const all = [await seatsOn(ada, FIRST, hosts[0]!), await seatsOn(ada, FIRST, hosts[1]!)]
    const total = all.flatMap((one) => Object.values(one)).reduce((sum, one) => sum + one, 0)
    expect([10, 11]).toContain(total)
  })
})
