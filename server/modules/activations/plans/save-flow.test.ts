import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  deactivateSharedServer,
  overrideCustomers,
  serverCustomers,
  setSharedServer,
} from '#contract/activations/hosts/shared-server.ts'
import { downloadLicense, emailLicense, generateLicense } from '#contract/activations/license-files/license-files.ts'
import { allEntitlements } from '#contract/activations/seats/activations.ts'
import { createFulfillments, returnFulfillments } from '#contract/activations/seats/change-seats.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import type { GroupMember } from '#domain/activations/hosts/shared-server.ts'
import type { PlanStep } from '#domain/activations/plans/plan.ts'
import { idempotencyKey, stepKey } from '#domain/activations/plans/plan-key.ts'
import { runPlan, StepError } from '#domain/activations/plans/run-plan.ts'
import { planSave, type Reached } from '#domain/activations/plans/save-plan.ts'
import type { SeatGoal } from '#domain/activations/seats/seat-goal.ts'
import { ADA, type Call, hostOf, NEW_HOST, OLIVIA, rowsOf, sellLicense } from '#server/testing/activations.ts'
import { type Answer, type Portal, startPortal } from '#server/testing/portal.ts'

/*
 * The whole save flow through the real operations: two customers on a new host, seats that leave and seats that come, a
 * group that changes, the license file and its email. It is interrupted before and after every single step.
 */
const FIRST = '100001'
const SECOND = '100002'
const UNMANAGED = '100003'
const MANY = 30
/** Returning, override, two steps of the group, three batches, two files, refreshing, download and email. */
const STEPS = 12

let portal: Portal
let ada: Call
let saves = 0
beforeAll(async () => {
  portal = await startPortal()
  ada = await portal.as(ADA)
})
afterAll(() => portal.close())

/** What a save starts from: seats of both customers, and more of the first than fit into one batch. */
async function situation() {
  const host = { ...NEW_HOST, serverId: (++saves).toString(16).padStart(12, 'a') }
  const sell = (customer_number: string) => sellLicense(portal, { customer_number })
  const leaving = [await sell(FIRST), await sell(FIRST)]
  const staying = await sell(FIRST)
  const added = await Promise.all(Array.from({ length: MANY }, () => sell(FIRST)))
  const ofSecond = await sell(SECOND)
  const create = (customerNumber: string, ids: string[]) =>
    ada(createFulfillments, {
      body: { customerNumber, ...host, activations: ids.map((id) => ({ id, count: 2 })) },
    })
  await create(FIRST, [...leaving, staying])
  // Somebody that Ada does not manage shares the server: the save takes it out and sets a group of its own.
  const olivia = await portal.as(OLIVIA)
  await olivia(setSharedServer, { body: { customerNumber: FIRST, ...hostOf(host), group: [FIRST, UNMANAGED] } })
  const { held } = await reached(host, new Set())
  const goals: SeatGoal[] = [
    {
      customerNumber: FIRST,
      customerName: '',
      returned: held
        .filter(({ activationId }) => leaving.includes(activationId))
        .map(({ activationId, FulfillmentID }) => ({ activationId, fulfillmentId: FulfillmentID })),
      wanted: [{ activationId: staying, seats: 5 }, ...added.map((activationId) => ({ activationId, seats: 1 }))],
    },
    { customerNumber: SECOND, customerName: '', returned: [], wanted: [{ activationId: ofSecond, seats: 4 }] },
  ]
  const names = new Map(
    [...leaving, staying, ...added, ofSecond].map((activationId, at) => [activationId, `entitlement ${at}`]),
  )
  return { host, goals, names }
}

async function reached(host: HostIdentity, done: ReadonlySet<string>): Promise<Reached> {
  const held = await Promise.all(
    [FIRST, SECOND].map(async (customerNumber) => {
      const answer = await ada(allEntitlements, { body: { customerNumber, serverId: host.serverId, activeOnly: true } })
      return rowsOf(answer)
        .filter((row) => row.customerNumber === customerNumber)
        .flatMap(({ ActivationId, AnsysFulfillments }) =>
          AnsysFulfillments.map((one) => ({ ...one, customerNumber, activationId: ActivationId })),
        )
    }),
  )
  const members = (await ada(serverCustomers, { body: { customerNumber: FIRST, ...hostOf(host) } })).body.data
  return { held: held.flat(), members: (members ?? []) as GroupMember[], done }
}

