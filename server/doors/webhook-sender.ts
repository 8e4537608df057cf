import http from 'node:http'
import https from 'node:https'
import { ATTEMPT_TIMEOUT, type AttemptResult } from '#domain/webhooks/attempt.ts'
import type { Egress } from '#domain/webhooks/egress.ts'
import { guardEgress, type NameLookup, reasonOf } from '#server/doors/egress.ts'

export type OutgoingWebhook = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
/** What came of it, with the beginning of what was answered. */
export type SentWebhook = {
  readonly result: AttemptResult
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type WebhookSender = {
  /** Rejects only with an `InterruptedError`. */
  send(webhook: OutgoingWebhook): Promise<SentWebhook>
  /** Interrupts what is being sent. */
  close(): void
}

/** The portal ends. Whether the endpoint has taken the event is unknown. */
export class InterruptedError extends Error {}

type Options = NameLookup & {
  /** In milliseconds, for the whole of connecting, sending and reading. */
  timeout?: number
}

/** How much of an answer is read, in bytes, and how much of its headers is kept. */
const MAX_BODY = 4096
const MAX_HEADERS = 40
const MAX_HEADER = 500

/** Sends webhooks to addresses that customers choose, as far as the guard lets them. Redirects are answers like any other. */
export function createWebhookSender(egress: Egress, options: Options = {}): WebhookSender {
  const { timeout = ATTEMPT_TIMEOUT } = options
  const interrupts = new Set<() => void>()
  const guard = guardEgress(egress, options)

  function exchange({ url, headers, body }: OutgoingWebhook): Promise<SentWebhook> {
    const address = new URL(url)
    const { refusal, lookup } = guard(address)
    if (refusal !== undefined) return Promise.resolve(failure(refusal))
    const { request: begin } = address.protocol === 'https:' ? https : http
    return new Promise((answer, reject) => {
      const request = begin(address, {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        // A connection of its own: what the next request connects to is checked again.
        agent: false,
        lookup,
      })
      const limit = setTimeout(() => finish({ result: { kind: 'timeout' }, headers: {}, body: '' }), timeout)
      function finish(sent: SentWebhook): void {
        answer(sent)
        request.destroy()
      }
      const fail = (error: Error) => finish(failure(reasonOf(error).slice(0, MAX_HEADER)))
      const interrupt = () => {
        reject(new InterruptedError('the portal ends'))
        request.destroy()
      }
      interrupts.add(interrupt)
      request.on('close', () => {
        clearTimeout(limit)
        interrupts.delete(interrupt)
      })
      request.on('error', fail)
      request.on('upgrade', (response, socket) => {
        socket.destroy()
        finish(toAnswer(response, Buffer.alloc(0)))
      })
      request.on('response', (response) => {
        const pieces: Buffer[] = []
        let size = 0
        const done = () => finish(toAnswer(response, Buffer.concat(pieces)))
        response.on('data', (piece: Buffer) => {
          pieces.push(piece)
          size += piece.length
          if (size >= MAX_BODY) done()
        })
        response.on('end', done)
        response.on('error', fail)
      })
      request.end(body)
    })
  }

  return {
    send: exchange,
    close() {
      for (const interrupt of interrupts) interrupt()
    },
  }
}

const failure = (reason: string): SentWebhook => ({ result: { kind: 'failure', reason }, headers: {}, body: '' })

function toAnswer({ statusCode = 0, headers }: http.IncomingMessage, body: Buffer): SentWebhook {
  const kept = Object.entries(headers)
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => [name, [value].flat().join(', ').slice(0, MAX_HEADER)])
  return {
    result: { kind: 'answer', status: statusCode, retryAfter: headers['retry-after'] },
    headers: Object.fromEntries(kept),
    body: body.subarray(0, MAX_BODY).toString('utf8').replaceAll('\0', ''),
  }
}
