import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'

/** Probes come every few seconds: their lines would drown the others. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

/** One line for each request, when it is answered: method, route, status, time and person. */
export class OneLinePerRequest extends fastify.LogController {
  readonly #personOf: (request: FastifyRequest) => string | undefined
  constructor(personOf: (request: FastifyRequest) => string | undefined) {
    super()
    this.#personOf = personOf
  }

  override incomingRequest(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const { method, url, ip, routeOptions } = request
    const route = routeOptions.url
    const line = {
      method,
      route,
      url: withoutSecrets(url),
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      person: this.#personOf(request),
      address: ip,
    }
    if (error) reply.log.error({ ...line, err: error }, 'request failed')
    else reply.log[PROBES.has(route ?? '') ? 'debug' : 'info'](line, 'request')
  }
}

/**
 * Only API calls keep their query in the log: a path can be written in many ways, and the query of a sign-in holds its
 * code and the person's address. The address of a calendar holds its secret. A service key must not be in an address,
 * but somebody may put it there.
 */
function withoutSecrets(url: string): string {
  const [path = ''] = url.split('?')
  return (url.startsWith('/api/') ? url : path).replaceAll(/\b(lpk|cal)_[\w-]+/g, '$1_…')
}
