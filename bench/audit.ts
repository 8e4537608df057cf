import { setTimeout as pause } from 'node:timers/promises'
import { CUSTOMER, fillAccount, hostId, savedId } from '#bench/activations-account.ts'
import { type ServerUnderTest, startServer } from '#bench/kit/child-server.ts'
import { type OpenedDatabase, startCluster } from '#bench/kit/database.ts'
import { median, milliseconds, ratio, table, verdict } from '#bench/kit/figures.ts'
import { connectLean } from '#bench/kit/lean-client.ts'
import { busyness, databaseCpu, describeMachine } from '#bench/kit/machine.ts'
import { signedIn } from '#bench/kit/portal-session.ts'
import { saveResults } from '#bench/kit/results.ts'
import { createFulfillments } from '#contract/activations/seats/change-seats.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { setReminders } from '#contract/reminders/reminders.ts'
import { ADMINISTRATOR } from '#domain/access/roles.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { NO_REMINDERS } from '#domain/reminders/reminders.ts'
import { systemClock } from '#server/doors/clock.ts'
import { findRevision } from '#server/operations/revisions.queries.ts'

/*
 * What the audit log adds to a write: whole calls to three portals in turns, each with a database of its own. The first
 * writes no log, the second writes rows that are not sealed, as the portal once did, and the third is the product. The seconds in which the sealer works
 * count, and what the portals do while nobody calls does not. `node bench/audit.ts` keeps the results in RESULTS.md; with `trial`
 * it takes two rounds and only prints.
 */
const isTrial = process.argv.includes('trial')
const ROUNDS = isTrial ? 2 : 9
const WARMING = 3
const CALLS = 100
/** Longer than the sealer sleeps. */
const SEALING = 1500
const LIMIT = 1.15
const CONTACT = 'contact@bench.example'

const WAYS = [
  { name: 'no audit log', leftOut: ['audit-row', 'audit-pending'] },
  { name: 'row of the log, not sealed', leftOut: ['audit-pending'] },
  { name: 'row of the log, sealed', leftOut: [] },
]
type Write = { readonly name: string; readonly operation: Operation; body(call: number): object }
const WRITES: readonly Write[] = [
  {
    name: 'activate a seat',
    operation: createFulfillments,
    body: (call) => ({
      customerNumber: CUSTOMER,
      serverName: 'lic-0',
      serverId: hostId(1),
      serverIdType: 'ETHERNET',
      activations: [{ id: savedId(call % 500), count: 1 }],
    }),
  },
  {
    name: 'save reminders',
    operation: setReminders,
    body: (call) => ({
      customerNumber: CUSTOMER,
      reminders: { ...NO_REMINDERS, recipients: [CONTACT], leadDays: [1 + (call % 90)] },
    }),
  },
]

