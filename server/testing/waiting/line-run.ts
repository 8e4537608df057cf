import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { seededRandom } from '#server/demo/random.ts'
import { insertPlace, type WaitRow } from '#server/modules/license-use/waiting/waiting.queries.ts'
import { CHILD_ENVIRONMENT, databaseUrl } from '#server/testing/child-environment.ts'
import { demoDatabase, type TestDatabase } from '#server/testing/database.ts'
import { lmstatOutput, type ShownHolder } from '#server/testing/lmstat-output.ts'
import type { LineCommand } from '#server/testing/waiting/line-worker.ts'

const customerNumber = '100001'
const SERVERS = ['3cecef4b7d10', '9-77e0d1f5'] as const
const FEATURE = 'solver'
const SEATS = 6
const PEOPLE = 50
const MINUTE = 60_000

type Run = { readonly seed: string; readonly steps: number; readonly killEvery: number }
/** What must not be: somebody who is told twice for a place, or not at all. */
type Result = {
  readonly faults: readonly string[]
  readonly kills: number
  readonly clockSteps: number
  readonly told: number
  readonly took: number
}

/**
 * 50 people wait for the seats of two license servers. Reports arrive in a random order, people check out or do not, the clock is set forward and
 * back, and the process that serves the line is killed without warning, again and again.
 */
export async function runLine({ seed, steps, killEvery }: Run): Promise<Result> {
  const database = await demoDatabase()
  try {
    return await runOn(database, { seed, steps, killEvery })
  } finally {
    await database.close()
  }
}

