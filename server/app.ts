import { randomBytes, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import { BODY_LIMIT } from '#contract/kit/operation.ts'
import { measureSealing } from '#server/audit/chain.queries.ts'
import { auditSealer } from '#server/audit/sealer.ts'
import { BUILD_INFO } from '#server/build-info.ts'
import { ConfigError } from '#server/config/config-error.ts'
import type { Config } from '#server/config.ts'
import { dataJobs } from '#server/data/data.jobs.ts'
import { dataRoutes } from '#server/data/data.routes.ts'
import { closePools, openPools, type Pool } from '#server/db/database.ts'
import { addInstallationKeys } from '#server/db/installation-key.ts'
import { outageLog } from '#server/db/outage.ts'
import { loadInstallationSecret } from '#server/db/secrets.queries.ts'
import { diskFigures } from '#server/doctor/disks.ts'
import { fetchLogo } from '#server/doors/brand-logo.ts'
import { DEMO_PATH, type DemoPerson } from '#server/doors/demo-identity.ts'
import type { Mailer } from '#server/doors/mailer.ts'
import type { WebhookSender } from '#server/doors/webhook-sender.ts'
import { boundClose, plural } from '#server/http/bounded-close.ts'
import { answerErrors, notFound } from '#server/http/errors.ts'
import { health } from '#server/http/health.ts'
import { refuseForeignHosts, toOriginForm } from '#server/http/host-check.ts'
import { answerInsteadOfNode, malformedRequests } from '#server/http/malformed-requests.ts'
import { metrics } from '#server/http/metrics.ts'
import { openApi } from '#server/http/openapi.ts'
import { limitRates } from '#server/http/rate-limit.ts'
import { errorWithoutValues, OneLinePerRequest } from '#server/http/request-log.ts'
import { schemaController } from '#server/http/schema-compilers.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import type { Tracing } from '#server/http/tracing.ts'
import { refuseNulCharacters } from '#server/http/validation.ts'
import { webApp } from '#server/http/web-app.ts'
import { claimRoles } from '#server/identity/claim-roles.ts'
import { mountDemoIdentity } from '#server/identity/demo-identity.ts'
import { createProviderLoader, fetchFromApp, type SignIn } from '#server/identity/oidc-client.ts'
import { isKnownCaller, principalName, securitySchemes } from '#server/identity/principal.ts'
import { NO_MEMORY, type RememberedCallers } from '#server/identity/remembered-callers.ts'
import { signInRoutes } from '#server/identity/sign-in.ts'
import { countSignInSessions } from '#server/identity/sign-in-session.queries.ts'
import { signInSessionIdOf } from '#server/identity/sign-in-session.ts'
import { signInTokens } from '#server/identity/sign-in-tokens.ts'
import { countTraffic } from '#server/lists/list-csv.ts'
import { listEngine } from '#server/lists/list-engine.ts'
import { countAllRunningSessions } from '#server/modules/elastic/elastic.public.ts'
import { mailLane } from '#server/modules/messages/mail.lane.ts'
import { MODULES } from '#server/modules/modules.ts'
import { heartbeat } from '#server/modules/upkeep/heartbeat.ts'
import { webhookLane } from '#server/modules/webhooks/webhook.lane.ts'
import { WEBHOOK_SECRET } from '#server/modules/webhooks/webhook-secret.seal.ts'
import { webhookWorker } from '#server/modules/webhooks/webhook-worker.ts'
import { checkRegistered } from '#server/operations/registered-operations.ts'
import { createRoute } from '#server/operations/route.ts'
import { countMessages } from '#server/outbox/outbox.queries.ts'
import { outboxRoutes } from '#server/outbox/outbox.routes.ts'
import { outboxWorker } from '#server/outbox/outbox-worker.ts'
import { createLetterhead } from '#server/pdf/letterhead.ts'
import { createPdfMaker } from '#server/pdf/pdf-maker.ts'
import type { Siblings } from '#server/processes.ts'
import { recoveryJobs } from '#server/recovery/recovery.jobs.ts'
import { recoveryFigures } from '#server/recovery/recovery-figures.ts'
import { accountCopyJob } from '#server/scale-out/account-copy.job.ts'
import { isSharded } from '#server/scale-out/shard.queries.ts'
import type { Services } from '#server/services.ts'
import { expireTasksJob } from '#server/tasks/expire-tasks.ts'
import type { Job } from '#server/tasks/job.ts'
import { jobQueue } from '#server/tasks/job-queue.ts'
import { taskJob } from '#server/tasks/run-task.ts'
import { type AnyTaskKind, taskKinds } from '#server/tasks/task-kind.ts'
import { countTasks } from '#server/tasks/tasks.queries.ts'
import { tasksRoutes } from '#server/tasks/tasks.routes.ts'
import { callTurns } from '#server/turns/call-turns.ts'
import { followReplica } from '#server/turns/replica.ts'

type Made =
  | 'jobs'
  | 'lists'
  | 'callTurns'
  | 'makePdf'
  | 'loadLetterhead'
  | 'pools'
  | 'replica'
  | 'signInTokens'
  | 'claimRoles'
  | 'callers'
export type AppOptions = Omit<Services, Made> & {
  /** Whom the demo provider knows; ignored when a real provider is configured. */
  people: readonly DemoPerson[]
  /** Delivers mails from the outbox; without a mailer they stay there. */
  mailer?: Mailer
  /** Delivers webhooks; without it they stay queued. */
  webhookSender?: WebhookSender
  /** The cache of callers; without it every call loads its caller again. */
  callers?: (pool: Pool) => RememberedCallers
  /** The kinds of background tasks; tests may pass others than the product's. */
  tasks?: readonly AnyTaskKind[]
  /** Jobs that run outside of requests, in addition to the tasks; tests may pass others than the product's. */
  background?: readonly Job<never>[]
  /** Folder of the built web app; without it only the API is served. */
  web?: string
  logStream?: { write(line: string): void }
  /** Absent where no collector of traces is configured. */
  tracing?: Tracing | undefined
  /** Once aborted, the portal will end soon: load balancers and clients are told to go elsewhere, and are still answered. */
  draining?: AbortSignal
  /** Called with what closing waits for; `patience` is how long it waits, in milliseconds, ten seconds by default. */
  report?: (line: string) => void
  patience?: number
  /** The other processes that share the port. */
  siblings?: Siblings
}

/**
 * Milliseconds. `requestTimeout`: a request must have arrived by then, no matter how slowly its answer is read.
 * `connectionTimeout`: an idle connection is closed; longer than the heartbeat of an event stream.
 */
const TIMEOUTS = { requestTimeout: 60_000, connectionTimeout: 120_000 }

/** The whole portal, assembled explicitly: what is not in this list is not in the product. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config } = options
  const newRequestId = () => randomUUID().replaceAll('-', '')
  const outage = outageLog(options.pool, () => app.log)
  const app: FastifyInstance = Fastify({
    logger: {
      level: config.logLevel,
      hooks: {
        logMethod(parts, write) {
          const { err } = Object(parts[0]) as { err?: unknown }
          if (!outage.hides(err, () => write.apply(this, parts))) write.apply(this, parts)
        },
      },
      ...(config.logPersonalData ? {} : { serializers: { err: errorWithoutValues } }),
      ...(options.logStream ? { stream: options.logStream } : {}),
    },
    logController: new OneLinePerRequest({
      callerOf: ({ principal }) => principal && { kind: principal.kind, name: principalName(principal) },
      personalData: config.logPersonalData,
    }),
    genReqId: newRequestId,
    bodyLimit: BODY_LIMIT,
    trustProxy: config.trustProxy ?? false,
    rewriteUrl: toOriginForm,
    forceCloseConnections: 'idle',
    // While the portal closes, requests over open connections are still answered.
    return503OnClosing: false,
    ...TIMEOUTS,
    // The start makes the months of usage that are missing: on shards, thousands of indexes.
    pluginTimeout: 120_000,
    routerOptions: { maxParamLength: 500 },
    schemaController,
    http: {
      requireHostHeader: false,
      headersTimeout: 20_000,
      connectionsCheckingInterval: 5_000,
      // An idle connection is closed well after the time that the client was told, so that a busy portal resets none
      // on which the next request is on its way.
      keepAliveTimeoutBuffer: 15_000,
    },
    ...malformedRequests(config, newRequestId),
  })
  app.addHook('onClose', async () => outage.close())
  await options.tracing?.traceRequests(app)
  const timeLeft = boundClose(app, {
    unfinishedWork: () => [
      ...[...outbox.sending(), ...(webhooks?.sending() ?? [])].map((noun) => `1 ${noun} being sent`),
      ...runningJobs(jobs.running()),
    ],
    interrupt: () => {
      outbox.interrupt()
      webhooks?.interrupt()
    },
    report: options.report ?? ((line) => app.log.warn(line)),
    patience: options.patience,
  })
  addInstallationKeys(config.installationKeys)
  const database = { isSharded: await isSharded(options.db) }
  const pools = openPools(options.pool, database)
  // These hooks run in reverse order: the pools are closed after everything that uses them has stopped.
  app.addHook('onClose', () => closePools(pools))
  const jobs = jobQueue({ db: options.db, pool: pools.access.pool }, app.log, database)
  const listParts = {
    db: options.db,
    secret: await loadInstallationSecret(options.db, 'list tokens'),
    traffic: countTraffic(app),
  }
  const lists = listEngine({ ...listParts, preparedPool: pools.prepared.pool })
  if (config.replica && database.isSharded)
    throw new ConfigError('DATABASE_REPLICA_URL cannot be used: the database is distributed over several nodes')
  const followed = config.replica && (await followReplica({ ...config.replica, primary: pools.access, log: app.log }))
  if (followed) app.addHook('onClose', () => followed.close())
  const replica = followed && {
    ...followed,
    lists: listEngine({ ...listParts, preparedPool: followed.pools.prepared.pool }),
  }
  const signIn = config.signIn && { settings: config.signIn, provider: createProviderLoader(config.signIn) }
  const seals = signInTokens(await loadInstallationSecret(options.db, 'session tokens'))
  const roles = signIn?.settings.roleClaim
    ? claimRoles({ ...options, ...pools.access, ...signIn, tokens: seals, log: app.log })
    : undefined
  if (roles) app.addHook('onClose', () => roles.settle())
  const callers = options.callers?.(pools.access.pool) ?? NO_MEMORY
  // Stopped before the pools are closed, because it holds one of their connections.
  app.addHook('preClose', () => callers.close())
  const pdf = createPdfMaker()
  app.addHook('onClose', () => pdf.close())
  const services: Services = {
    ...options,
    jobs,
    lists,
    callTurns: callTurns(pools),
    makePdf: pdf.makePdf,
    loadLetterhead: createLetterhead({
      brand: config.brand,
      fetchLogo: () => fetchLogo({ ...config.brand, origin: config.origin, web: options.web }),
      makePdf: pdf.makePdf,
      clock: options.clock,
      log: app.log,
    }),
    pools,
    replica,
    signInTokens: seals,
    claimRoles: roles,
    callers,
  }
  /** A separate pool, so that these calls get a connection even under load. */
  const access: Services = { ...services, ...pools.access }
  const tasks = options.tasks ?? TASKS
  app.addHook('onReady', () =>
    jobs.start([...(options.background ?? productJobs(config, database)), ...tasks.map(taskJob)], services),
  )
  app.addHook('onClose', () => jobs.stop(timeLeft()))
  heartbeat(app, services, { version: BUILD_INFO.version, draining: options.draining })
  const lanes = [mailLane(options.mailer), webhookLane(options.clock)]
  const outbox = outboxWorker(lanes, { ...services, log: app.log })
  const webhooks =
    options.webhookSender &&
    webhookWorker({
      ...services,
      log: app.log,
      sender: options.webhookSender,
      installationSecret: await loadInstallationSecret(options.db, WEBHOOK_SECRET),
    })
  app.addHook('onReady', async () => {
    outbox.start()
    webhooks?.start()
  })
  app.addHook('preClose', async () => {
    void outbox.stop()
    void webhooks?.stop()
  })
  app.addHook('onClose', async () => {
    await Promise.all([outbox.stop(), webhooks?.stop()])
  })
  const sealer = auditSealer({ ...services, log: app.log })
  app.addHook('onReady', async () => sealer.start())
  app.addHook('onClose', () => sealer.stop())
  app.decorateRequest('principal', null)
  app.decorateRequest('caller', null)
  app.addHook('onRequest', (request, reply, done) => {
    // The browser takes the time from this header, because the clock of a customer's machine may be wrong.
    reply.headers({ 'x-request-id': request.id, date: options.clock.now().toUTCString() })
    done()
  })
  endConnectionsWhile(app, options.draining)
  answerErrors(app)
  await securityHeaders(app, config)
  answerInsteadOfNode(app)
  refuseForeignHosts(app, config)
  refuseNulCharacters(app)
  await app.register(cookie)
  await limitRates(app, config)
  await openApi(app, config, {
    version: BUILD_INFO.version,
    securitySchemes: securitySchemes(config),
    isKnown: (request) => isKnownCaller(access, request),
  })
  const counted = [
    { name: 'portal_signed_in_sessions', help: 'Sessions of people that have not ended', read: countSignInSessions },
    { name: 'portal_elastic_sessions', help: 'Running elastic sessions', read: countAllRunningSessions },
    { name: 'portal_outbox_messages', help: 'Messages that are not delivered, by lane and state', read: countMessages },
    { name: 'portal_tasks', help: 'Background tasks by kind and state', read: countTasks },
    {
      name: 'portal_audit_unsealed_seconds',
      help: 'How long the oldest entry of the audit log has been waiting for its seal',
      read: measureSealing,
    },
    ...recoveryFigures(config),
    ...diskFigures(config),
  ]
  metrics(app, services, BUILD_INFO, counted, options.siblings)
  health(app, access, options.draining)
  signInRoutes(app, access, signIn ? { ...signIn, endDemoSession: undefined } : demoSignIn(app, options))

  const registered = new Set<string>()
  const routeIn = (module: string) => createRoute(app, services, access, registered, module)
  for (const { name, routes } of MODULES) routes?.(routeIn(name), app, services)
  dataRoutes(routeIn('data'))
  tasksRoutes(routeIn('tasks'), taskKinds(tasks))
  outboxRoutes(routeIn('outbox'), lanes)
  checkRegistered(registered)

  if (options.web && fs.existsSync(path.join(options.web, 'index.html')))
    await webApp(app, options.web, (request) => signInSessionIdOf(request, config) !== undefined)
  else app.setNotFoundHandler(notFound)
  return app
}

