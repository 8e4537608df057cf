import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BODY_LIMIT } from '#contract/kit/operation.ts'
import { HttpError } from '#server/http/http-error.ts'

/** Milliseconds for which the rest of a body is thrown away after the answer. */
const MAX_LINGER = 10_000

/** The rest of the body is not read: the connection closes with the answer. */
export function stopReading({ raw }: FastifyRequest, reply: FastifyReply): void {
  raw.unpipe()
  raw.pause()
  reply.header('connection', 'close')
}

/**
 * Clients that read the answer only when they have sent everything get it, too: closing a connection while something arrives
 * resets it, and an answer that was not read yet is lost.
 */
export function answerBeforeClosing(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (reply.getHeader('connection') === 'close' && !raw.complete) closeLater(raw)
    done(null, payload)
  })
}

/** Node calls `destroySoon` when the last answer of a connection is written. */
function closeLater(raw: IncomingMessage): void {
  const { socket } = raw
  const destroy = () => void socket.destroy()
  socket.destroySoon = () => {
    socket.end()
    if (raw.complete) return destroy()
    const timer = setTimeout(destroy, MAX_LINGER).unref()
    socket.once('close', () => clearTimeout(timer))
    raw.once('end', destroy).resume()
  }
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
