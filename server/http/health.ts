import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { failure, success } from '#server/http/envelope.ts'
import type { Services } from '#server/services.ts'

/** `/healthz`: the process lives. `/readyz`: it can answer, that is, the database answers it. */
export function health(app: FastifyInstance, services: Services): void {
  app.get('/healthz', { schema: { hide: true }, config: { rateLimit: false } }, async () => success({ data: 'alive' }))
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    try {
      await sql`select 1`.execute(services.db)
      return success({ data: 'ready' })
    } catch {
      return reply.code(503).send(failure('UNAVAILABLE', 'The database does not answer'))
    }
  })
}
