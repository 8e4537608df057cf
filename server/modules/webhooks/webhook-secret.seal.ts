import { createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import { openBytes, sealBytes } from '#server/db/sealed-bytes.ts'

/** The name of the installation's secret that the secrets of endpoints are encrypted with. */
export const WEBHOOK_SECRET = 'webhook secrets'

const SECRET_BYTES = 32
const PREFIX = 'whsec_'

export type EndpointKey = { readonly customerNumber: string; readonly id: string }

export const createEndpointSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** The form in which the owner of an endpoint gets its secret. */
export const formatSecret = (secret: Buffer): string => `${PREFIX}${secret.toString('base64')}`

export function sealSecret(installation: Buffer, key: EndpointKey, secret: Buffer): Buffer {
  return sealBytes(keyFrom(installation), boundTo(key), secret)
}

/** Undefined if it was sealed by another installation or for another endpoint. */
export function openSealedSecret(installation: Buffer, key: EndpointKey, sealed: Buffer): Buffer | undefined {
  return openBytes(keyFrom(installation), boundTo(key), sealed)
}

const keyFrom = (secret: Buffer) => createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'webhook secret', 32)))

/** A secret moved to another endpoint does not open. */
const boundTo = ({ customerNumber, id }: EndpointKey) => Buffer.from(`${customerNumber}/${id}`)

type SignedMessage = { readonly id: string; readonly timestamp: number; readonly body: string }

/** The headers of Standard Webhooks, signed with every secret that is valid now. The timestamp is in seconds. */
export function signedHeaders(secrets: readonly Buffer[], { id, timestamp, body }: SignedMessage) {
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}
