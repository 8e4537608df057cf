import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SCIM_MEDIA } from '#contract/provisioning/scim.ts'
import { errorResource } from '#domain/provisioning/scim-resources.ts'
import type { failure } from '#server/http/envelope.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Errors have the form of this standard. */
    wire?: 'scim'
  }
}

export const PROBLEM_TYPE = 'application/problem+json'
/** Programs send a service key or a token. */
const PROGRAM = /^bearer (lpk|lpc)_/i

/** Programs that accept it get errors in the form of RFC 9457, with our code. A weight of 0 (`q=0`) refuses it. */
function acceptsProblem({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range
      .toLowerCase()
      .split(';')
      .map((part) => part.trim())
    return type === PROBLEM_TYPE && !parameters.some((parameter) => /^q\s*=\s*0(\.0*)?$/.test(parameter))
  })
}

type Failure = ReturnType<typeof failure> & Readonly<Record<string, unknown>>

/** An error in the form that the caller wants: ours, or that of RFC 9457 or of the standard that the route follows. */
export function sendFailure(request: FastifyRequest, reply: FastifyReply, status: number, body: object): FastifyReply {
  reply.code(status)
  if (request.routeOptions?.config?.wire === 'scim') {
    const { err, scimType } = body as Failure & { readonly scimType?: string }
    return reply
      .type(SCIM_MEDIA)
      .serializer(JSON.stringify)
      .send(errorResource(status, err, scimType))
  }
  if (!PROGRAM.test(request.headers.authorization ?? '')) return reply.send(body)
  reply.header('vary', 'Accept')
  if (!acceptsProblem(request)) return reply.send(body)
  return reply
    .type(PROBLEM_TYPE)
    .serializer(JSON.stringify)
    .send(toProblem(request.id, status, body as Failure))
}

function toProblem(requestId: string, status: number, { status: _, code, err, ...more }: Failure) {
  return {
    type: `urn:licensing-portal:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: err,
    instance: `urn:licensing-portal:request:${requestId}`,
    code,
    ...more,
  }
}