async function runOn({ db, portal }: TestDatabase, { seed, steps, killEvery }: Run): Promise<Result> {
  const random = seededRandom(seed)
  const worker = new Worker(databaseUrl(portal.connection))
  const start = new Date()
  const email = (index: number) => `user${index}@aerodyne.example`
  let now = start.getTime()
  let kills = 0
  let clockSteps = 0
  const held = new Map<string, Map<string, { since: string; seats: number }>>(SERVERS.map((id) => [id, new Map()]))

  await db
    .insertInto('contact')
    .values(
      Array.from({ length: PEOPLE }, (_, index) => ({
        customer_number: customerNumber,
        email: email(index),
        role: 'Licensing Portal Viewer' as const,
      })),
    )
    .execute()
  const endpoint = randomUUID()
  await db
    .insertInto('webhook_endpoint')
    .values({
      customer_number: customerNumber,
      id: endpoint,
      url: 'https://hooks.example.com/seat',
      events: ['seat.free'],
      secret: Buffer.from('secret'),
      created_by: email(0),
      created_at: start,
    } as never)
    .execute()

  const clockText = () => new Date(now).toISOString().slice(11, 16)
  function reportOf(hostId: string): LineCommand['report'] {
    const holders = [...(held.get(hostId) ?? [])].map(([user, { since, seats }]): ShownHolder => [user, since, seats])
    return { hostId, text: lmstatOutput({ at: new Date(now), feature: FEATURE, seats: SEATS, holders }) }
  }
  const listPlaces = (): Promise<WaitRow[]> =>
    db.selectFrom('license_wait').selectAll().where('feature', '=', FEATURE).execute() as never
  /** The same command is sent until it is done, as a collector does. */
  async function serve(report: LineCommand['report']): Promise<void> {
    const command: LineCommand = { now: new Date(now).toISOString(), customerNumber, report }
    for (let isKilled = random.integer(1, killEvery) === 1; ; isKilled = false) {
      const done = worker.send(command)
      if (!isKilled) return done
      done.catch(() => {})
      await pause(random.integer(0, 60))
      await worker.kill()
      kills += 1
    }
  }

  for (const hostId of SERVERS) {
    for (let index = 0; index < SEATS; index += 1)
      held.get(hostId)?.set(`other${index}`, { since: clockText(), seats: 1 })
    await serve(reportOf(hostId))
  }
  await db.transaction().execute(async (tx) => {
    for (let index = 0; index < PEOPLE; index += 1)
      await insertPlace(tx, {
        customer_number: customerNumber,
        wait_id: randomUUID(),
        feature: FEATURE,
        host_id: random.chance(0.3) ? SERVERS[index % 2]! : null,
        seats: random.chance(0.8) ? 1 : 2,
        email: email(index),
        is_mailed: true,
        user_name: `user${index}`,
        joined_at: new Date(now),
        until: new Date(now + random.integer(60, 3000) * MINUTE),
        held_before: '{}',
      })
  })

  for (let step = 0; step < steps; step += 1) {
    const isStep = random.chance(0.08)
    if (isStep) clockSteps += 1
    now += (isStep ? random.integer(-90, 90) : random.integer(0, 4)) * MINUTE
    const hostId = SERVERS[random.integer(0, 1)]!
    const holders = held.get(hostId)!
    for (const name of [...holders.keys()]) if (random.chance(0.25)) holders.delete(name)
    for (const place of await listPlaces())
      if (place.state === 'offered' && place.offered_host === hostId && random.chance(0.4))
        holders.set(place.user_name, { since: clockText(), seats: place.seats })
    const inUse = () => [...holders.values()].reduce((sum, { seats }) => sum + seats, 0)
    if (random.chance(0.5) && inUse() < SEATS) holders.set(`other${step % SEATS}`, { since: clockText(), seats: 1 })
    await serve(random.chance(0.85) ? reportOf(hostId) : null)
  }
  // Everybody has time to come to an end.
  for (
    let round = 0;
    round < 2 * PEOPLE && (await listPlaces()).some(({ closed_at }) => closed_at === null);
    round += 1
  ) {
    now += 13 * MINUTE
    for (const hostId of SERVERS) {
      held.get(hostId)?.clear()
      await serve(reportOf(hostId))
    }
  }
  await worker.kill()

  const places = await listPlaces()
  const mails = (await db.selectFrom('outbox_message').select('payload').execute()).flatMap(({ payload }) => {
    const { mail } = payload as { mail?: { to: string[]; subject: string } }
    return mail ? [{ to: mail.to[0], subject: mail.subject }] : []
  })
  const events = await db.selectFrom('webhook_delivery').select('body').where('endpoint_id', '=', endpoint).execute()
  const faults: string[] = []
  const count = (values: readonly unknown[], what: (value: never) => boolean) => values.filter(what as never).length
  for (const { wait_id, email: person, state, closed_at, offered_at } of places) {
    const offers = count(
      mails,
      ({ to, subject }: (typeof mails)[number]) => to === person && subject.includes('free for you'),
    )
    const hooks = count(events, ({ body }: (typeof events)[number]) => body.includes(wait_id))
    const ends = count(
      mails,
      ({ to, subject }: (typeof mails)[number]) => to === person && !subject.includes('free for you'),
    )
    const expected = offered_at === null ? 0 : 1
    if (offers !== expected || hooks !== expected)
      faults.push(`${person} (${state}): told ${offers} times, ${hooks} events`)
    if (closed_at === null) faults.push(`${person} is still in line`)
    if (ends !== (state === 'missed' || state === 'expired' ? 1 : 0)) faults.push(`${person} (${state}): ${ends} ends`)
    if (state === 'missed' && expected === 0) faults.push(`${person} missed a turn that they never had`)
  }
  const told = count(places, ({ offered_at }: WaitRow) => offered_at !== null)
  return { faults, kills, clockSteps, told, took: count(places, ({ state }: WaitRow) => state === 'checked-out') }
}

/** The process that serves the line; after a kill, the next command starts another one. */
class Worker {
  readonly #url: string
  #child: ChildProcess | undefined
  constructor(url: string) {
    this.#url = url
  }

  async send(command: LineCommand): Promise<void> {
    const child = this.#child ?? (await this.#start())
    const answer = nextLine(child)
    child.stdin?.write(`${JSON.stringify(command)}\n`)
    await answer
  }

  async #start(): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['server/testing/waiting/line-worker.ts'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...CHILD_ENVIRONMENT, DATABASE_URL: this.#url },
    })
    // Writing to a process that was killed must not end the test.
    child.stdin.on('error', () => {})
    this.#child = child
    await nextLine(child)
    return child
  }

  async kill(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
}

async function nextLine(child: ChildProcess): Promise<void> {
  const ended = new AbortController()
  await Promise.race([
    once(child.stdout!, 'data', { signal: ended.signal }),
    once(child, 'exit', { signal: ended.signal }).then(() => {
      throw new Error('the process has ended')
    }),
  ]).finally(() => ended.abort())
}
