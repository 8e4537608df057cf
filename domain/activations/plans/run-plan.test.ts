import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planDeactivate } from '#domain/activations/plans/deactivate-plan.ts'
import { inPool, type PlanStep, type Stage } from '#domain/activations/plans/plan.ts'
import { stepKey } from '#domain/activations/plans/plan-key.ts'
import { planRehost } from '#domain/activations/plans/rehost-plan.ts'
import { runPlan, StepError } from '#domain/activations/plans/run-plan.ts'
import { planSave } from '#domain/activations/plans/save-plan.ts'
import type { HeldSeats, SeatGoal } from '#domain/activations/seats/seat-goal.ts'
import { HOST, OTHER_HOST } from '#domain/activations/testing/samples.ts'

const generate = (customerNumber: string): PlanStep => ({
  kind: 'generate',
  host: HOST,
  customerNumber,
  customerName: '',
})
const steps = Array.from({ length: 20 }, (_, index) => generate(String(index)))

test('runs at most six steps at a time, and every stage after the one before it', async () => {
  const [order, running] = [[] as string[], new Set<PlanStep>()]
  let most = 0
  await runPlan([inPool(steps), { steps: [{ kind: 'refresh', host: HOST }], parallel: 1 }], async (step) => {
    running.add(step)
    most = Math.max(most, running.size)
    await Promise.resolve()
    running.delete(step)
    order.push(step.kind)
  })
  expect(most).toBe(6)
  expect(order).toEqual([...steps.map(() => 'generate'), 'refresh'])
})

test('starts no step after the first error, and names the failed step', async () => {
  const begun: PlanStep[] = []
  const run = runPlan([inPool(steps), inPool(steps)], async (step) => {
    begun.push(step)
    await Promise.resolve()
    if (step === steps[2]) throw new Error('seat gone')
  })
  await expect(run).rejects.toMatchObject({ name: 'StepError', message: 'seat gone', step: steps[2] })
  expect(begun.length).toBeLessThan(10)
})

/** A license server as the ledger knows it, on which steps are performed one after the other. */
class Ledger {
  readonly seats = new Map<string, HeldSeats & { host: string }>()
  readonly groups = new Map<string, readonly string[]>()
  readonly done = new Set<string>()
  #next = 0

  activate(host: string, customerNumber: string, activationId: string, FulfillCount: number) {
    const FulfillmentID = `${activationId}/${++this.#next}`
    this.seats.set(FulfillmentID, { host, customerNumber, activationId, FulfillmentID, FulfillCount })
  }

  on(host: string) {
    const held = [...this.seats.values()].filter((one) => one.host === host)
    const members = (this.groups.get(host) ?? []).map((customerNumber) => ({ customerNumber, isManaged: true }))
    return { held, members, done: this.done }
  }

  perform(step: PlanStep) {
    const host = step.host.serverId
    if (step.kind === 'return')
      for (const { id, count } of step.activations) {
        const held = this.seats.get(id)
        if (!held || held.FulfillCount !== -count) throw new Error(`${id} is not there`)
        this.seats.delete(id)
      }
    if (step.kind === 'create')
      for (const { id, count } of step.activations) this.activate(host, step.customerNumber, id, count)
    if (step.kind === 'deactivate group') this.groups.delete(host)
    if (step.kind === 'set group') this.groups.set(host, step.group)
    this.done.add(stepKey(step))
  }

  /** Seats per host, customer and entitlement, whatever the fulfillments are called. */
  summary() {
    const sums = new Map<string, number>()
    for (const { host, customerNumber, activationId, FulfillCount } of this.seats.values()) {
      const key = `${host} ${customerNumber} ${activationId}`
      sums.set(key, (sums.get(key) ?? 0) + FulfillCount)
    }
    return { seats: [...sums].sort(), groups: [...this.groups].sort() }
  }
}

describe('an interrupted flow that is run again ends like an uninterrupted one', () => {
  const entitlements = fc.uniqueArray(
    fc.integer({ min: 1, max: 90 }).map((number) => `e${number}`),
    { maxLength: 60 },
  )
  const situation = fc.record({
    customers: fc.subarray(['1', '2', '3'], { minLength: 1 }),
    there: entitlements,
    added: entitlements,
    leaves: fc.func(fc.boolean()),
    group: fc.subarray(['1', '2', '3']).filter((group) => group.length !== 1),
    stops: fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 6 }),
  })
  type Situation = typeof situation extends fc.Arbitrary<infer S> ? S : never

  function begin({ customers, there, group }: Situation) {
    const ledger = new Ledger()
    for (const customer of customers) for (const id of there) ledger.activate(HOST.serverId, customer, id, 2)
    if (group.length) ledger.groups.set(HOST.serverId, group)
    return ledger
  }

  function goalsOf({ customers, added, leaves }: Situation, ledger: Ledger): SeatGoal[] {
    return customers.map((customerNumber) => {
      const own = ledger.on(HOST.serverId).held.filter((one) => one.customerNumber === customerNumber)
      const returned = own.filter(({ activationId }) => leaves(activationId))
      const staying = own.filter(({ activationId }) => !leaves(activationId))
      return {
        customerNumber,
        customerName: '',
        returned: returned.map(({ activationId, FulfillmentID }) => ({ activationId, fulfillmentId: FulfillmentID })),
        wanted: added.map((activationId) => ({
          activationId,
          seats: 3 + staying.filter((one) => one.activationId === activationId).length * 2,
        })),
      }
    })
  }

  /** Performs so many steps of each plan and asks for a new one, until there is nothing left to do on the ledger. */
  async function run(ledger: Ledger, plan: () => readonly Stage[], stops: readonly number[]) {
    for (const stop of stops) {
      let left = stop
      const interrupted = runPlan(plan(), async (step) => {
        if (left-- <= 0) throw new Error('interrupted')
        ledger.perform(step)
      })
      await interrupted.catch((error) => expect(error).toBeInstanceOf(StepError))
    }
    await runPlan(plan(), async (step) => ledger.perform(step))
    return ledger.summary()
  }

  const plans: [string, (goals: SeatGoal[], ledger: Ledger) => readonly Stage[]][] = [
    ['save', (goals, ledger) => planSave({ host: HOST, goals, mail: undefined }, ledger.on(HOST.serverId))],
    [
      'rehost',
      (goals, ledger) =>
        planRehost(
          { goals, isSourceLeft: true },
          { host: HOST, ...ledger.on(HOST.serverId) },
          { host: OTHER_HOST, ...ledger.on(OTHER_HOST.serverId) },
        ),
    ],
    [
      'deactivate',
      (goals, ledger) => planDeactivate({ host: HOST, goals, isHostLeft: true }, ledger.on(HOST.serverId)),
    ],
  ]

  test.each(plans)('%s', async (_, plan) => {
    await fc.assert(
      fc.asyncProperty(situation, async (one) => {
        const [straight, stopped] = [begin(one), begin(one)]
        const [goals, sameGoals] = [goalsOf(one, straight), goalsOf(one, stopped)]
        const expected = await run(straight, () => plan(goals, straight), [])
        expect(await run(stopped, () => plan(sameGoals, stopped), one.stops)).toEqual(expected)
        const rest = plan(goals, straight).flatMap(({ steps: left }) => left.map(({ kind }) => kind))
        expect(rest).not.toContain('return')
        expect(rest).not.toContain('create')
      }),
      { numRuns: 60 },
    )
  })
})
