import fs from 'node:fs'
import path from 'node:path'
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import type { AppOptions } from '#server/app-options.ts'
import { measureSealing } from '#server/audit/chain.queries.ts'
import { type Background, runBackground } from '#server/background.ts'
import { BUILD_INFO } from '#server/build-info.ts'
import { dataRoutes } from '#server/data/data.routes.ts'
import { outageLog } from '#server/db/outage.ts'
import { diskFigures } from '#server/doctor/disks.ts'
import { accessibilityReport } from '#server/http/accessibility-report.ts'
import { boundClose } from '#server/http/bounded-close.ts'
import { answerErrors, notFound } from '#server/http/errors.ts'
import { openFastify } from '#server/http/fastify.ts'
import { health } from '#server/http/health.ts'
import { refuseForeignHosts } from '#server/http/host-check.ts'
import { CallerGoneError } from '#server/http/http-error.ts'
import { answerInsteadOfNode } from '#server/http/malformed-requests.ts'
import { metrics } from '#server/http/metrics.ts'
import { openApi } from '#server/http/openapi.ts'
import { limitRates } from '#server/http/rate-limit.ts'
import type { CallerOf } from '#server/http/request-log.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import { answerBeforeClosing } from '#server/http/unread-body.ts'
import { refuseNulCharacters } from '#server/http/validation.ts'
import { webApp } from '#server/http/web-app.ts'
import { isKnownCaller, principalName, securitySchemes } from '#server/identity/principal.ts'
import { signInRoutes } from '#server/identity/sign-in.ts'
import { countSignInSessions } from '#server/identity/sign-in-session.queries.ts'
import { signInSessionIdOf } from '#server/identity/sign-in-session.ts'
import { makeServices } from '#server/make-services.ts'
import { countAllRunningSessions } from '#server/modules/elastic/elastic.public.ts'
import { MODULES } from '#server/modules/modules.ts'
import { createAccountProviders } from '#server/modules/sign-in-providers/sign-in-providers.public.ts'
import { checkRegistered } from '#server/operations/registered-operations.ts'
import { createRoute } from '#server/operations/route.ts'
import { countMessages } from '#server/outbox/outbox.queries.ts'
import { outboxRoutes } from '#server/outbox/outbox.routes.ts'
import { recoveryFigures } from '#server/recovery/recovery-figures.ts'
import { nodeFigures } from '#server/scale-out/node-figures.ts'
import type { Services } from '#server/services.ts'
import { taskKinds } from '#server/tasks/task-kind.ts'
import { countTasks } from '#server/tasks/tasks.queries.ts'
import { tasksRoutes } from '#server/tasks/tasks.routes.ts'

/** The whole portal, assembled explicitly. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config } = options
  const callerOf: CallerOf = ({ principal }) => principal && { kind: principal.kind, name: principalName(principal) }
  const outage = outageLog(options.pool, () => app.log)
  const app: FastifyInstance = openFastify({ ...options, callerOf, outage })
  app.addHook('onClose', async () => outage.close())
  await options.tracing?.traceRequests(app)
  let background: Background | undefined
  const timeLeft = boundClose(app, {
    unfinishedWork: () => background?.unfinished() ?? [],
    interrupt: () => background?.interrupt(),
    report: options.report ?? ((line) => app.log.warn(line)),
    patience: options.patience,
  })
  const { services, signIn } = await makeServices(app, options)
  /** A separate pool, so that these calls get a connection even under load. */
  const access: Services = { ...services, ...services.pools.access }
  background = await runBackground(app, { services, timeLeft }, options)
  app.decorateRequest('principal', null)
  app.decorateRequest('caller', null)
  app.addHook('onRequest', (request, reply, done) => {
    // The browser takes the time from this header, because the clock of a customer's machine may be wrong.
    reply.headers({ 'x-request-id': request.id, date: options.clock.now().toUTCString() })
    // A connection that its client has reset has no address any more, which the rate limit and the audit log need.
    done(request.socket.remoteAddress === undefined ? new CallerGoneError() : undefined)
  })
  endConnectionsWhile(app, options.draining)
  answerBeforeClosing(app)
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
    ...nodeFigures(),
  ]
  metrics(app, services, BUILD_INFO, counted, options.siblings)
  health(app, access, options.draining)
  accessibilityReport(app, config)
  // Not loaded where a real provider is configured: the demo provider takes time and memory.
  const provider = signIn
    ? { ...signIn, endDemoSession: undefined }
    : (await import('#server/identity/demo-sign-in.ts')).demoSignIn(app, options)
  signInRoutes(app, access, provider, createAccountProviders(access))

  const registered = new Set<string>()
  const routeIn = (module: string) => createRoute(app, services, access, registered, module)
  for (const { name, routes } of MODULES) routes?.(routeIn(name), app, services)
  dataRoutes(routeIn('data'))
  tasksRoutes(routeIn('tasks'), taskKinds(background.tasks))
  outboxRoutes(routeIn('outbox'), background.lanes)
  checkRegistered(registered)

  if (options.web && fs.existsSync(path.join(options.web, 'index.html')))
    await webApp(app, options.web, (request) => signInSessionIdOf(request, config) !== undefined)
  else app.setNotFoundHandler(notFound)
  return app
}

/** Every answer closes its connection: the next request opens a new one, which a load balancer directs elsewhere. */
function endConnectionsWhile(app: FastifyInstance, draining: AbortSignal | undefined): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (draining?.aborted) reply.header('connection', 'close')
    done(null, payload)
  })
}
