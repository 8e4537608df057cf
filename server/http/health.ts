import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { failure, success } from '#server/http/envelope.ts'
import { PROBE } from '#server/http/rate-limit.ts'
import { answerWithin } from '#server/http/within.ts'
import type { Services } from '#server/services.ts'

/** Timeout in milliseconds: probes give up after two seconds or more. */
const TIMEOUT = 1_500

/** `/healthz`: the process is alive. `/readyz`: the database answers, and the portal is not draining. */
export function health(app: FastifyInstance, services: Services, draining: AbortSignal | undefined): void {
  let asked: Promise<unknown> | undefined
  /** Concurrent checks share one query, so that many of them take one connection. */
  const askDatabase = () => {
    asked ??= sql`select 1`.execute(services.db).finally(() => {
      asked = undefined
    })
    return answerWithin(asked, TIMEOUT)
  }
  app.get('/healthz', PROBE, async () => success({ data: 'alive' }))
  app.get('/readyz', PROBE, async (_request, reply) => {
    if (draining?.aborted) return reply.code(503).send(failure('UNAVAILABLE', 'The portal is about to end'))
    try {
      await askDatabase()
      return success({ data: 'ready' })
    } catch {
      return reply.code(503).send(failure('UNAVAILABLE', 'The database does not answer'))
    }
  })
}
