import { sql } from 'kysely'
import { limitRecords } from '#contract/data/limits.ts'
import { endSession, startSession } from '#contract/elastic/sessions/elastic-sessions.ts'
import { sendUsage } from '#contract/elastic/usage/send-usage.ts'
import type { World } from '#server/demo/demo-part.ts'
import { catalog } from '#server/demo/parts/catalog.demo.ts'
import { type Random, seededRandom } from '#server/demo/random.ts'
import { listUsageDrift } from '#server/modules/elastic/usage/usage-sums.queries.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { addMeteredAccount, PRODUCT, sessionRequest } from '#server/testing/metering.ts'
import { type PortalProcess, startPortalProcess } from '#server/testing/portal-process.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'

/*
 * Random sessions, usage, corrections and limits on the real portal, which is killed now and then, against a model that adds up
 * everything again for each start. Sessions run for seconds, so each counts with its first 15 minutes.
 */
const CUSTOMER = 'Model'
const MAX_RUNNING = 25
const CENTS_OF_15_MINUTES = 187.5

type Use = { user: string; project: string; product: string }
type Booked = Use & { id: string; cents: number; day: string; back: number }
type Running = Use & { id: string; cents: number }
type ModelLimit = {
  limitId: string
  subject: string
  user: string | null
  project: string | null
  product: string | null
  period: 'day' | 'month' | 'all'
  cents: number
}
type Answer = { status: string; code?: string; data?: { sessionId: string; charge: string } & { status: string }[] }

export type ModelRun = {
  readonly starts: number
  readonly refused: number
  readonly kills: number
  readonly differences: readonly string[]
}