function runningJobs(queues: readonly string[]): string[] {
  return queues.length > 0 ? [`${plural(queues.length, 'running job')} (${[...new Set(queues)].join(', ')})`] : []
}

/** Jobs of every installation. */
export const JOBS: readonly Job<never>[] = [...MODULES.flatMap(({ jobs = [] }) => jobs), ...dataJobs, expireTasksJob]
const productJobs = (config: Config, { isSharded }: { isSharded: boolean }): readonly Job<never>[] => [
  ...JOBS,
  ...recoveryJobs(config),
  ...(isSharded ? [accountCopyJob] : []),
]
const TASKS: readonly AnyTaskKind[] = MODULES.flatMap(({ tasks = [] }) => tasks)

/** The demo identity provider, in this process. */
function demoSignIn(app: FastifyInstance, options: AppOptions): SignIn {
  const { config } = options
  const secret = randomBytes(24).toString('base64url')
  const client = {
    id: 'portal',
    secret,
    redirectUri: `${config.origin}/auth/callback`,
    afterSignOut: `${config.origin}/`,
  }
  const endDemoSession = mountDemoIdentity(app, { config, people: options.people, client })
  const settings = {
    issuer: `${config.origin}${DEMO_PATH}`,
    clientId: client.id,
    clientSecret: client.secret,
    clientAuth: 'basic' as const,
    trustEmail: false,
    roleClaim: undefined,
    roleMap: new Map(),
  }
  return { settings, provider: createProviderLoader(settings, fetchFromApp(app, config.origin)), endDemoSession }
}

/** Every answer closes its connection: the next request opens a new one, which a load balancer directs elsewhere. */
function endConnectionsWhile(app: FastifyInstance, draining: AbortSignal | undefined): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (draining?.aborted) reply.header('connection', 'close')
    done(null, payload)
  })
}
