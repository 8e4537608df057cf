import { isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** A host name as URL gives it that always means the machine it is used on (RFC 6761 for `localhost`). */
export function isLoopbackName(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    (isIPv4(hostname) && hostname.startsWith('127.'))
  )
}

function isLoopbackAddress(address: string): boolean {
  const ipv4 = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
  return address === '::1' || (isIPv4(ipv4) && ipv4.startsWith('127.'))
}

/** Headers that proxies and tunnels add: a request with one of them comes from another client than its connection. */
const FORWARDING =
  /^(?:x-forwarded.*|forwarded|via|x-real-ip|(?:x|x-cluster|true|fastly)-client-ip|x-(?:original|envoy)-.*|cf-.*|cdn-loop)$/

/**
 * Whether a request was made on this machine. A loopback address alone proves nothing: a proxy on this machine has one
 * too, for every client. A proxy that adds no header looks exactly like a local program.
 */
export function isFromThisMachine(request: FastifyRequest, { origin }: { readonly origin: string }): boolean {
  if (!isLoopbackName(new URL(origin).hostname) || !isLoopbackName(hostnameOf(request.host))) return false
  if (!Object.keys(request.headers).some((name) => FORWARDING.test(name))) return isLoopbackAddress(request.ip)
  // Only a proxy in TRUST_PROXY adds to the addresses. Each of them must be loopback, because the first one may be
  // forged.
  const addresses = request.ips ?? []
  return addresses.length > 1 && addresses.every(isLoopbackAddress)
}

function hostnameOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
}