export async function runLimitsModel(steps: number, kills: number): Promise<ModelRun> {
  const database = await freshDatabase()
  const { db } = database
  await db.transaction().execute((tx) => catalog.load(tx, {} as World))
  await addMeteredAccount(db, CUSTOMER, { sold: [{ id: 'Model-1', units: 10_000_000 }] })
  const { headers } = await giveServiceKey({ db, clock: { now: () => new Date() } }, 'Model')
  let portal: PortalProcess = await startPortalProcess(database.connection)
  const random = seededRandom(`limits ${steps}`)
  const model = new Model()
  const done = { starts: 0, refused: 0, kills: 0, differences: [] as string[] }

  const call = async (path: string, body?: object, method = 'POST'): Promise<Answer> => {
    const answer = await fetch(portal.origin + path, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return (await answer.json()) as Answer
  }
  /** The answer, or undefined if the portal was killed meanwhile: then the database says what has happened. */
  const send = async (isKilled: boolean, path: string, body?: object, method?: string): Promise<Answer | undefined> => {
    const answer = call(path, body, method).catch(() => undefined)
    if (!isKilled) return answer
    await new Promise((resolve) => setTimeout(resolve, random.integer(0, 12)))
    await portal.kill()
    const known = await answer
    portal = await startPortalProcess(database.connection)
    done.kills++
    return known
  }

  try {
    for (let step = 0; step < steps; step++) {
      const isKilled = kills > 0 && step % Math.ceil(steps / kills) === Math.floor(steps / kills / 2)
      const what = random.integer(0, 99)
      if (what < 55 && model.running.length < MAX_RUNNING) await start(step, isKilled)
      else if (what < 75 && model.running.length > 0) await end(isKilled)
      else if (what < 85) await book(step, isKilled)
      else if (what < 92 && model.booked.length > 0) await correct(step, isKilled)
      else await changeLimit(isKilled)
    }
    for (const one of await listUsageDrift(db, CUSTOMER)) done.differences.push(`drift: ${JSON.stringify(one)}`)
    return done
  } finally {
    await portal.kill()
    await database.close()
  }

  async function start(step: number, isKilled: boolean): Promise<void> {
    const use = someUse(random)
    const count = random.integer(1, 3)
    const cents = Math.round(CENTS_OF_15_MINUTES * count)
    const expected = model.refusedBy(use, cents)
    const host = `step-${step}`
    const { user: username, project } = use
    const body = sessionRequest(CUSTOMER, { username, count, host, ...(project ? { project } : {}) })
    const answer = await send(isKilled, startSession.path, body)
    const id = answer ? answer.data?.sessionId : await runningOn(host)
    if (id) model.running.push({ ...use, id, cents })
    if (!answer) {
      if (id && expected) done.differences.push(`step ${step}: admitted although ${expected} is reached`)
      return
    }
    done.starts++
    if (answer.code === 'LIMIT') done.refused++
    const isRight = expected ? answer.code === 'LIMIT' : answer.status === 'SUCCESS'
    if (!isRight)
      done.differences.push(`step ${step}: ${JSON.stringify(answer)}, but the model says ${expected ?? 'admit'}`)
  }

  async function end(isKilled: boolean): Promise<void> {
    const at = random.integer(0, model.running.length - 1)
    const session = model.running[at] as Running
    const path = endSession.path.replace(':sessionId', session.id)
    // Ending a session again answers the same and books nothing.
    const answer = (await send(isKilled, path)) ?? (await call(path))
    model.running.splice(at, 1)
    model.book({ ...session, id: session.id, cents: toCents(answer.data?.charge ?? '0') })
  }

  async function book(step: number, isKilled: boolean): Promise<void> {
    const use = someUse(random)
    const id = `tx-${step}`
    const minutes = random.integer(1, 90)
    const endTime = new Date(Date.now() - 1000)
    const line = {
      id,
      serverId: `server-${CUSTOMER}`,
      product: PRODUCT,
      productCount: 1,
      username: use.user,
      host: 'ws1',
      startTime: new Date(endTime.getTime() - minutes * 60_000).toISOString(),
      endTime: endTime.toISOString(),
      ...(use.project ? { project: use.project } : {}),
    }
    await bookLines(isKilled, line)
    model.book({ ...use, id, cents: Math.round(minutes * 12.5) }, dayOf(endTime))
  }

  async function correct(step: number, isKilled: boolean): Promise<void> {
    const original = model.booked[random.integer(0, model.booked.length - 1)] as Booked
    const left = original.cents - original.back
    if (left <= 0 || original.cents < 0) return
    const cents = random.integer(1, left)
    const now = new Date()
    const times = { startTime: now.toISOString(), endTime: now.toISOString() }
    const { user: username, project, product } = original
    await bookLines(isKilled, {
      id: `back-${step}`,
      serverId: `server-${CUSTOMER}`,
      product,
      productCount: 1,
      username,
      host: 'ws1',
      ...(project ? { project } : {}),
      ...times,
      correctionOf: original.id,
      charge: `-${(cents / 100).toFixed(2)}`,
    })
    original.back += cents
    model.book({ ...original, id: `back-${step}`, cents: -cents }, dayOf(now))
  }

  /** Each id is booked once, however often it is sent. */
  async function bookLines(isKilled: boolean, line: object): Promise<void> {
    const body = { transactions: [line] }
    const answer = (await send(isKilled, sendUsage.path, body)) ?? (await call(sendUsage.path, body))
    const [result] = (answer.data ?? []) as { status: string }[]
    if (result?.status !== 'SUCCESS')
      throw new Error(`nothing was booked: ${JSON.stringify(answer)} ${JSON.stringify(line)}`)
  }

  async function changeLimit(isKilled: boolean): Promise<void> {
    const path = `/service/v1/${limitRecords.name}`
    if (model.limits.length > 0 && random.fraction() < 0.3) {
      const [gone] = model.limits.splice(random.integer(0, model.limits.length - 1), 1)
      const body = { ids: [`${CUSTOMER}:${gone?.limitId}`] }
      if (!(await send(isKilled, `${path}/revoke`, body))) await call(`${path}/revoke`, body)
      return
    }
    const limit = someLimit(random, model.use())
    const { cents, ...record } = limit
    const body = {
      records: [{ ...record, customerNumber: CUSTOMER, currency: 'AEU', refuseAt: (cents / 100).toFixed(2) }],
    }
    const answer = (await send(isKilled, path, body, 'PUT')) ?? (await call(path, body, 'PUT'))
    const [result] = (answer.data ?? []) as { status: string }[]
    if (result?.status !== 'SUCCESS') throw new Error(`no limit was saved: ${JSON.stringify(answer)}`)
    model.limits = [...model.limits.filter(({ limitId }) => limitId !== limit.limitId), limit]
  }

  async function runningOn(host: string): Promise<string | undefined> {
    const { rows } = await sql<{ id: string }>`
      select session_id as id from usage_transaction_running where customer_number = ${CUSTOMER} and host = ${host}`.execute(
      db,
    )
    return rows[0]?.id
  }
}

/** Adds up everything again for each question. */
class Model {
  running: Running[] = []
  booked: Booked[] = []
  limits: ModelLimit[] = []

  book(use: Use & { id: string; cents: number }, day = dayOf(new Date())): void {
    const { id, user, project, product, cents } = use
    this.booked.push({ id, user, project, product, cents, day, back: 0 })
  }

  use(): number {
    return this.booked.reduce((sum, { cents }) => sum + cents, 0)
  }

  /** The limit that a start may not pass; undefined if it is admitted. */
  refusedBy(use: Use, cents: number): string | undefined {
    return this.limits.find((limit) => {
      if (!isOf(limit, use)) return false
      const rivals = this.limits.filter(
        (other) =>
          other !== limit && other.subject === limit.subject && other.period === limit.period && isOf(other, use),
      )
      if (rivals.some((other) => weight(other) > weight(limit))) return false
      const today = dayOf(new Date())
      const since = { day: today, month: `${today.slice(0, 7)}-01`, all: '' }[limit.period]
      const parts = limit.subject === 'account' ? [] : (limit.subject.split('+') as (keyof Use)[])
      const isSame = (one: Use) =>
        parts.every((part) =>
          part === 'user' ? one.user.toLowerCase() === use.user.toLowerCase() : one[part] === use[part],
        )
      const booked = this.booked.filter((one) => one.day >= since && isSame(one))
      const running = this.running.filter(isSame)
      const used = [...booked, ...running].reduce((sum, one) => sum + one.cents, 0)
      return used + cents > limit.cents
    })?.limitId
  }
}

function isOf(limit: ModelLimit, use: Use): boolean {
  if (limit.user !== null && limit.user.toLowerCase() !== use.user.toLowerCase()) return false
  return (
    (limit.project === null || limit.project === use.project) &&
    (limit.product === null || limit.product === use.product)
  )
}

const weight = ({ user, project, product }: ModelLimit) =>
  [user, project, product].filter((name) => name !== null).length * 10 +
  (user ? 4 : 0) +
  (project ? 2 : 0) +
  (product ? 1 : 0)

const toCents = (units: string) => Math.round(Number(units) * 100)
const dayOf = (instant: Date) => instant.toISOString().slice(0, 10)

const someUse = (random: Random): Use => ({
  user: random.pick(['anna', 'ANNA', 'bob', 'eve']),
  project: random.pick(['', 'Wing', 'Tail']),
  product: PRODUCT,
})

function someLimit(random: Random, used: number): ModelLimit {
  const subject = random.pick([
    'account',
    'user',
    'project',
    'product',
    'user+project',
    'user+product',
    'project+product',
  ])
  const period = random.pick(['day', 'month', 'all'] as const)
  const name = (part: string, names: readonly string[]) =>
    subject.includes(part) && random.fraction() < 0.5 ? random.pick(names) : null
  const names = {
    user: name('user', ['Anna', 'bob']),
    project: name('project', ['Wing']),
    product: name('product', [PRODUCT]),
  }
  const limitId = [subject.replace('+', '-'), period, names.user, names.project, names.product && 'product']
    .filter(Boolean)
    .join('.')
  return { limitId, subject, period, ...names, cents: random.integer(1, Math.max(2_000, Math.round(used * 1.2))) }
}
