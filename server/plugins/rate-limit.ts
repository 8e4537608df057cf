import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import { Problem } from '#server/plugins/problem.ts'

/** Per address and minute, over everything but the files of the web app. */
export async function limitRates(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(rateLimit, {
    global: true,
    max: config.requestsPerMinute,
    timeWindow: 60_000,
    allowList: (request) => !/^\/(api|auth|service|demo-idp)\//.test(request.url),
    errorResponseBuilder: (_request, context) =>
      new Problem(429, `Too many requests: at most ${context.max} a minute. Try again in ${context.after}.`),
  })
}
