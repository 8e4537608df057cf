import type { FastifyInstance } from 'fastify'

/** How many requests have begun so far: long work looks at it to see whether it has the server to itself. */
export type Traffic = { readonly begun: number }

export function countTraffic(app: FastifyInstance): Traffic {
  const traffic = { begun: 0 }
  app.addHook('onRequest', (_request, _reply, done) => {
    traffic.begun++
    done()
  })
  return traffic
}
