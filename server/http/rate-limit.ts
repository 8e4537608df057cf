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

/** In seconds. */
const WINDOW = 60

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
    timeWindow: WINDOW * 1000,
    allowList: (request) => request.routeOptions.config.isWebAppFile === true,
    errorResponseBuilder: (_request, context) =>
      new HttpError(429, `Too many requests: at most ${context.max} a minute. Try again in ${context.after}.`),
  })
  // The plugin limits routes, so requests that match none need this hook.
  const limit = app.rateLimit()
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) await limit.call(app, request, reply)
  })
  // The plugin sends the names of an earlier draft. These are the fields of the current one (draft-ietf-httpapi-ratelimit-headers).
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const max = reply.getHeader('x-ratelimit-limit')
    if (max !== undefined)
      reply.headers({
        'ratelimit-policy': `"address";q=${max};w=${WINDOW}`,
        ratelimit: `"address";r=${reply.getHeader('x-ratelimit-remaining')};t=${reply.getHeader('x-ratelimit-reset')}`,
      })
    done()
  })
}