const say = (line: string) => process.stdout.write(`${line}\n`)
const cluster = await startCluster(say)
const portals = await Promise.all(
  WAYS.map(async ({ leftOut }, at) => {
    const database = await cluster.open(`bench_audit_${at}`)
    await fillAccount(database.db, database.pool, dayIn('UTC', systemClock.now()))
    await database.db
      .insertInto('contact')
      .values({ customer_number: CUSTOMER, email: CONTACT, role: ADMINISTRATOR })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const settings = { connection: database.connection, dataDir: `.data-bench/audit-${at}`, leftOut }
    const server = await startServer(`portal ${at}`, 'usage/audit-server.ts', settings)
    const cookie = await signedIn(database, 'bench@vendor.example', ['busops'])
    return { database, server, cookie, client: await connectLean(server.port) }
  }),
)
try {
  const began = busyness()
  const cells: string[][] = []
  const verdicts: string[] = []
  for (const write of WRITES) {
    const taken = portals.map((): Cost[] => [])
    for (let round = 0; round < WARMING + ROUNDS; round++)
      for (let turn = 0; turn < portals.length; turn++) {
        // Each portal is the first one as often as the others.
        const at = (round + turn) % portals.length
        const portal = portals[at]
        if (!portal) continue
        const cost = await costOf(portal, write, round * CALLS)
        if (round >= WARMING) taken[at]?.push(cost)
      }
    const figures = taken.map((costs) => ({
      time: median(costs.map(({ time }) => time)),
      portal: perCall(costs, 'portal'),
      database: perCall(costs, 'database'),
    }))
    const cpu = figures.map((one) => one.portal + one.database)
    const [without = Number.NaN, unsealed = Number.NaN, sealed = Number.NaN] = cpu
    for (const [at, { time, portal, database }] of figures.entries())
      cells.push([
        `${write.name}, ${WAYS[at]?.name}`,
        milliseconds(time),
        milliseconds(portal),
        milliseconds(database),
        ratio((cpu[at] ?? Number.NaN) / without),
      ])
    const isMet = sealed / unsealed <= LIMIT
    verdicts.push(
      `- ${write.name}: sealed against not sealed ${ratio(sealed / unsealed)}, at most ${ratio(LIMIT)}: ${verdict(isMet)}; against no log ${ratio(sealed / without)}, at most ${ratio(LIMIT)}: ${verdict(sealed / without <= LIMIT)}`,
    )
  }
  const [first] = portals
  const heads = ['write', 'whole call', 'portal’s CPU', 'PostgreSQL’s CPU', 'CPU against no log']
  const text = `${table(heads, cells)}

${verdicts.join('\n')}

${ROUNDS} interleaved rounds of ${CALLS} calls, one after the other; the time is a median, CPU a mean without what is used while nobody calls. ${first ? await describeMachine(first.database) : ''}. Load average before and after: ${began.toFixed(1)} and ${busyness().toFixed(1)}.`
  say(text)
  if (!isTrial) saveResults({ sections: [['Writes with and without the audit log', text]] })
} finally {
  for (const { client, server } of portals) {
    client.close()
    await server.stop()
  }
  await cluster.embedded.stop()
}
process.exit(0)

type Measured = {
  readonly database: OpenedDatabase
  readonly server: ServerUnderTest
  readonly cookie: string
  readonly client: Awaited<ReturnType<typeof connectLean>>
}
type Spent = { readonly elapsed: number; readonly portal: number; readonly database: number }
/** What a turn took. `time` is that of one call, in milliseconds. */
type Cost = { readonly time: number; readonly busy: Spent; readonly idle: Spent }

async function costOf(measured: Measured, write: Write, begin: number): Promise<Cost> {
  const idle = await spentIn(measured, () => pause(SEALING))
  let time = 0
  const busy = await spentIn(measured, async () => {
    time = await send(measured, write, begin)
    await pause(SEALING)
  })
  return { time: time / CALLS, busy, idle }
}

/** Processor time of a call, in milliseconds, without what is used while nobody calls. From sums: the kernel counts coarsely. */
function perCall(costs: readonly Cost[], kind: 'portal' | 'database'): number {
  const sum = (of: (cost: Cost) => number) => costs.reduce((total, cost) => total + of(cost), 0)
  const idle = sum((cost) => cost.idle[kind]) / sum((cost) => cost.idle.elapsed)
  return (sum((cost) => cost.busy[kind]) - idle * sum((cost) => cost.busy.elapsed)) / (costs.length * CALLS)
}

/** Processor time of a portal and of PostgreSQL during some work. */
async function spentIn({ database, server }: Measured, work: () => Promise<unknown>): Promise<Spent> {
  const [cpu, { cpuMilliseconds }, from] = [await databaseCpu(database), await server.usage(), performance.now()]
  await work()
  const elapsed = performance.now() - from
  return {
    elapsed,
    portal: (await server.usage()).cpuMilliseconds - cpuMilliseconds,
    database: (await databaseCpu(database)) - cpu,
  }
}

/** One call after the other. Returns how long all of them took. */
async function send(
  { client, cookie, database }: Measured,
  { operation, body }: Write,
  begin: number,
): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-requested-with': 'portal', cookie }
  let revision = await findRevision(database.db, { customerNumber: CUSTOMER, subject: 'reminders' })
  const from = performance.now()
  for (let call = begin; call < begin + CALLS; call++) {
    const sent = { ...body(call), ...(operation === setReminders ? { revision: revision++ } : {}) }
    const answer = await client.post(operation.path, headers, Buffer.from(JSON.stringify(sent)))
    if (!answer.startsWith('{"status":"SUCCESS"')) throw new Error(`${operation.path}: ${answer.slice(0, 300)}`)
  }
  return performance.now() - from
}
