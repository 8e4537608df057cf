import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import { HttpError } from '#server/http/http-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A file of the web app: a page loads dozens of them at once. */
    isWebAppFile?: boolean
  }
}

/** Requests of monitors and load balancers, often from one address: each of these routes must be cheap. */
export const PROBE = { schema: { hide: true }, config: { rateLimit: false as const } }

/**
 * The limit per address and minute, except for files of the web app and probes. The matched route decides, never the
 * text of the URL, which can be written in many ways.
 */
export async function limitRates(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(rateLimit, {
    global: true,
    max: config.requestsPerMinute,
    timeWindow: 60_000,
    allowList: (request) => request.routeOptions.config.isWebAppFile === true,
    errorResponseBuilder: (_request, context) =>
      new HttpError(429, `Too many requests: at most ${context.max} a minute. Try again in ${context.after}.`),
  })
  // The plugin limits routes, so requests that match none need this hook.
  const limit = app.rateLimit()
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) await limit.call(app, request, reply)
  })
}
