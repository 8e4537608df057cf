import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { codeOfStatus } from '#contract/kit/failure-code.ts'
import { isDatabaseUnavailable, isUnusableValue } from '#server/db/database-errors.ts'
import { failure } from '#server/http/envelope.ts'
import { HttpError, TooManyCallsError } from '#server/http/http-error.ts'
import { sendFailure } from '#server/http/problem.ts'

/** One shape for every error; an internal error ends with the reference id of its log line. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof TooManyCallsError) reply.header('retry-after', error.retryAfter)
    if (error instanceof HttpError) {
      const status = error.statusCode === 200 ? wireStatusOf(request, error) : error.statusCode
      if (status !== undefined) return sendFailure(request, reply, status, error.body)
      request.refusalCode = error.code
      return reply.code(200).send(error.body)
    }
    // The client left while its file was made: nothing is wrong, and nobody reads an answer.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE' && reply.raw.destroyed) return void reply.hijack()
    const status = statusOf(error)
    const code = codeOfStatus(status)
    if (status < 500) return sendFailure(request, reply, status, failure(code, textOf(error)))
    request.log.error({ err: error }, 'request failed')
    return sendFailure(request, reply, status, failure(code, ourErrorText(request, status)))
  })
}

/** Standards have no business refusals with HTTP 200. Only a list that takes too long may succeed later. */
function wireStatusOf({ routeOptions }: FastifyRequest, { code }: HttpError): number | undefined {
  if (routeOptions.config.wire === undefined) return undefined
  return code === 'LIST_TIMEOUT' ? 503 : 409
}

export function notFound(request: FastifyRequest, reply: FastifyReply) {
  const body = failure('NOT_FOUND', `Not found: ${request.method} ${pathOf(request)}`)
  return sendFailure(request, reply, 404, body)
}

function ourErrorText(request: FastifyRequest, status: number): string {
  const what =
    status === 503
      ? 'The portal is not ready to answer. Nothing was changed; please try again.'
      : 'Something went wrong on our side. Nothing was changed; please try again.'
  return `${what} reference id [${request.id}]`
}

function statusOf(error: FastifyError): number {
  if (isUnusableValue(error)) return 400
  if (isDatabaseUnavailable(error)) return 503
  const status = error.statusCode ?? 500
  return status >= 400 && status < 600 ? status : 500
}

function textOf(error: FastifyError): string {
  if (error.validation?.[0]) return validationText(error)
  if (isUnusableValue(error)) return 'A value in the request cannot be stored'
  return error.message
}

function validationText(error: FastifyError): string {
  const first = error.validation?.[0]
  const field = `${error.validationContext ?? 'request'}${(first?.instancePath ?? '').replaceAll('/', '.')}`
  const params = first?.params as Record<string, unknown> | undefined
  if (first?.keyword === 'additionalProperties') return `${field} has an unknown field '${params?.additionalProperty}'`
  if (first?.keyword === 'pattern') return `${field} is not of the expected form`
  const allowed = allowedAt(error.validation ?? [], first?.instancePath ?? '')
  if (allowed.length > 0) return `${field} must be ${allowed.join(' or ')}`
  return `${field} ${first?.message ?? 'is not valid'}`
}

/** The values that the first invalid field may have. Validation reports each allowed value as a separate error. */
function allowedAt(errors: NonNullable<FastifyError['validation']>, field: string): string[] {
  return errors
    .filter(({ instancePath }) => instancePath === field)
    .flatMap(({ keyword, params }) => {
      if (keyword === 'enum') return params.allowedValues as unknown[]
      return keyword === 'const' ? [params.allowedValue] : []
    })
    .map((value) => JSON.stringify(value))
}

/** The decoded path of a request, without its query. */
export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  const [path = ''] = url.split('?')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
