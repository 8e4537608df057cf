import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { milliseconds, verdict } from '#bench/kit/figures.ts'
import { busyness, databaseCpu, describeMachine, processCpu, processMemory } from '#bench/kit/machine.ts'
import { saveResults } from '#bench/kit/results.ts'
import { type Background, DAY_OF_WORK, type User } from '#bench/load/day.ts'
import { freshWorld, startLoadCluster, startPortals } from '#bench/load/portals.ts'
import { Times } from '#bench/load/times.ts'
import { streamNotifications } from '#contract/messages/notifications.ts'
import { seededRandom } from '#server/demo/random.ts'
import { accountAt, giveLoadKey, PEOPLE_PER_ACCOUNT, signInPeople } from '#server/testing/load/load-world.ts'
import { PortalClient } from '#server/testing/load/portal-client.ts'
import type { PortalProcess } from '#server/testing/portal-process.ts'

/*
 * A mixed day of many people: `npm run load -- --users 500 --seconds 120 --processes 1`. Everything runs on this machine.
 * With `--save`, the figures are kept in RESULTS.md.
 */
const { users: USERS, seconds: SECONDS, processes: PROCESSES, isSaved } = readArguments()
/** Seconds between two actions of a user. */
const PACE = 10
/** Actions of the first seconds are not counted: code is compiled and caches are filled. Their errors are. */
const WARM_UP = Math.min(30, SECONDS / 4)
const BETWEEN_LINES = 10
const KEYS = 20
const LIMIT = 300
/** Megabytes by which the memory may differ between the second and the last quarter of a run. */
const FLAT = 32
const say = (line: string) => process.stdout.write(`${line}\n`)

type Sample = { seconds: number; memory: number[]; portals: number; database: number; load: number }

const cluster = await startLoadCluster(PROCESSES)
const portals: PortalProcess[] = []
const stop = async () => {
  for (const portal of portals) await portal.kill()
  await cluster.stop()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stop().finally(() => process.exit(130)))
try {
  await run()
} finally {
  await stop()
}
process.exit(0)

async function run(): Promise<void> {
  const accounts = Math.ceil(USERS / PEOPLE_PER_ACCOUNT)
  const database = await freshWorld(cluster.connection, accounts, say)
  portals.push(...(await startPortals(database, PROCESSES)))
  const origins = portals.map(({ origin }) => origin)
  const users = await makeUsers(database.db, accounts, origins)
  const machine = await describeMachine(database)
  say(`${USERS} users, ${SECONDS} s, ${PROCESSES} ${PROCESSES === 1 ? 'process' : 'processes'}; ${machine}`)

  const times = new Times(say)
  const begun = performance.now()
  const passed = () => (performance.now() - begun) / 1000
  const streams = users.map(({ browser }) =>
    browser.follow(streamNotifications, (reason) => times.fail('stream of notifications', reason)),
  )
  const samples: Sample[] = []
  const sample = async () => {
    const portalCpu = portals.reduce((sum, { pid }) => sum + processCpu(pid), 0)
    samples.push({
      seconds: passed(),
      memory: portals.map(({ pid }) => processMemory(pid)),
      portals: portalCpu,
      database: await databaseCpu(database),
      load: ownCpu(),
    })
  }
  const report = async () => {
    await sample()
    const [before, after] = samples.slice(-2)
    if (!before || !after) return
    const { actions, p95 } = times.takeRecent()
    const memory = after.memory.map((one) => one.toFixed(0)).join(' + ')
    const rate = (actions / (after.seconds - before.seconds)).toFixed(1)
    say(
      `${after.seconds.toFixed(0).padStart(5)} s  ${rate} actions/s  p95 ${milliseconds(p95)}  errors ${times.errors}  portal ${memory} MB  ${coresOf(before, after)}  load average ${busyness().toFixed(1)}`,
    )
  }
  await sample()
  let isOver = false
  const reporting = (async () => {
    while (!isOver) {
      await Promise.race([sleep(BETWEEN_LINES * 1000), until(() => isOver)])
      await report()
    }
  })()
  await Promise.all(users.map((user) => work(user, times, passed)))
  isOver = true
  await reporting
  for (const close of streams) close()
  for (const { browser, service } of users) {
    browser.close()
    service.close()
  }
  const text = summary(times, samples, machine)
  say(`\n${text}`)
  for (const message of times.messages().slice(0, 20)) say(message)
  if (isSaved) saveResults({ sections: [[`Mixed day: ${USERS} users, ${countOf(PROCESSES, 'process')}`, text]] })
  for (const portal of portals) await portal.stop()
  await database.db.destroy()
}

/** One action after the other, one every `PACE` seconds on average; a late answer delays only the user who waits for it. */
async function work(user: User, times: Times, passed: () => number): Promise<void> {
  const weighted = DAY_OF_WORK.map((action) => [action, action.weight] as const)
  let next = user.random.fraction() * PACE
  while (Math.max(next, passed()) < SECONDS) {
    await sleep(Math.max(0, next - passed()) * 1000)
    const action = user.random.weighted(weighted)
    const isCounted = passed() > WARM_UP
    const background = await timed(times, action.kind, () => action.run(user), { isCounted })
    if (typeof background === 'function')
      await timed(times, action.kind, background as Background, { isCounted, isBackground: true })
    next += PACE * (0.5 + user.random.fraction())
  }
}

