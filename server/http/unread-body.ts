import type { FastifyReply, FastifyRequest } from 'fastify'
import { BODY_LIMIT } from '#contract/kit/operation.ts'
import { HttpError } from '#server/http/http-error.ts'

/** The rest of the body is not read: the connection closes with the answer. */
export function stopReading({ raw }: FastifyRequest, reply: FastifyReply): void {
  raw.unpipe()
  raw.pause()
  reply.header('connection', 'close')
}

/**
 * For a request that is refused before its body is read. Node discards a short body and keeps the connection, so that a
 * browser with an expired session gets its answer. A long body, or one of unknown length, is not read.
 */
export function leaveBodyUnread(request: FastifyRequest, reply: FastifyReply): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (encoding !== undefined || Number(length ?? 0) > BODY_LIMIT) stopReading(request, reply)
}

/** A short compressed body may expand to a very long one. */
export function refuseCompressedBody(request: FastifyRequest, reply: FastifyReply): void {
  const encoding = request.headers['content-encoding']
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  reply.header('accept-encoding', 'identity')
  throw new HttpError(415, 'Send the body without Content-Encoding')
}
