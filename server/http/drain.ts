import type { FastifyInstance } from 'fastify'

/** With its answer every connection ends: the next request comes over a new one, which a load balancer opens elsewhere. */
export function endConnectionsWhile(app: FastifyInstance, draining: AbortSignal | undefined): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (draining?.aborted) reply.header('connection', 'close')
    done(null, payload)
  })
}
