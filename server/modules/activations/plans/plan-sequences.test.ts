import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeSharedServer, setSharedServer } from '#contract/activations/hosts/shared-server.ts'
import {
  deactivateServer,
  forceReturn,
  rehostServer,
  renewEntitlements,
} from '#contract/activations/plans/start-plans.ts'
import { allEntitlements } from '#contract/activations/seats/activations.ts'
import { createFulfillments, returnFulfillments } from '#contract/activations/seats/change-seats.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { type Call, hostOf, OLIVIA, rowsOf, sellLicense } from '#server/testing/activations.ts'
import { isFullRun } from '#server/testing/full-run.ts'
import { brokenRules, carryOut, newHost, startPlanPortal, stateIn } from '#server/testing/host-plans.ts'
import type { Answer, Portal } from '#server/testing/portal.ts'

/*
 * Random sequences of changes to shared hosts, with plans interrupted anywhere: the ledger's sums match, no entitlement
 * exceeds its quantity, and none is below zero on a host. PLAN_SEQUENCES says how many sequences are tried.
 */
const SEQUENCES = Number(process.env.PLAN_SEQUENCES ?? (isFullRun ? 2000 : 60))
const CUSTOMERS = ['100001', '100002']
const HOSTS = 2

const customer = fc.constantFrom(...CUSTOMERS)
const host = fc.nat({ max: HOSTS - 1 })
/** The step at which a plan is interrupted, if any: a later step of the sequence, or its end, resumes it. */
const killedAt = fc.option(fc.nat({ max: 12 }), { nil: undefined, freq: 2 })
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('activate'),
      customer,
      host,
      which: fc.nat({ max: 1 }),
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('return'),
      customer,
      host,
      which: fc.nat({ max: 5 }),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('share'), host }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rehost'), customer, host, target: host, killedAt }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('renew'), customer, host: fc.option(host), killedAt }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('deactivate'), customer, host, killedAt }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('force return'), customer, host, killedAt }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete'), customer, host }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('carry on') }) },
) as fc.Arbitrary<Step>

type Step =
  | { kind: 'activate' | 'return'; customer: string; host: number; which: number; count: number }
  | { kind: 'share'; host: number }
  | { kind: 'rehost'; customer: string; host: number; target: number; killedAt?: number }
  | { kind: 'renew'; customer: string; host: number | null; killedAt?: number }
  | { kind: 'deactivate' | 'force return'; customer: string; host: number; killedAt?: number }
  | { kind: 'delete'; customer: string; host: number }
  | { kind: 'carry on' }

/** Random sequences rarely delete a host. These are always tried, so that every kind of step is done in every run. */
const here = { customer: '100001', host: 0 }
const toTheEnd = { ...here, killedAt: undefined }
const activateTwo: Step = { kind: 'activate', ...here, which: 0, count: 2 }
const ALWAYS_TRIED: Step[][] = [
  [activateTwo, { kind: 'deactivate', ...toTheEnd }, { kind: 'delete', ...here }],
  [activateTwo, { kind: 'return', ...here, which: 0, count: 1 }, { kind: 'force return', ...toTheEnd }],
  [activateTwo, { kind: 'share', host: 0 }, { kind: 'rehost', ...toTheEnd, target: 1 }],
  [activateTwo, { kind: 'renew', ...toTheEnd, host: null }],
]

let portal: Portal
let olivia: Call
beforeAll(async () => {
  portal = await startPlanPortal()
  olivia = await portal.as(OLIVIA)
})
afterAll(() => portal.close())

/** A few hosts, and for each customer something that ends soon and something that renews it. */
async function newWorld() {
  const today = portal.clock.now().toISOString().slice(0, 10)
  const sold = new Map<string, string[]>()
  for (const customer_number of CUSTOMERS) {
    const one = { customer_number, product_name: 'Photonic Circuit Designer', line_item_quantity: 6 }
    sold.set(customer_number, [
      await sellLicense(portal, { ...one, end_date: addDays(today, 20) }),
      await sellLicense(portal, { ...one, end_date: addDays(today, 300) }),
    ])
  }
  return { hosts: Array.from({ length: HOSTS }, () => newHost()), sold, stopped: [] as [string, Answer][] }
}
type World = Awaited<ReturnType<typeof newWorld>>

const done: Record<string, number> = {}

