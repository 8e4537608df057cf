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

/** What monitors and load balancers ask for, often from one address: each of these routes must cost little. */
export const PROBE = { schema: { hide: true }, config: { rateLimit: false as const } }

/**
 * Per address and minute, over everything but the files of the web app and the probes. The matched route decides,
 * never the text of the URL, which can be written in many ways.
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
  // A request that matches no route is not limited by one.
  const limit = app.rateLimit()
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) await limit.call(app, request, reply)
  })
}
