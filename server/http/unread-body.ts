import type { FastifyReply, FastifyRequest } from 'fastify'
import { BODY_LIMIT } from '#contract/kit/operation.ts'
import { HttpError } from '#server/http/http-error.ts'

/** What the client still sends is not read: the connection ends with the answer. */
export function stopReading({ raw }: FastifyRequest, reply: FastifyReply): void {
  raw.unpipe()
  raw.pause()
  reply.header('connection', 'close')
}

/**
 * For a request that is refused before its body is read. Node throws a short body away and keeps the connection, so that a
 * browser whose session has ended gets its answer; a long body, or one of unknown length, is not read.
 */
export function leaveBodyUnread(request: FastifyRequest, reply: FastifyReply): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (encoding !== undefined || Number(length ?? 0) > BODY_LIMIT) stopReading(request, reply)
}

/** A short compressed body can be a very long one. */
export function refuseCompressedBody(request: FastifyRequest, reply: FastifyReply): void {
  const encoding = request.headers['content-encoding']
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  reply.header('accept-encoding', 'identity')
  throw new HttpError(415, 'Send the body without Content-Encoding')
}
