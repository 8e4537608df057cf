import type { FastifyInstance } from 'fastify'
import type { AppOptions } from '#server/app-options.ts'
import { ConfigError } from '#server/config/config-error.ts'
import type { SignInConfig } from '#server/config.ts'
import { closePools, openPools } from '#server/db/database.ts'
import { InstallationSecrets } from '#server/db/secrets.queries.ts'
import { fetchLogo } from '#server/doors/brand-logo.ts'
import { createTxtLookup } from '#server/doors/txt-records.ts'
import { claimRoles } from '#server/identity/claim-roles.ts'
import { createProviderLoader } from '#server/identity/oidc-client.ts'
import { NO_MEMORY } from '#server/identity/remembered-callers.ts'
import { signInTokens } from '#server/identity/sign-in-tokens.ts'
import { countTraffic } from '#server/lists/list-csv.ts'
import { listEngine } from '#server/lists/list-engine.ts'
import { createLogThreads } from '#server/modules/license-use/logs/log-threads.ts'
import { createReads } from '#server/operations/reads.ts'
import { createLetterhead } from '#server/pdf/letterhead.ts'
import { createPdfMaker } from '#server/pdf/pdf-maker.ts'
import { isSharded } from '#server/scale-out/shard.queries.ts'
import type { Services } from '#server/services.ts'
import { type JobQueue, jobQueue } from '#server/tasks/job-queue.ts'
import { callTurns } from '#server/turns/call-turns.ts'
import { followReplica } from '#server/turns/replica.ts'

type Made = {
  readonly services: Services & { readonly jobs: JobQueue }
  /** Absent in a demo. */
  readonly signIn: { settings: SignInConfig; provider: ReturnType<typeof createProviderLoader> } | undefined
}

/**
 * Makes what the whole server uses. It is closed with the app, in the reverse order: the pools after everything that
 * uses them has stopped.
 */
export async function makeServices(app: FastifyInstance, options: AppOptions): Promise<Made> {
  const { config } = options
  const secrets = new InstallationSecrets(config.installationKeys)
  const database = { isSharded: await isSharded(options.db) }
  const pools = openPools(options.pool, database)
  app.addHook('onClose', () => closePools(pools))
  const jobs = jobQueue({ db: options.db, pool: pools.access.pool }, app.log, database)
  const listParts = {
    db: options.db,
    secret: await secrets.load(options.db, 'list tokens'),
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
  const seals = signInTokens(await secrets.load(options.db, 'session tokens'))
  const roles = signIn?.settings.roleClaim
    ? claimRoles({ ...options, ...pools.access, ...signIn, tokens: seals, log: app.log })
    : undefined
  if (roles) app.addHook('onClose', () => roles.settle())
  const callers = options.callers?.(pools.access.pool) ?? NO_MEMORY
  // Stopped before the pools are closed, because it holds one of their connections.
  app.addHook('preClose', () => callers.close())
  const pdf = createPdfMaker()
  app.addHook('onClose', () => pdf.close())
  const logThreads = createLogThreads()
  app.addHook('onClose', () => logThreads.close())
  const readParts = { lists, pools, callTurns: callTurns(pools) }
  const services = {
    ...options,
    ...readParts,
    secrets,
    findTexts: options.findTexts ?? createTxtLookup(),
    jobs,
    reads: createReads({ ...options, ...readParts, replica }),
    makePdf: pdf.makePdf,
    logThreads,
    loadLetterhead: createLetterhead({
      brand: config.brand,
      fetchLogo: () => fetchLogo({ ...config.brand, origin: config.origin, web: options.web }),
      makePdf: pdf.makePdf,
      clock: options.clock,
      log: app.log,
    }),
    signInTokens: seals,
    claimRoles: roles,
    callers,
  }
  return { services, signIn }
}
