import { createSecretKey, hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import { openBytes, sealBytes } from '#server/db/sealed-bytes.ts'

/** The name of the installation's secret that PINs are encrypted with. */
export const PIN_SECRET = 'elastic PINs'

export type Server = { readonly customerNumber: string; readonly deviceId: string }

export function sealPin(secret: Buffer, server: Server, pin: string): Buffer {
  return sealBytes(keyFrom(secret), boundTo(server), Buffer.from(pin, 'utf8'))
}

export function openPin(secret: Buffer, server: Server, sealed: Buffer): string {
  const pin = openBytes(keyFrom(secret), boundTo(server), sealed)
  if (!pin) throw new Error(`The PIN of ${server.deviceId} does not open with the secret of this installation`)
  return pin.toString('utf8')
}

/** Takes the same time wherever the two differ. */
export function isSamePin(one: string, other: string): boolean {
  const digest = (pin: string) => hash('sha256', pin, 'buffer')
  return timingSafeEqual(digest(one), digest(other))
}

const keyFrom = (secret: Buffer) => createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'elastic PIN', 32)))

/** A PIN moved to another server does not open. */
const boundTo = ({ customerNumber, deviceId }: Server) => Buffer.from(`${customerNumber}/${deviceId}`)
