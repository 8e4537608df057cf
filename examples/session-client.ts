/**
 * Starts, keeps and ends an elastic session. It needs nothing but Node's own fetch:
 *
 *   PORTAL_URL=http://127.0.0.1:8080 SERVICE_KEY=lpk_… node examples/session-client.ts <server id> <PIN> "Fluid Flow Pro"
 *
 * The session ends with Ctrl-C. A program that dies without ending it is charged until 15 minutes after its last heartbeat.
 */
import os from 'node:os'
import { pathToFileURL } from 'node:url'

export type SessionRequest = {
  readonly serverId: string
  readonly pin: string
  readonly username: string
  readonly host: string
  /** Name of the product in the catalog. */
  readonly product: string
  readonly count: number
  readonly project?: string
  readonly version?: string
  /** The address from which the customer's machine reached the elastic service. */
  readonly externalIp: string
}

/** The portal said no. Decide by the code; the message is for people. */
export class SessionRefusedError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const ATTEMPTS = 5
const FIRST_WAIT = 500
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

export class SessionClient {
  readonly #base: string
  readonly #key: string
  constructor(portalUrl: string, serviceKey: string) {
    this.#base = `${portalUrl.replace(/\/$/, '')}/service/v1/elastic/sessions`
    this.#key = serviceKey
  }

  /** The Idempotency-Key makes it safe to send the same start again when no answer came. */
  start(request: SessionRequest): Promise<{ sessionId: string; heartbeatSeconds: number }> {
    return this.#post('', request, { 'idempotency-key': crypto.randomUUID() })
  }

  heartbeat(sessionId: string): Promise<{ heartbeatSeconds: number }> {
    return this.#post(`/${encodeURIComponent(sessionId)}/heartbeat`)
  }

  /** Ending twice is safe: the second answer is the first one. */
  end(sessionId: string): Promise<{ hours: string; charge: string }> {
    return this.#post(`/${encodeURIComponent(sessionId)}/end`)
  }

  async #post<T>(path: string, body?: object, headers: Record<string, string> = {}): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await fetch(this.#base + path, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${this.#key}`,
            ...(body ? { 'content-type': 'application/json' } : {}),
            ...headers,
          },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        const answer = (await response.json()) as { status: string; code: string; err: string; data: T }
        if (answer.status === 'SUCCESS') return answer.data
        // Retry after 429 and 5xx. Any other answer is final.
        const mayPass = response.status === 429 || response.status >= 500
        if (!mayPass || attempt === ATTEMPTS) throw new SessionRefusedError(answer.code, answer.err)
      } catch (error) {
        if (error instanceof SessionRefusedError || attempt === ATTEMPTS) throw error
      }
      await wait(FIRST_WAIT * 2 ** (attempt - 1))
    }
  }
}

/** Sends heartbeats until the signal is given, then ends the session. */
export async function holdSession(client: SessionClient, request: SessionRequest, signal: AbortSignal) {
  const { sessionId, heartbeatSeconds } = await client.start(request)
  const timer = setInterval(() => void client.heartbeat(sessionId).catch(console.error), heartbeatSeconds * 1000)
  await new Promise<void>((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  clearInterval(timer)
  return { sessionId, ...(await client.end(sessionId)) }
}

async function main([serverId, pin, product, externalIp = '192.0.2.1']: string[]): Promise<number> {
  const { PORTAL_URL = 'http://127.0.0.1:8080', SERVICE_KEY } = process.env
  if (!serverId || !pin || !product || !SERVICE_KEY) {
    console.error('Usage: SERVICE_KEY=lpk_… node examples/session-client.ts <server id> <PIN> <product> [external IP]')
    return 2
  }
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())
  const request = {
    serverId,
    pin,
    product,
    count: 1,
    username: os.userInfo().username,
    host: os.hostname(),
    externalIp,
  }
  try {
    console.log('Press Ctrl-C to end the session')
    const { hours, charge } = await holdSession(new SessionClient(PORTAL_URL, SERVICE_KEY), request, stop.signal)
    console.log(`${hours} hours, ${charge} units`)
    return 0
  } catch (error) {
    console.error(error instanceof SessionRefusedError ? `${error.code}: ${error.message}` : error)
    return 1
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = await main(process.argv.slice(2))
