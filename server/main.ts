import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from '#server/app.ts'
import { progressOn } from '#server/cli/progress.ts'
import { ConfigError } from '#server/config/config-error.ts'
import { type Config, readConfig } from '#server/config.ts'
import { type Database, onDatabase, openDatabase } from '#server/db/database.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import { SIGN_IN_PEOPLE } from '#server/demo/sign-in-people.ts'
import { systemClock } from '#server/doors/clock.ts'
import { createDemoProvider } from '#server/doors/demo-store.ts'
import { createMailer } from '#server/doors/mailer.ts'
import { createWebhookSender } from '#server/doors/webhook-sender.ts'
import { orDiskFull } from '#server/embedded/disk-space.ts'
import { StartupError } from '#server/embedded/supervisor.ts'
import { rememberCallers } from '#server/identity/remembered-callers.ts'
import { listenError, openInstallation, refuseUnusable } from '#server/installation.ts'
import { setupLines } from '#server/modules/setup/setup.public.ts'
import { joinPrimary, startWorkers, type WorkerLink } from '#server/processes.ts'

/** In prod, the lines of the start and the end are JSON, as those of the log are. */
const isProd = process.env.PORTAL_ENV?.trim() === 'prod'
const asLogLine = (level: number, line: string) =>
  isProd ? JSON.stringify({ level, time: Date.now(), pid: process.pid, msg: line.trim() }) : line
const say = (line: string) => process.stdout.write(`${asLogLine(30, line)}\n`)
const complain = (line: string) => process.stderr.write(`${asLogLine(60, line)}\n`)

const ends = endOnSignals()
try {
  const config = readConfig(process.env)
  await start(config).catch((error: unknown) => {
    const { databaseUrl, dataDir } = config
    throw databaseUrl ? orDiskFull(error, 'DATABASE_URL') : orDiskFull(error, `DATA_DIR ${dataDir}`, dataDir)
  })
} catch (error) {
  // A signal during the start has closed its resources: no error.
  if (!ends.isEnding()) {
    const known = error instanceof ConfigError || error instanceof StartupError
    complain(`The portal did not start: ${known ? (error as Error).message : String((error as Error).stack)}`)
    await ends.close()
    process.exit(1)
  }
}

async function start(config: Config): Promise<void> {
  if (cluster.isWorker) return startWorker(config)
  await refuseUnusable(config)
  const opening = openInstallation(config, { log: say })
  ends.before(() =>
    opening.then(
      (installation) => installation.close(),
      () => {},
    ),
  )
  const installation = await opening
  const { isNew, steps } = installation.migrated
  if (isNew) say('Created the tables')
  if (steps.length) say(`Migrated the database: ${steps.length} steps`)
  if (config.demo !== 'off')
    await loadDemo(installation.db, {
      now: systemClock.now(),
      usageTransactions: config.demoUsage,
      progress: progressOn(process.stdout),
    })
  if (config.processes === 1) await serve(config, installation)
  else {
    const demo = config.demo === 'off' ? undefined : createDemoProvider()
    const workers = await startWorkers(config.processes, { connection: onDatabase(installation.pool), demo }, say)
    ends.before((signal) => {
      sayDraining(config, signal)
      return workers.stop(signal)
    })
  }
  const processes = config.processes > 1 ? `, in ${config.processes} processes` : ''
  say(`\nThe portal is ready at ${config.origin}${processes}`)
  if (config.mail.smtpUrl === undefined) say('SMTP_URL is not set: mails are kept in the mailbox folder of DATA_DIR')
  if (config.demo !== 'off') greetDemoPeople(config)
  else for (const line of await setupLines(installation.db, config)) say(line)
}

/** One of several processes: the primary has opened and migrated the database. */
async function startWorker(config: Config): Promise<void> {
  const primary = await joinPrimary()
  const database = openDatabase(primary.connection)
  ends.before(() => database.db.destroy())
  primary.onEnd(ends.end)
  await serve(config, database, primary)
}

async function serve(config: Config, { db, pool }: Database, siblings?: WorkerLink): Promise<void> {
  // Not loaded without the setting: the libraries take time and memory.
  const tracing = config.tracing && (await import('#server/http/tracing.ts')).startTracing(config.tracing)
  if (tracing) ends.before(() => tracing.stop().catch((error: unknown) => say(`Traces were not sent: ${error}`)))
  const draining = new AbortController()
  const app = await buildApp({
    db,
    pool,
    config,
    clock: systemClock,
    people: SIGN_IN_PEOPLE,
    mailer: createMailer(config),
    webhookSender: createWebhookSender(config.webhooks),
    callers: rememberCallers,
    tracing,
    web: 'dist/web',
    report: say,
    draining: draining.signal,
    ...(siblings ? { siblings, demo: siblings.demo } : {}),
  })
  ends.before(() => app.close())
  await app.listen({ port: config.port, host: config.host }).catch((error: unknown) => {
    throw listenError(error, config)
  })
  ends.before(async (signal) => {
    if (signal !== 'SIGTERM' || config.drainSeconds === 0) return
    draining.abort()
    if (!siblings) sayDraining(config, signal)
    await sleep(config.drainSeconds * 1000)
  })
}

function sayDraining({ drainSeconds }: Config, signal: NodeJS.Signals | undefined): void {
  if (signal === 'SIGTERM' && drainSeconds > 0)
    say(`The portal ends in ${drainSeconds} seconds, when load balancers have noticed`)
}

/**
 * Ctrl-C and SIGTERM finish open requests and the mail that is being sent, for ten seconds at most, then close the
 * database, also in the middle of the start. Service managers send SIGTERM: before that, the portal drains, so that
 * load balancers notice. One keystroke may send a signal twice; a later signal means that somebody does not want to
 * wait.
 */
function endOnSignals() {
  const steps: ((signal?: NodeJS.Signals) => Promise<unknown>)[] = []
  let endingSince: number | undefined
  const close = async (signal?: NodeJS.Signals) => {
    for (const step of steps) await step(signal)
  }
  const finish = async (signal: NodeJS.Signals | undefined) => {
    await close(signal)
    if (cluster.isPrimary) say('The portal has stopped')
    process.exit(0)
  }
  const end = (signal: NodeJS.Signals | undefined) => {
    if (endingSince !== undefined) {
      if (performance.now() - endingSince > 1000) process.exit(1)
      return
    }
    endingSince = performance.now()
    finish(signal).catch((error: unknown) => {
      complain(`The portal did not stop cleanly: ${String(error)}`)
      process.exit(1)
    })
  }
  // One of several processes is told by its primary.
  if (cluster.isPrimary) for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(signal))
  return {
    end,
    isEnding: () => endingSince !== undefined,
    before: (step: (signal?: NodeJS.Signals) => Promise<unknown>) => void steps.unshift(step),
    close: () => close(),
  }
}

function greetDemoPeople(config: Config): void {
  const width = Math.max(...SIGN_IN_PEOPLE.map((person) => person.email.length))
  say('\nSign in as one of the demo people:')
  for (const person of SIGN_IN_PEOPLE) say(`  ${person.email.padEnd(width)}  ${person.about}`)
  say(`\nStraight in as one of them: ${config.origin}/auth/login?login_hint=${SIGN_IN_PEOPLE[0]?.email}`)
}
