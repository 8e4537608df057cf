import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'

/** Probes come every few seconds: their lines would drown the others. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

export const isProbe = (path: string): boolean => PROBES.has(path)

/** Whom the line of a request names. */
export type CallerOf = (request: FastifyRequest) => { readonly kind: string; readonly name: string } | null

type Options = {
  callerOf: CallerOf
  /** Whether the log may have emails of people, their addresses, and the queries of API calls. */
  personalData: boolean
}

/** One line for each request, when it is answered: method, route, status, time and caller. */
export class OneLinePerRequest extends fastify.LogController {
  readonly #options: Options
  constructor(options: Options) {
    super()
    this.#options = options
  }

  override incomingRequest(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const { method, url, ip, routeOptions } = request
    const route = routeOptions.url
    const { callerOf, personalData } = this.#options
    const caller = callerOf(request)
    const shown = withoutSecrets(url)
    const line = {
      method,
      route,
      url: personalData ? shown : shown.split('?')[0],
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      ...(personalData || caller?.kind === 'service key' ? { caller: caller?.name } : {}),
      ...(personalData ? { address: ip } : {}),
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
export function withoutSecrets(url: string): string {
  const [path = ''] = url.split('?')
  return (url.startsWith('/api/') ? url : path).replaceAll(/\b(lpk|cal)_[\w-]+/g, '$1_…')
}

type LoggedError = { type: string; message: string; stack: string; [fact: string]: unknown }

/**
 * An error without the values of rows that PostgreSQL adds to it in `detail` and `where`: they may be names and emails.
 */
export function errorWithoutValues(error: Error): LoggedError {
  const { name, message, stack = '', code, constraint, table, cause } = error as Error & Record<string, unknown>
  return {
    type: name,
    message,
    stack,
    code,
    constraint,
    table,
    ...(cause instanceof Error ? { cause: errorWithoutValues(cause) } : {}),
    ...(error instanceof AggregateError ? { errors: error.errors.map(errorWithoutValues) } : {}),
  }
}