async function timed<T>(
  times: Times,
  kind: string,
  act: () => Promise<T>,
  options: { isCounted: boolean; isBackground?: boolean },
): Promise<T | undefined> {
  const begun = performance.now()
  try {
    const result = await act()
    times.add(kind, performance.now() - begun, options)
    return result
  } catch (error) {
    times.fail(kind, (error as Error).message)
    return undefined
  }
}

async function makeUsers(
  db: Parameters<typeof signInPeople>[0],
  accounts: number,
  origins: readonly string[],
): Promise<User[]> {
  const all = Array.from({ length: accounts }, (_, at) => accountAt(at))
  const people = all
    .flatMap((account) => account.people.map((email, person) => ({ account, email, person })))
    .slice(0, USERS)
  const cookies = await signInPeople(db, people)
  const keys = await Promise.all(Array.from({ length: KEYS }, (_, at) => giveLoadKey(db, `load ${at}`)))
  const originAt = (at: number) => origins[at % origins.length] ?? ''
  const services = keys.map((headers, at) => new PortalClient(originAt(at), headers))
  return people.map(({ account, person }, at) => ({
    browser: new PortalClient(originAt(at), { cookie: cookies[at] ?? '' }),
    service: services[Math.floor(at / PEOPLE_PER_ACCOUNT) % KEYS] as PortalClient,
    account,
    person,
    random: seededRandom(`load ${at}`),
    number: at,
    sent: 0,
    seats: at % 7,
    saves: 0,
  }))
}

function summary(times: Times, samples: readonly Sample[], machine: string): string {
  const { actions, p95 } = times.total()
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last) throw new Error('nothing was measured')
  const seconds = last.seconds - first.seconds
  const warm = samples.find((one) => one.seconds >= WARM_UP) ?? first
  const perAction = (name: 'portals' | 'database') => (last[name] - warm[name]) / actions
  const needed = ((perAction('portals') + perAction('database')) * USERS) / PACE / 1000
  const memories = PROCESSES === 1 ? 'Memory of the portal' : 'Memory of all portals'
  const shown = Array.from({ length: 7 }, (_, at) => samples[Math.round((at / 6) * (samples.length - 1))] ?? last)
  const memory = shown.map((one) => `${(one.seconds / 60).toFixed(1)} min ${sumOf(one.memory).toFixed(0)}`).join(', ')
  const growth = meanOf(samples, 0.75, 1) - meanOf(samples, 0.25, 0.5)
  return `${times.table()}

${machine}. ${USERS} signed-in users with a stream of notifications each, one action per ${PACE} s and user, ${countOf(PROCESSES, 'process')}, ${seconds.toFixed(0)} s, of which the first ${WARM_UP} are not counted: ${actions.toLocaleString('en')} actions. An action lasts until all calls of its screen are answered. p95 under ${LIMIT} ms: ${verdict(p95 < LIMIT)}; no error: ${verdict(times.errors === 0)}.

CPU on ${countOf(availableParallelism(), 'core')}: ${coresOf(first, last)}. After the warm-up ${milliseconds(perAction('portals'))} of the portal’s and ${milliseconds(perAction('database'))} of PostgreSQL’s CPU per action, so ${USERS} users take ${needed.toFixed(2)} cores. ${memories} in MB: ${memory}; the last quarter against the second: ${growth >= 0 ? '+' : ''}${growth.toFixed(0)} MB, flat within ${FLAT * PROCESSES} MB: ${verdict(Math.abs(growth) <= FLAT * PROCESSES)}. Load average at the end ${busyness().toFixed(1)}.

\`npm run load -- --users ${USERS} --seconds ${SECONDS} --processes ${PROCESSES}\``
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** The mean memory in a part of the run. */
function meanOf(samples: readonly Sample[], from: number, to: number): number {
  const part = samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to))
  return sumOf(part.map(({ memory }) => sumOf(memory))) / part.length
}

function coresOf(before: Sample, after: Sample): string {
  const share = (name: 'portals' | 'database' | 'load') =>
    ((after[name] - before[name]) / (after.seconds - before.seconds) / 1000).toFixed(2)
  return `cores: portal ${share('portals')}, database ${share('database')}, load ${share('load')}`
}

function ownCpu(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function countOf(count: number, noun: string): string {
  const ending = noun.endsWith('s') ? 'es' : 's'
  return `${count} ${noun}${count === 1 ? '' : ending}`
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await sleep(200)
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      users: { type: 'string', default: '500' },
      seconds: { type: 'string', default: '120' },
      processes: { type: 'string', default: '1' },
      save: { type: 'boolean', default: false },
    },
  })
  const whole = (name: 'users' | 'seconds' | 'processes', low: number, high: number) => {
    const number = Number(values[name])
    if (Number.isInteger(number) && number >= low && number <= high) return number
    process.stderr.write(`--${name} must be a whole number from ${low} to ${high}, not "${values[name]}"\n`)
    process.exit(2)
  }
  return {
    users: whole('users', 1, 5_000),
    seconds: whole('seconds', 10, 14_400),
    processes: whole('processes', 1, 16),
    isSaved: values.save,
  }
}
