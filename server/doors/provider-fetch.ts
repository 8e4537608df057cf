import http from 'node:http'
import https from 'node:https'
import type { CustomFetch } from 'openid-client'
import type { Egress } from '#domain/webhooks/egress.ts'
import { guardEgress, type NameLookup, reasonOf } from '#server/doors/egress.ts'

/** Timeout in milliseconds for the whole of connecting, sending and reading, and maximum size of an answer in bytes. */
const TIMEOUT = 10_000
const MAX_ANSWER = 256 * 1024

/** Why a provider of a customer could not be asked, in words for its administrators. */
export class ProviderUnreachable extends Error {}

/**
 * Asks the identity providers of customers, as far as the guard lets it. A redirect is an answer like any other, and the client of the
 * provider refuses it.
 */
export function createProviderFetch(egress: Egress, options: NameLookup & { timeout?: number } = {}): CustomFetch {
  const guard = guardEgress(egress, options)
  const { timeout = TIMEOUT } = options
  return async (url, { method, headers, body, signal }) => {
    const address = new URL(url)
    const { refusal, lookup } = guard(address)
    if (refusal !== undefined) throw new ProviderUnreachable(refusal)
    const { request: begin } = address.protocol === 'https:' ? https : http
    const sent = body === undefined || body === null ? '' : String(body)
    return new Promise((answer, reject) => {
      const give = (error: Error) => reject(error)
      const request = begin(address, {
        method,
        headers: { ...headers, ...(sent === '' ? {} : { 'content-length': Buffer.byteLength(sent) }) },
        // A connection of its own: what the next request connects to is checked again.
        agent: false,
        lookup,
        signal: AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]),
      })
      request.on('error', (error) => give(new ProviderUnreachable(textOf(error))))
      request.on('response', (response) => {
        const pieces: Buffer[] = []
        let size = 0
        response.on('data', (piece: Buffer) => {
          pieces.push(piece)
          size += piece.length
          if (size <= MAX_ANSWER) return
          give(new ProviderUnreachable(`The answer is larger than ${MAX_ANSWER / 1024} kB`))
          request.destroy()
        })
        response.on('error', (error) => give(new ProviderUnreachable(textOf(error))))
        response.on('end', () => answer(toResponse(response, Buffer.concat(pieces))))
      })
      request.end(sent)
    })
  }
}

const textOf = (error: Error) =>
  error.name === 'AbortError' || error.name === 'TimeoutError' ? 'No answer in time' : reasonOf(error)

function toResponse({ statusCode = 502, headers }: http.IncomingMessage, body: Buffer): Response {
  const status = statusCode >= 200 && statusCode <= 599 ? statusCode : 502
  const isEmpty = [204, 205, 304].includes(status)
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
  return new Response(isEmpty ? null : new Uint8Array(body), { status, headers: kept })
}
