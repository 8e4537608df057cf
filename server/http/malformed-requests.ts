import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import { codeOfStatus } from '#contract/kit/failure-code.ts'
import type { Config } from '#server/config.ts'
import { failure } from '#server/http/envelope.ts'
import { HttpError } from '#server/http/http-error.ts'
import { sendFailure } from '#server/http/problem.ts'
import { dataHeaders } from '#server/http/security-headers.ts'

/** How long a refused connection may take to read its answer, in milliseconds. */
const LINGER = 1000

/**
 * Requests that no route ever sees: HTTP that cannot be parsed, a path that cannot be decoded. They get the same body,
 * headers and rate limit as every other error.
 */
export function malformedRequests(config: Config, newRequestId: () => string) {
  const headers = dataHeaders(config)

  function clientErrorHandler(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
    if (socket.writableEnded) return
    // A second answer cannot follow half of another one.
    const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse }
    if (error.code === 'ECONNRESET' || !socket.writable || answer?.headersSent) return void socket.destroy()
    const [status, text] = UNPARSABLE[error.code ?? ''] ?? [400, 'The request is not valid HTTP']
    const id = newRequestId()
    this.log.info({ reqId: id, err: error }, 'malformed request')
    const body = JSON.stringify(failure(codeOfStatus(status), text))
    const lines = Object.entries({
      ...headers,
      'x-request-id': id,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
    // If the connection were closed at once, a client that is still sending would see a reset instead of the answer.
    setTimeout(() => socket.destroy(), LINGER).unref()
  }

  async function frameworkErrors(error: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.headers({ ...headers, 'x-request-id': request.id })
    const [status, text] = await request.server
      .rateLimit()
      .call(request.server, request, reply)
      .then(
        (): Answer => UNROUTABLE[error.code] ?? [400, 'The path of the request is not valid'],
        (tooMany: HttpError): Answer => [tooMany.statusCode, tooMany.message],
      )
    sendFailure(request, reply, status, failure(codeOfStatus(status), text))
  }

  return { clientErrorHandler, frameworkErrors } as Pick<FastifyServerOptions, 'clientErrorHandler' | 'frameworkErrors'>
}

type Answer = readonly [status: number, text: string]

const UNPARSABLE: Record<string, Answer> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The request is too large'],
}

const UNROUTABLE: Record<string, Answer> = {
  FST_ERR_MAX_PARAM_LENGTH: [414, 'A part of the path is too long'],
}

/** Node's default answers have an empty body and none of our headers. */
export function answerInsteadOfNode(app: FastifyInstance): void {
  app.server.on('checkExpectation', app.routing)
  // Without a listener, Node closes the connection of a CONNECT without any answer.
  app.server.on('connect', (_request, socket: Socket) => app.server.emit('clientError', new Error('CONNECT'), socket))
  app.addHook('onRequest', (request, _reply, done) => {
    const hosts = request.raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length
    if (hosts > 1) return done(new HttpError(400, 'The request has more than one Host header'))
    done(
      hosts === 0 && request.raw.httpVersion === '1.1' ? new HttpError(400, 'The Host header is missing') : undefined,
    )
  })
}
