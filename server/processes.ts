import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client'
import type { PoolConfig } from '#server/db/database.ts'
import {
  answerDemoCall,
  type DemoCall,
  type DemoKeys,
  type DemoProvider,
  remoteAdapter,
} from '#server/doors/demo-store.ts'
import { StartupError } from '#server/embedded/startup-error.ts'

/*
 * Several processes on one host (PROCESSES). The primary has the embedded database, migrates and starts the workers. They
 * share the port, and each is a whole portal: jobs, events and caches go through the database, as between hosts.
 */

/** The figures of one process, in the form in which processes exchange them. */
export type Figures = MetricObjectWithValues<MetricValue<string>>[]
type ToWorker =
  | {
      readonly kind: 'welcome'
      readonly connection: PoolConfig
      readonly demoKeys?: DemoKeys | undefined
      readonly number: number
    }
  | { readonly kind: 'end'; readonly signal: NodeJS.Signals | undefined }
  | { readonly kind: 'figures wanted'; readonly id: number }
  | { readonly kind: 'all figures'; readonly id: number; readonly all: Figures[] }
  | { readonly kind: 'demo answer'; readonly id: number; readonly value: unknown }
type ToPrimary =
  | { readonly kind: 'hello' }
  | { readonly kind: 'figures'; readonly id: number; readonly own: Figures }
  | { readonly kind: 'all figures wanted'; readonly id: number }
  | { readonly kind: 'demo call'; readonly id: number; readonly call: DemoCall }

/** Milliseconds: how long a scrape waits for a busy process, and the pause before a process that died is replaced. */
const TIMEOUT = 5_000
const BEFORE_REPLACEMENT = 500

type Workers = { stop(signal: NodeJS.Signals | undefined): Promise<void> }

/** Returns when every worker listens. A worker that ends later is replaced. */
export async function startWorkers(
  count: number,
  { connection, demo }: { connection: PoolConfig; demo?: DemoProvider | undefined },
  say: (line: string) => void,
): Promise<Workers> {
  // JSON, the default, has no NaN: the lag of a replica that does not answer would arrive as null and count as 0.
  cluster.setupPrimary({ serialization: 'advanced' })
  const workers = new Map<number, Worker>()
  const scrapes = new Map<number, (own: Figures) => void>()
  let isStopping = false
  let lastId = 0

  const collect = async (): Promise<Figures[]> => {
    const id = ++lastId
    const all: Figures[] = []
    const asked = [...workers.values()].filter((worker) => worker.isConnected())
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, TIMEOUT)
      scrapes.set(id, (own) => {
        if (all.push(own) < asked.length) return
        clearTimeout(timer)
        resolve()
      })
      for (const worker of asked) send(worker, { kind: 'figures wanted', id })
    })
    scrapes.delete(id)
    return all
  }
  const answer = async (worker: Worker, number: number, message: ToPrimary) => {
    if (message.kind === 'hello') send(worker, { kind: 'welcome', connection, demoKeys: demo?.keys, number })
    else if (message.kind === 'figures') scrapes.get(message.id)?.(message.own)
    else if (message.kind === 'demo call') {
      const value = demo && (await answerDemoCall(demo, message.call))
      send(worker, { kind: 'demo answer', id: message.id, value })
    } else send(worker, { kind: 'all figures', id: message.id, all: await collect() })
  }
  const start = async (number: number): Promise<void> => {
    const worker = cluster.fork()
    workers.set(number, worker)
    worker.on('error', () => {})
    worker.on('message', (message: ToPrimary) => void answer(worker, number, message))
    const ended = once(worker, 'exit').then(([code, signal]) => ({ code, signal }))
    const isUp = await Promise.race([once(worker, 'listening').then(() => true), ended.then(() => false)])
    if (!isUp) throw new StartupError(`process ${number} of ${count} did not start`)
    void ended.then(({ code, signal }) => replace(number, signal ?? `exit code ${code}`))
  }
  const replace = async (number: number, why: string): Promise<void> => {
    while (!isStopping) {
      say(`Process ${number} of ${count} ended (${why}): starting another`)
      await sleep(BEFORE_REPLACEMENT)
      if (isStopping) return
      const isUp = await start(number).then(
        () => true,
        () => false,
      )
      if (isUp) return
    }
  }
  const stop = async (signal: NodeJS.Signals | undefined) => {
    isStopping = true
    const running = [...workers.values()].filter((worker) => !worker.isDead())
    const ended = running.map((worker) => once(worker, 'exit'))
    for (const worker of running) send(worker, { kind: 'end', signal })
    await Promise.all(ended)
  }
  try {
    await Promise.all(Array.from({ length: count }, (_, index) => start(index + 1)))
  } catch (error) {
    await stop(undefined)
    throw error
  }
  return { stop }
}

/** A worker that is ending cannot be reached: what it would have said is not missed. */
function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {})
}

/** What a portal knows of the other processes on its host. */
export type Siblings = {
  readonly number: number
  /** Lets the other processes read the figures of this one. */
  offerFigures(read: () => Promise<Figures>): void
  /** The figures of all processes, in Prometheus text. */
  readAll(): Promise<string>
}

export type WorkerLink = Siblings & {
  readonly connection: PoolConfig
  readonly demo: DemoProvider | undefined
  onEnd(end: (signal: NodeJS.Signals | undefined) => void): void
}

/** In a worker: what the primary sent it. The primary alone listens to signals, which reach the whole group. */
export async function joinPrimary(): Promise<WorkerLink> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  const sendToPrimary = (message: ToPrimary) =>
    process.connected && process.send?.(message, undefined, undefined, () => {})
  let readOwn: () => Promise<Figures> = async () => []
  let end: (signal: NodeJS.Signals | undefined) => void = () => process.exit(0)
  const waiting = new Map<number, (answer: never) => void>()
  let lastId = 0
  const ask = <Answer>(question: (id: number) => ToPrimary): Promise<Answer> =>
    new Promise((resolve) => {
      const id = ++lastId
      waiting.set(id, resolve)
      sendToPrimary(question(id))
    })
  const answer = (id: number, value: unknown) => {
    waiting.get(id)?.(value as never)
    waiting.delete(id)
  }
  const introduced = Promise.withResolvers<Extract<ToWorker, { kind: 'welcome' }>>()
  process.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'welcome':
        return introduced.resolve(message)
      case 'end':
        return end(message.signal)
      case 'figures wanted':
        return void readOwn().then((own) => sendToPrimary({ kind: 'figures', id: message.id, own }))
      case 'all figures':
        return answer(message.id, message.all)
      case 'demo answer':
        return answer(message.id, message.value)
    }
  })
  sendToPrimary({ kind: 'hello' })
  const { connection, demoKeys, number } = await introduced.promise
  return {
    number,
    connection,
    demo: demoKeys && {
      keys: demoKeys,
      adapter: remoteAdapter((call) => ask((id) => ({ kind: 'demo call', id, call }))),
    },
    onEnd(handler) {
      end = handler
    },
    offerFigures(read) {
      readOwn = read
    },
    async readAll() {
      const all = await ask<Figures[]>((id) => ({ kind: 'all figures wanted', id }))
      return AggregatorRegistry.aggregate(all).metrics()
    },
  }
}
