import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { isLoopbackAddress, isLoopbackName } from '#server/loopback.ts'

/** What proxies and tunnels add: a request with one of these was sent by somebody else than its connection says. */
const FORWARDING =
  /^(?:x-forwarded.*|forwarded|via|x-real-ip|(?:x|x-cluster|true|fastly)-client-ip|x-(?:original|envoy)-.*|cf-.*|cdn-loop)$/

/**
 * Whether a request was made on this machine. A loopback address alone proves nothing: a proxy on this machine has one
 * too, for every client. A proxy that adds no header looks exactly like a local program.
 */
export function isFromThisMachine(request: FastifyRequest, config: Config): boolean {
  if (!isLoopbackName(new URL(config.origin).hostname) || !isLoopbackName(hostnameOf(request.host))) return false
  if (!Object.keys(request.headers).some((name) => FORWARDING.test(name))) return isLoopbackAddress(request.ip)
  // Only a proxy in TRUST_PROXY adds to the addresses, and then each of them must be ours: the first one may be forged.
  const addresses = request.ips ?? []
  return addresses.length > 1 && addresses.every(isLoopbackAddress)
}

function hostnameOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
}