function operationOf(step: PlanStep): Parameters<Call> | undefined {
  const { host } = step
  if (step.kind === 'return')
    return [
      returnFulfillments,
      { body: { customerNumber: step.customerNumber, action: step.action, activations: step.activations } },
    ]
  if (step.kind === 'create') {
    const { customerNumber, action, activations } = step
    return [createFulfillments, { body: { customerNumber, action, ...host, activations } }]
  }
  if (step.kind === 'override')
    return [overrideCustomers, { body: { customerNumber: step.customerNumber, ...hostOf(host) } }]
  if (step.kind === 'deactivate group')
    return [deactivateSharedServer, { body: { customerNumber: step.customerNumber, ...hostOf(host) } }]
  if (step.kind === 'set group')
    return [setSharedServer, { body: { customerNumber: step.customerNumber, ...hostOf(host), group: step.group } }]
  if (step.kind === 'generate') return [generateLicense, { body: { customerNumber: step.customerNumber, ...host } }]
  if (step.kind === 'download') return [downloadLicense, { body: { customerNumber: step.customerNumbers[0], ...host } }]
  if (step.kind === 'email') {
    const { customerNumber, supportEmailTo, supportEmailCc } = step
    const { serverName, serverId } = host
    return [emailLicense, { body: { customerNumber, serverName, serverId, supportEmailTo, supportEmailCc } }]
  }
  return undefined
}

/** Where the connection breaks: before the step reaches the server, or after it was done and before the answer arrives. */
type Interruption = { readonly at: number; readonly when: 'before' | 'after' }

async function save({ host, goals, names }: Awaited<ReturnType<typeof situation>>, interruption?: Interruption) {
  const saveId = `save-${saves}`
  const done = new Set<string>()
  let begun = 0
  const perform = async (step: PlanStep) => {
    const isHit = begun++ === interruption?.at
    if (isHit && interruption.when === 'before') throw new Error('interrupted')
    const call = operationOf(step)
    if (call) {
      const [operation, parts] = call
      const headers = { 'idempotency-key': idempotencyKey(saveId, step) }
      const { body }: Answer = await ada(operation, { ...parts, headers })
      if (body.status !== 'SUCCESS') throw new Error(JSON.stringify(body))
    }
    if (isHit) throw new Error('interrupted')
    done.add(stepKey(step))
  }
  const mail = { supportEmailTo: '', supportEmailCc: '' }
  const run = async () => runPlan(planSave({ host, goals, mail }, await reached(host, done)), perform)
  const failure = await run().then(
    () => undefined,
    (error: unknown) => error,
  )
  if (failure !== undefined) {
    expect(failure).toBeInstanceOf(StepError)
    expect((failure as Error).message).toBe('interrupted')
    await run()
  }
  return { begun, wasInterrupted: failure !== undefined, state: await loadState(host, names) }
}

/** Seats, group and license file, without what is different for every host and entitlement of these tests. */
async function loadState(host: HostIdentity, names: ReadonlyMap<string, string>) {
  const { held, members } = await reached(host, new Set())
  const seats = Map.groupBy(held, ({ customerNumber, activationId }) => `${customerNumber} ${names.get(activationId)}`)
  const { body } = await ada(downloadLicense, { body: { customerNumber: FIRST, ...host } })
  const text = [...names]
    .reduce((all, [id, name]) => all.replaceAll(id, name), String(body.licenseText))
    .replaceAll(host.serverId, 'host')
    .replace(/SIGN="[^"]*"/g, 'SIGN')
    .replace(/\\\n\t/g, '')
  const { files } = await portal.db
    .selectFrom('license_file')
    .select(({ fn }) => fn.countAll<string>().as('files'))
    .where('host_id', '=', host.serverId)
    .executeTakeFirstOrThrow()
  expect(Number(files)).toBeGreaterThanOrEqual(2)
  return {
    seats: [...seats].map(([key, all]) => [key, all.reduce((sum, one) => sum + one.FulfillCount, 0)]).sort(),
    members: members.map(({ customerNumber }) => customerNumber),
    lines: body.data,
    licenses: text
      .split('\n')
      .filter((line) => line.startsWith('INCREMENT'))
      .sort(),
  }
}

describe('a save that is interrupted and run again ends like an uninterrupted one', () => {
  let straight: Awaited<ReturnType<typeof save>>
  beforeAll(async () => {
    straight = await save(await situation())
  })

  test('the uninterrupted save does everything', () => {
    expect(straight.state.members).toEqual([FIRST, SECOND])
    expect(straight.state.seats).toHaveLength(MANY + 2)
    expect(straight.state.lines).toEqual(
      [FIRST, SECOND].map((customerNumber) => ({ customerNumber, status: 'SUCCESS' })),
    )
    // Structural Mechanics Pro has two features.
    expect(straight.state.licenses).toHaveLength((MANY + 2) * 2)
    expect(straight.begun).toBe(STEPS)
  })

  test.each(
    Array.from({ length: STEPS }, (_, at) => at).flatMap((at) => [[at, 'before'] as const, [at, 'after'] as const]),
  )('at step %i, %s the server did it', async (at, when) => {
    const stopped = await save(await situation(), { at, when })
    expect(stopped.wasInterrupted).toBe(true)
    expect(stopped.state).toEqual(straight.state)
  })
})
