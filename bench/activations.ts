import { CUSTOMER, DATA_DIR, fillAccount, hostId, SAVED, savedId } from '#bench/activations-account.ts'
import { median, medianTimes, milliseconds, ratio, table, verdict } from '#bench/kit/figures.ts'
import { openPortal } from '#bench/kit/open-portal.ts'
import { listServers } from '#contract/activations/hosts/servers.ts'
import { generateLicense } from '#contract/activations/license-files/license-files.ts'
import { previewSave } from '#contract/activations/plans/host-plans.ts'
import { allEntitlements, serverEntitlements } from '#contract/activations/seats/activations.ts'
import { createFulfillments } from '#contract/activations/seats/change-seats.ts'
import { batches } from '#domain/activations/plans/plan.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { systemClock } from '#server/doors/clock.ts'
import { listServerRows } from '#server/modules/activations/hosts/hosts.queries.ts'
import { loadActivatableJson, loadActivationsOnMachineJson } from '#server/modules/activations/seats/seats.queries.ts'

/*
 * An account with 2,000 hosts and 5,000 entitlements. Each call of the screen as a whole request, against its own
 * statement sent by the driver: no session, no rights, no validation. Then 500 activations on a new host, saved in
 * batches and generated, against the bare inserts of the same rows. `e2e/measure/activations.ts` measures the screen.
 */

const today = dayIn('UTC', systemClock.now())
const { close, pool, post, statementOf } = await openPortal(DATA_DIR, ({ db, pool }) => fillAccount(db, pool, today))

const machine = { hostIdType: 'ETHERNET' as const, machineId: hostId(1) }
const customer = { customerNumber: CUSTOMER, today }

const calls = [
  {
    name: 'servers (2,000 hosts)',
    target: 1000,
    call: () => post(listServers, { customerNumber: CUSTOMER }),
    statement: await statementOf((watched) => listServerRows(watched, CUSTOMER, today)),
  },
  {
    name: 'allentitlements (everything that can be activated)',
    target: 1000,
    call: () => post(allEntitlements, { customerNumber: CUSTOMER }),
    statement: await statementOf((watched) => loadActivatableJson(watched, customer)),
  },
  {
    name: 'entitlements of one host',
    target: 300,
    call: () => post(serverEntitlements, { customerNumber: CUSTOMER, serverId: hostId(1), activeOnly: true }),
    statement: await statementOf((watched) =>
      loadActivationsOnMachineJson(watched, [customer], machine, { activeOnly: true }),
    ),
  },
]
const rows: string[][] = []
for (const { name, target, call, statement } of calls) {
  const [ours, floor] = await medianTimes([call, statement], 15)
  const isMet = ours < target
  rows.push([name, milliseconds(ours), milliseconds(floor), ratio(ours / floor), `${target} ms: ${verdict(isMet)}`])
}
console.log(table(['call', 'whole request', 'its statement alone', 'ratio', 'target'], rows))

const saves: number[] = []
const floors: number[] = []
const previews: number[] = []
for (let round = 0; round < 5; round++) {
  const serverId = hostId(1_000_000 + Date.now() + round).slice(-12)
  const server = { serverName: 'lic-bench', serverId, serverIdType: 'ETHERNET' }
  const activations = Array.from({ length: SAVED }, (_, at) => ({ id: savedId(at), count: 1 }))
  const wanted = activations.map(({ id, count }) => ({ id, seats: count }))
  previews.push(await timed(() => post(previewSave, { ...server, customers: [{ customerNumber: CUSTOMER, wanted }] })))
  saves.push(await timed(() => save(server, activations)))
  floors.push(await timed(() => bareInserts(hostId(1), activations)))
}
const [saved, bare] = [median(saves), median(floors)]
console.log(
  `\n${SAVED} activations saved in batches of 25 and generated: ${milliseconds(saved)}, target 5000 ms: ${verdict(saved < 5000)}`,
)
console.log(`bare inserts of the same ledger rows: ${milliseconds(bare)}; the save takes ${ratio(saved / bare)}`)
console.log(`preview of the same save with its difference: ${milliseconds(median(previews))}`)

await close()

async function save(server: object, activations: { id: string; count: number }[]): Promise<void> {
  const [first = [], ...others] = batches(activations)
  const create = (batch: typeof first) =>
    post(createFulfillments, { customerNumber: CUSTOMER, ...server, activations: batch })
  await create(first)
  await sixAtATime(others, create)
  await post(generateLicense, { customerNumber: CUSTOMER, ...server })
}

async function sixAtATime<T>(elements: readonly T[], work: (element: T) => Promise<unknown>): Promise<void> {
  const waiting = [...elements]
  const worker = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: 6 }, worker))
}

/** Inserts the same rows in statements of 25, with the ledger's triggers and constraints and nothing else. */
async function bareInserts(host: string, activations: readonly { id: string }[]): Promise<void> {
  await sixAtATime(batches(activations), (batch) =>
    pool.query(
      `insert into fulfillment (customer_number, activation_id, host_id_type, host_id, fulfill_count, fulfilled_at)
       select $1, id, 'ETHERNET', $2, 1, now() from unnest($3::text[]) id`,
      [CUSTOMER, host, batch.map(({ id }) => id)],
    ),
  )
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
