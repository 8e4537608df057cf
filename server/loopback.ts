import { isIPv4 } from 'node:net'

/** A host name as URL gives it that always means the machine it is used on (RFC 6761 for `localhost`). */
export function isLoopbackName(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    (isIPv4(hostname) && hostname.startsWith('127.'))
  )
}

export function isLoopbackAddress(address: string): boolean {
  const ipv4 = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
  return address === '::1' || (isIPv4(ipv4) && ipv4.startsWith('127.'))
}
