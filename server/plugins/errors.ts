import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { codeOfStatus } from '#contract/kit/failure-code.ts'
import { Refusal, StaleSave } from '#server/plugins/problem.ts'

/** One shape for every error; what is our fault ends with the reference id that the log line carries. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof Refusal)
      return reply.code(200).send({ status: 'FAILURE', code: error.code, err: error.message })
    if (error instanceof StaleSave)
      return reply.code(409).send({ status: 'FAILURE', code: 'STALE', err: error.message, data: error.versions })
    const status = statusOf(error)
    const code = codeOfStatus(status)
    if (status < 500) return reply.code(status).send({ status: 'FAILURE', code, err: textOf(error) })
    request.log.error({ err: error }, 'request failed')
    return reply.code(status).send({ status: 'FAILURE', code, err: ourFault(request, status) })
  })
}

export function notFound(request: FastifyRequest, reply: FastifyReply) {
  const path = request.url.split('?')[0]
  const err = `There is nothing at ${request.method} ${path}`
  return reply.code(404).send({ status: 'FAILURE', code: codeOfStatus(404), err })
}

function ourFault(request: FastifyRequest, status: number): string {
  const what =
    status === 503
      ? 'The portal is not ready to answer. Nothing was changed; please try again.'
      : 'Something went wrong on our side. Nothing was changed; please try again.'
  return `${what} reference id [${request.id}]`
}

function statusOf(error: FastifyError): number {
  const fromDatabase = databaseStatus(error)
  if (fromDatabase) return fromDatabase
  const status = error.statusCode ?? 500
  return status >= 400 && status < 600 ? status : 500
}

/**
 * The net under validation: a value that PostgreSQL cannot take (class 22: too long, out of range, not text) was the
 * caller's. A database that is away, starting, or too slow is a 503.
 */
function databaseStatus(error: FastifyError): number | undefined {
  const code = error.code ?? ''
  if (/^22[0-9A-Z]{3}$/.test(code)) return 400
  if (/^(08|57P0)/.test(code) || code === '57014' || code === '53300') return 503
  if (['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE'].includes(code) && 'syscall' in error) return 503
  if (/Connection terminated|timeout exceeded when trying to connect/.test(error.message)) return 503
  return undefined
}

function textOf(error: FastifyError): string {
  if (error.validation?.[0]) return validationText(error)
  if (/^22/.test(error.code ?? '')) return 'A value in the request cannot be stored'
  return error.message
}

function validationText(error: FastifyError): string {
  const first = error.validation?.[0]
  const place = `${error.validationContext ?? 'request'}${(first?.instancePath ?? '').replaceAll('/', '.')}`
  const params = first?.params as Record<string, unknown> | undefined
  if (first?.keyword === 'additionalProperties') return `${place} has an unknown field '${params?.additionalProperty}'`
  if (first?.keyword === 'pattern') return `${place} is not of the expected form`
  const allowed = allowedAt(error.validation ?? [], first?.instancePath ?? '')
  if (allowed.length > 0) return `${place} must be ${allowed.join(' or ')}`
  return `${place} ${first?.message ?? 'is not valid'}`
}

/** The values that the first faulty place may have; where one of several will do, each of them is a fault of its own. */
function allowedAt(faults: NonNullable<FastifyError['validation']>, place: string): string[] {
  return faults
    .filter(({ instancePath }) => instancePath === place)
    .flatMap(({ keyword, params }) => {
      if (keyword === 'enum') return params.allowedValues as unknown[]
      return keyword === 'const' ? [params.allowedValue] : []
    })
    .map((value) => JSON.stringify(value))
}
