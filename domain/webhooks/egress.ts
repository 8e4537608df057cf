import ipaddr from 'ipaddr.js'
import { typedUrlError, URL_NOT_HTTPS, URL_NOT_PUBLIC } from '#domain/webhooks/endpoint.ts'

/** Where the installation lets webhooks go. */
export type Egress = {
  readonly isHttpAllowed: boolean
  /** `host:port` pairs that need not be public. */
  readonly allowed: ReadonlySet<string>
}

/** The host and port of a URL, with the default port of its scheme. */
export function hostAndPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`
}

/** A host name without the brackets that IPv6 addresses have in URLs. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

/** Why a URL cannot be an endpoint; undefined if it can. Names are looked up at each delivery, not here. */
export function urlError(text: string, { isHttpAllowed, allowed }: Egress): string | undefined {
  const error = typedUrlError(text)
  if (error !== undefined) return error
  const url = new URL(text.trim())
  if (url.protocol === 'http:' && !isHttpAllowed) return URL_NOT_HTTPS
  if (allowed.has(hostAndPort(url))) return undefined
  const host = bareHost(url.hostname)
  return isLocalName(host) || (ipaddr.isValid(host) && !isPublicAddress(host)) ? URL_NOT_PUBLIC : undefined
}

/** Names that never lead to another machine. */
const isLocalName = (host: string) => /(^|[.])localhost[.]?$/.test(host)

/** A public address of Azure machines at which their own metadata is served. */
const AZURE_METADATA = '168.63.129.16'

/**
 * Whether an address is on the public internet. Everything with a special purpose is not: loopback, private, link-local
 * (where clouds serve metadata), shared, documentation, multicast, and IPv6 forms that lead to IPv4 addresses.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.kind() === 'ipv6' && !address.match(ipaddr.parseCIDR('2000::/3'))) return false
  return address.range() === 'unicast' && address.toString() !== AZURE_METADATA
}
