import http from 'node:http'
import { performance } from 'node:perf_hooks'
import type { Operation } from '#contract/kit/operation.ts'
import { limit } from '#server/testing/slowness.ts'

/** A browser opens at most six connections to one address. */
const CONNECTIONS = 6
/** Milliseconds until a client gives up. */
const TIMEOUT = limit(60_000)

export type Request = {
  readonly body?: unknown
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly idempotencyKey?: string
}
export type Reply = { readonly status: number; readonly text: string; readonly milliseconds: number }
export type Success = Record<string, unknown> & { data: unknown }

/** The connection ended before the answer: nobody knows whether the portal has done what was asked. */
export class LostAnswerError extends Error {}

/** An answer other than 200 and SUCCESS. */
export class UnexpectedAnswerError extends Error {
  readonly status: number
  readonly code: string | undefined
  constructor(name: string, { status, text }: Reply) {
    super(`${name}: ${status} ${text.slice(0, 200)}`)
    this.status = status
    this.code = /"code":"([A-Z_]+)"/.exec(text)?.[1]
  }
}

/** One caller of the portal, with connections of its own that stay open: a browser of a person, or a program with a service key. */
export class PortalClient {
  /** Where the portal is; a client that follows a portal to another address changes it. */
  origin: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS })

  constructor(origin: string, headers: Readonly<Record<string, string>>) {
    this.origin = origin
    this.#headers = headers
  }

  /** Any answer of the portal. Rejects with `LostAnswerError` if there is none. */
  call(operation: Operation, request: Request = {}): Promise<Reply> {
    const path = operation.path.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(request.params?.[name] ?? ''),
    )
    const search = request.query ? `?${new URLSearchParams(request.query)}` : ''
    const body = request.body === undefined ? undefined : JSON.stringify(request.body)
    return this.#send(`${path}${search}`, {
      method: operation.method,
      headers: {
        ...this.#headers,
        ...(operation.writes ? { 'x-requested-with': 'portal' } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(request.idempotencyKey ? { 'idempotency-key': request.idempotencyKey } : {}),
      },
      body,
    })
  }

  /** The answer of a call that succeeds, or an error. */
  async ask(operation: Operation, request: Request = {}): Promise<Success> {
    const reply = await this.call(operation, request)
    if (reply.status !== 200 || !reply.text.startsWith('{"status":"SUCCESS"'))
      throw new UnexpectedAnswerError(operation.name, reply)
    return JSON.parse(reply.text) as Success
  }

  /** A file: its size. */
  async fetchFile(operation: Operation, request: Request = {}): Promise<number> {
    const reply = await this.call(operation, request)
    if (reply.status !== 200 || reply.text.startsWith('{"status":"FAILURE"'))
      throw new UnexpectedAnswerError(operation.name, reply)
    return reply.text.length
  }

  /** A page or file of the web app. */
  async get(path: string): Promise<void> {
    const reply = await this.#send(path, { method: 'GET', headers: this.#headers, body: undefined })
    if (reply.status !== 200) throw new UnexpectedAnswerError(path, reply)
  }

  /** Keeps an event stream open until the returned function is called; `lost` hears of every end before that. */
  follow(operation: Operation, lost: (reason: string) => void): () => void {
    let isOpen = true
    const request = http.get(new URL(operation.path, this.origin), { headers: this.#headers, agent: false })
    const end = (reason: string) => {
      if (!isOpen) return
      isOpen = false
      lost(reason)
    }
    request.on('error', (error) => end(error.message))
    request.on('response', (answer) => {
      if (answer.statusCode !== 200) end(`${operation.name}: ${answer.statusCode}`)
      answer.on('error', (error) => end(error.message))
      answer.on('end', () => end('the portal ended the stream'))
      answer.resume()
    })
    return () => {
      isOpen = false
      request.destroy()
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  #send(
    path: string,
    { method, headers, body }: { method: string; headers: Record<string, string>; body: string | undefined },
  ): Promise<Reply> {
    const begun = performance.now()
    return new Promise((resolve, reject) => {
      const lose = (error: Error) => reject(new LostAnswerError(`${method} ${path}: ${error.message}`))
      const request = http.request(new URL(path, this.origin), {
        method,
        headers,
        agent: this.#agent,
        timeout: TIMEOUT,
      })
      request.on('error', lose)
      request.on('timeout', () => request.destroy(new Error('no answer')))
      request.on('response', (answer) => {
        const pieces: Buffer[] = []
        answer.on('data', (piece: Buffer) => pieces.push(piece))
        answer.on('error', lose)
        answer.on('aborted', () => lose(new Error('cut off')))
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            text: Buffer.concat(pieces).toString('utf8'),
            milliseconds: performance.now() - begun,
          }),
        )
      })
      request.end(body)
    })
  }
}
