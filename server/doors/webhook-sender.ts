import dns from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { ATTEMPT_TIMEOUT, type AttemptResult } from '#domain/webhooks/attempt.ts'
import { bareHost, type Egress, hostAndPort, isPublicAddress } from '#domain/webhooks/egress.ts'
import { URL_NOT_HTTPS } from '#domain/webhooks/endpoint.ts'

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

type Address = { readonly address: string; readonly family: number }
type Options = {
  resolve?(hostname: string): Promise<readonly Address[]>
  /** Instead of those that this machine is set up with, and how long each has to answer, in milliseconds. */
  nameServers?: { readonly addresses: readonly string[]; readonly timeout: number }
  /** In milliseconds, for the whole of connecting, sending and reading. */
  timeout?: number
}

/** How much of an answer is read, in bytes, and how much of its headers is kept. */
const MAX_BODY = 4096
const MAX_HEADERS = 40
const MAX_HEADER = 500

/** How long a name server has to answer, in milliseconds, and how often it is asked. */
const NAME_SERVER_TIMEOUT = 2000
const NAME_SERVER_TRIES = 2

const NOT_PUBLIC = 'The host is not public. The operator of the portal can allow it with WEBHOOK_ALLOW'

/**
 * Sends webhooks to addresses that customers choose. A name is looked up once per request, by the socket itself, and the
 * socket connects to the addresses that were checked: a name that leads elsewhere later gains nothing. Redirects are
 * answers like any other. What a refused address is, nobody learns.
 */
export function createWebhookSender(egress: Egress, options: Options = {}): WebhookSender {
  const { timeout = ATTEMPT_TIMEOUT } = options
  const interrupts = new Set<() => void>()

  const checkedLookup =
    (isAllowed: boolean): LookupFunction =>
    (hostname, { all }, done) => {
      const check = async () => {
        const resolve = options.resolve ?? (isAllowed ? lookUpOnMachine : lookUpInDns)
        const found = await resolve(hostname, options.nameServers)
        if (!isAllowed && !found.every(({ address }) => isPublicAddress(address))) throw new Error(NOT_PUBLIC)
        if (!found[0]) throw new Error(`The name ${hostname} has no address`)
        return { found, first: found[0] }
      }
      check().then(
        ({ found, first }) => (all ? done(null, [...found]) : done(null, first.address, first.family)),
        (error: Error) => done(error, ''),
      )
    }

  function exchange({ url, headers, body }: OutgoingWebhook): Promise<SentWebhook> {
    const address = new URL(url)
    const isAllowed = egress.allowed.has(hostAndPort(address))
    if (address.protocol !== 'https:' && !egress.isHttpAllowed) return Promise.resolve(failure(URL_NOT_HTTPS))
    // A socket looks up names only.
    const host = bareHost(address.hostname)
    if (!isAllowed && isIP(host) && !isPublicAddress(host)) return Promise.resolve(failure(NOT_PUBLIC))
    const { request: begin } = address.protocol === 'https:' ? https : http
    return new Promise((answer, reject) => {
      const request = begin(address, {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        // A connection of its own: what the next request connects to is checked again.
        agent: false,
        lookup: checkedLookup(isAllowed),
      })
      const limit = setTimeout(() => finish({ result: { kind: 'timeout' }, headers: {}, body: '' }), timeout)
      function finish(sent: SentWebhook): void {
        answer(sent)
        request.destroy()
      }
      const fail = (error: Error) => finish(failure(reasonOf(error)))
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

/** Hosts that the operator has named may be in the hosts file. This lookup has no time limit and takes a thread of the process. */
const lookUpOnMachine = (name: string): Promise<readonly Address[]> => dns.promises.lookup(name, { all: true })

/** Customers choose these names, and with them the name server that answers, or does not. */
async function lookUpInDns(name: string, nameServers: Options['nameServers']): Promise<readonly Address[]> {
  const timeout = nameServers?.timeout ?? NAME_SERVER_TIMEOUT
  const resolver = new dns.promises.Resolver({ timeout, tries: NAME_SERVER_TRIES })
  if (nameServers) resolver.setServers(nameServers.addresses)
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = answers.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  )
  if (found.length > 0) return found
  const codes = answers.map((answer) => (answer.status === 'rejected' ? answer.reason.code : dns.NODATA))
  const isUnknown = codes.every((code) => code === dns.NOTFOUND || code === dns.NODATA)
  throw new Error(isUnknown ? NAME_UNKNOWN : NAME_UNANSWERED)
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

const NAME_UNKNOWN = 'The name of the host was not found'
const NAME_UNANSWERED = 'The name of the host could not be looked up'
const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: NAME_UNKNOWN,
  EAI_AGAIN: NAME_UNANSWERED,
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed before an answer',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  ETIMEDOUT: 'No connection',
}

/** Where a name has several addresses, the error has one for each of them. */
function reasonOf(error: NodeJS.ErrnoException): string {
  const first = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException | undefined) : error
  return (REASONS[first?.code ?? ''] ?? first?.message ?? 'The connection failed').slice(0, MAX_HEADER)
}