async function take(world: World, one: Step): Promise<void> {
  if (one.kind === 'carry on') return carryOn(world)
  const [answer, owner] = await ask(world, one)
  expect(answer.status, JSON.stringify([one, answer.body])).toBeOneOf([200, 404])
  if (answer.body.status !== 'SUCCESS') return
  done[one.kind] = (done[one.kind] ?? 0) + 1
  if (!('killedAt' in one)) return
  let places = 0
  await carryOut(portal, owner, answer, () => {
    if (places++ === one.killedAt) throw new Error('killed')
  }).catch((error: Error) => {
    if (error.message !== 'killed') throw error
    world.stopped.push([owner, answer])
  })
}

async function carryOn({ stopped }: World): Promise<void> {
  for (const [owner, answer] of stopped.splice(0)) await carryOut(portal, owner, answer)
}

async function ask(world: World, one: Exclude<Step, { kind: 'carry on' }>): Promise<[Answer, string]> {
  const at = (index: number) => world.hosts[index] as HostIdentity
  const owner = 'customer' in one ? one.customer : CUSTOMERS[0]!
  const about = (index: number) => ({ customerNumber: owner, ...hostOf(at(index)) })
  const send = (operation: Parameters<Call>[0], body: object) => olivia(operation, { body })
  switch (one.kind) {
    case 'activate': {
      const activations = [{ id: world.sold.get(owner)?.[one.which], count: one.count }]
      return [await send(createFulfillments, { customerNumber: owner, ...at(one.host), activations }), owner]
    }
    case 'return': {
      const { serverId } = at(one.host)
      const held = rowsOf(await send(allEntitlements, { customerNumber: owner, serverId, activeOnly: true }))
        .filter((row) => row.customerNumber === owner)
        .flatMap((row) => row.AnsysFulfillments)
      const { FulfillmentID: id, FulfillCount } = held[one.which % held.length] ?? {
        FulfillmentID: 'none',
        FulfillCount: 1,
      }
      const activations = [{ id, count: -Math.min(one.count, FulfillCount) }]
      return [await send(returnFulfillments, { customerNumber: owner, activations }), owner]
    }
    case 'share':
      return [await send(setSharedServer, { ...about(one.host), group: CUSTOMERS }), owner]
    case 'rehost':
      return [await send(rehostServer, { ...about(one.host), target: at(one.target) }), owner]
    case 'renew':
      return [await send(renewEntitlements, one.host === null ? { customerNumber: owner } : about(one.host)), owner]
    case 'deactivate':
      return [await send(deactivateServer, about(one.host)), owner]
    case 'force return':
      return [await send(forceReturn, { ...about(one.host), reason: 'Lost' }), owner]
    case 'delete': {
      // An inactive host if there is one, from the chosen one on.
      const order = world.hosts.map((_, index) => (one.host + index) % HOSTS)
      for (const index of order)
        if ((await stateIn(olivia, owner, at(index)))?.state === 'Inactive')
          return [await send(removeSharedServer, about(index)), owner]
      return [await send(removeSharedServer, about(one.host)), owner]
    }
  }
}

test(
  `seats are neither lost nor doubled in ${SEQUENCES} sequences of what people do`,
  async () => {
    let tried = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
        tried++
        const world = await newWorld()
        for (const one of steps) {
          await take(world, one)
          expect(await brokenRules(portal), JSON.stringify(steps)).toEqual([])
        }
        await carryOn(world)
        expect(await brokenRules(portal), JSON.stringify(steps)).toEqual([])
        const { left } = await portal.db
          .selectFrom('host_plan')
          .select(({ fn }) => fn.countAll<string>().as('left'))
          .where('state', '<>', 'done')
          .executeTakeFirstOrThrow()
        expect(Number(left)).toBe(0)
      }),
      { numRuns: SEQUENCES, examples: ALWAYS_TRIED.map((steps) => [steps]), interruptAfterTimeLimit: 20 * 60_000 },
    )
    expect(tried).toBeGreaterThanOrEqual(SEQUENCES)
    // Every kind of step was really done, not only refused.
    const kinds = ['activate', 'deactivate', 'delete', 'force return', 'rehost', 'renew', 'return', 'share']
    expect(Object.keys(done).sort()).toEqual(kinds)
  },
  20 * 60_000,
)
